import {
  errorMessage,
  type ModelEvent,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  textOf,
} from '@robota-sdk/agent-core';
import { nextReply, type Reply } from './reply.ts';

const charactersPerToken = 4;

/** The built-in rule-based model: not AI, no key, no network; small jobs by real tool calls. */
export function createOfflineProvider(): ModelProvider {
  return { vendor: 'offline', stream };
}

async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
  if (wantsSchema(request)) {
    yield { type: 'error', failure: schemaFailure };
    return;
  }
  try {
    const reply = nextReply(request);
    for (const event of eventsOf(reply)) {
      if (request.signal.aborted) break;
      yield event;
    }
    if (request.signal.aborted) {
      yield { type: 'error', failure: { code: 'aborted', message: 'Interrupted.', retryable: false } };
      return;
    }
    const stopReason = reply.calls.length > 0 ? 'tool-calls' : 'end';
    yield { type: 'end', stopReason, usage: estimateUsage(request, reply) };
  } catch (thrown) {
    const message = `The offline model failed: ${errorMessage(thrown)}`;
    yield { type: 'error', failure: { code: 'internal', message, retryable: false } };
  }
}

const schemaFailure: ModelFailure = {
  code: 'invalid-request',
  message:
    "The offline model can't answer by a JSON Schema: it is a set of rules, not AI. Leave --json-schema out, or choose a real model with --model.",
  retryable: false,
};

/** True if the last request wants its answer in the shape that a schema describes. */
function wantsSchema({ messages }: ModelRequest): boolean {
  const asked = messages.findLast((message) => message.role === 'user' && message.origin === undefined);
  const isSchema = /^When you are done, answer with JSON alone\b.*JSON Schema:/;
  return asked?.content.some((block) => block.type === 'text' && isSchema.test(block.text)) ?? false;
}

function* eventsOf(reply: Reply): Generator<ModelEvent> {
  let index = 0;
  if (reply.text !== '') {
    yield { type: 'text-start', index };
    for (const text of piecesOf(reply.text)) yield { type: 'text-delta', index, text };
    yield { type: 'text-end', index };
    index++;
  }
  for (const { id, tool, input } of reply.calls) {
    yield { type: 'tool-call-start', index, id, name: tool };
    yield { type: 'tool-call-delta', index, json: JSON.stringify(input) };
    yield { type: 'tool-call-end', index, input };
    index++;
  }
}

/** Cuts a text into words or a few, as a model would send them; never inside a character. */
function piecesOf(text: string): readonly string[] {
  return text.match(/[\s\S]{1,24}(?=\s|$)|[\s\S]{1,24}/gu) ?? [];
}

function estimateUsage(request: ModelRequest, reply: Reply) {
  let input = request.system.length;
  for (const message of request.messages) {
    input += textOf(message.content).length;
    for (const block of message.content)
      if (block.type === 'tool-call') input += JSON.stringify(block.input).length;
  }
  for (const tool of request.tools) input += tool.description.length + JSON.stringify(tool.input).length;
  const output = reply.text.length + JSON.stringify(reply.calls).length;
  return { input: tokens(input), output: tokens(output), cacheRead: 0, cacheWrite: 0 };
}

function tokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}
