import type { JsonObject, ModelRequest, ToolSpec } from '@robota-sdk/agent-core';
import { chatMessages } from './chat-messages.ts';
import { thinkingParameters } from './thinking-format.ts';

/**
 * The body of a Chat Completions call. The messages come last and nothing before them changes from turn to turn, so
 * that each body begins with the bytes of the one before it.
 */
export function chatRequest(request: ModelRequest): JsonObject {
  const { model, maxOutput, thinking } = request;
  const compat = model.compat ?? {};
  return {
    model: model.id,
    stream: true,
    ...(compat.supportsUsageInStreaming === false ? {} : { stream_options: { include_usage: true } }),
    ...(compat.supportsStore ? { store: false } : {}),
    ...(maxOutput === undefined ? {} : { [compat.maxTokensField ?? 'max_tokens']: maxOutput }),
    ...thinkingParameters(model, thinking),
    ...toolField(request),
    ...llamaFields(request),
    ...schemaField(request),
    messages: chatMessages(request),
  };
}

/** Fields that only llama.cpp's server knows. */
function llamaFields({ model, grammar }: ModelRequest): JsonObject {
  if (model.compat?.server !== 'llama.cpp') return {};
  return {
    cache_prompt: true,
    return_progress: true,
    ...(grammar === undefined ? {} : { grammar }),
  };
}

/** Servers on the user's machines that keep an answer within a schema. */
function schemaField({ model, answerSchema: schema }: ModelRequest): JsonObject {
  if (schema === undefined || model.compat?.server === undefined) return {};
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } };
}

function toolField({ model, tools }: ModelRequest): JsonObject {
  if (tools.length === 0 || model.compat?.supportsTools === false) return {};
  const { supportsStrictMode, enforcesTools } = model.compat ?? {};
  const strict = supportsStrictMode || enforcesTools ? { strict: enforcesTools === true } : {};
  return { tools: tools.map((tool) => ({ type: 'function', function: { ...definition(tool), ...strict } })) };
}

function definition({ name, description, input }: ToolSpec): JsonObject {
  return { name, description, parameters: input };
}
