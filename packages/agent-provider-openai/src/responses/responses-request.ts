import type { JsonObject, ModelRequest, ToolSpec } from '@robota-sdk/agent-core';
import { reasoningEffort } from '../wire/reasoning-effort.ts';
import { responsesInput } from './responses-input.ts';

/**
 * The body of a Responses call. The system prompt goes into `instructions`: the server puts it before the input
 * either way, and so the input is the conversation and nothing else, and only grows at its end. It comes last, so
 * that each body begins with the bytes of the one before it.
 */
export function responsesRequest(request: ModelRequest): JsonObject {
  const { model, system, sessionId, maxOutput } = request;
  const tools = toolList(request);
  return {
    model: model.id,
    stream: true,
    store: false,
    // Refused by models that do not think.
    ...(model.thinking === 'none' ? {} : { include: ['reasoning.encrypted_content'] }),
    ...reasoningField(request),
    ...(maxOutput === undefined ? {} : { max_output_tokens: maxOutput }),
    ...(sessionId === undefined ? {} : { prompt_cache_key: sessionId }),
    ...(system === '' ? {} : { instructions: system }),
    ...(tools.length === 0 ? {} : { tools }),
    input: responsesInput(request),
  };
}

function reasoningField({ model, thinking }: ModelRequest): JsonObject {
  if (model.thinking === 'none') return {};
  const effort = model.thinking === 'always' ? undefined : reasoningEffort(model, thinking);
  const summary = thinking === 'off' ? {} : { summary: 'auto' };
  const reasoning = { ...(effort === undefined ? {} : { effort }), ...summary };
  return Object.keys(reasoning).length === 0 ? {} : { reasoning };
}

function toolList({ tools, webSearch, model }: ModelRequest): readonly JsonObject[] {
  if (model.compat?.supportsTools === false) return [];
  return [...tools.map(functionTool), ...(webSearch ? [{ type: 'web_search' }] : [])];
}

/** Strict mode is the default here, and refuses optional parameters. */
function functionTool({ name, description, input }: ToolSpec): JsonObject {
  return { type: 'function', name, description, parameters: input, strict: false };
}
