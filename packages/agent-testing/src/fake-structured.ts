import type { JsonObject } from '@robota-sdk/agent-core';
import { conforms } from './conforms.ts';
import {
  eventStream,
  jsonReply,
  type ModelServer,
  type Reply,
  sse,
  startModelServer,
} from './model-server.ts';

export interface FakeStructuredOptions {
  readonly kind: 'vllm' | 'lmstudio';
  /** Texts that the model would like to write, the most likely first; a schema makes it take the next one that fits. */
  answer(): readonly string[];
  /** Arguments for the first tool that the model would like to give; it makes no call without them. */
  call?(): readonly string[];
  /** Takes what the model thinks for the answer that a schema holds for, as some versions do. */
  readonly confusesThinking?: boolean;
}

interface ChatBody {
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly parameters: JsonObject; readonly strict?: boolean };
  }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly schema?: JsonObject };
  };
}

/**
 * Starts a server that behaves as vLLM or LM Studio do: a schema of the answer is enforced, that of a tool only by vLLM and
 * only where a tool is marked `strict`; schemas that they cannot compile are refused.
 */
export async function startFakeStructured(options: FakeStructuredOptions): Promise<ModelServer> {
  const server = await startModelServer();
  server.handle(({ path, body }) =>
    path === '/v1/chat/completions' ? complete((body ?? {}) as ChatBody, options) : jsonReply(404, {}),
  );
  server.handleQuestions(({ path }) => {
    const row = {
      id: 'local',
      object: 'model',
      owned_by: options.kind === 'vllm' ? 'vllm' : 'organization_owner',
    };
    if (path === '/v1/models')
      return jsonReply(200, { data: [options.kind === 'vllm' ? { ...row, max_model_len: 40_960 } : row] });
    if (path === '/api/v1/models' && options.kind === 'lmstudio')
      return jsonReply(200, { models: [lmStudioRow] });
    return jsonReply(404, {});
  });
  return server;
}

const lmStudioRow: JsonObject = {
  type: 'llm',
  key: 'local',
  loaded_instances: [{ id: 'local', config: { context_length: 20_480 } }],
  max_context_length: 40_960,
  capabilities: { vision: false, trained_for_tool_use: true },
};

function complete({ tools = [], response_format: format }: ChatBody, options: FakeStructuredOptions): Reply {
  const { kind, answer, call, confusesThinking = false } = options;
  const schema = format?.json_schema?.schema;
  const isStrict = kind === 'vllm' && tools.some((tool) => tool.function.strict === true);
  const compiled = [schema, ...(isStrict ? tools.map((tool) => tool.function.parameters) : [])];
  if (format && format.type !== 'json_schema') return refuse("'response_format.type' must be 'json_schema'");
  if (JSON.stringify(compiled).includes('"$ref":"http')) return refuse('The schema cannot be compiled.');
  const [tool] = tools;
  if (tool && call) {
    const wishes = call();
    const written = isStrict ? wishes.find((wish) => conforms(wish, tool.function.parameters)) : wishes[0];
    return stream({
      tool_calls: [
        {
          index: 0,
          id: 'call_1',
          type: 'function',
          function: { name: tool.function.name, arguments: written ?? '' },
        },
      ],
    });
  }
  const written = schema ? (answer().find((wish) => conforms(wish, schema)) ?? '') : (answer()[0] ?? '');
  return stream(schema && confusesThinking ? { reasoning_content: written } : { content: written });
}

function refuse(message: string): Reply {
  return jsonReply(400, { error: { code: 400, message, type: 'BadRequestError' } });
}

function stream(delta: object): Reply {
  const isCall = 'tool_calls' in delta;
  return eventStream([
    sse({ choices: [{ index: 0, delta }] }),
    sse({ choices: [{ index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop' }] }),
    'data: [DONE]\n\n',
  ]);
}
