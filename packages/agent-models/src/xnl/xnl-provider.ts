import {
  batchOf,
  type Message,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  type ModelStream,
  toolCallsOf,
} from '@robota-sdk/agent-core';
import { CallReader } from './call-reader.ts';
import { copiedCalls } from './copied-calls.ts';
import { protocolPrompt } from './protocol-prompt.ts';
import { renderHistory } from './render-history.ts';
import { ToolRoutes } from './tool-routes.ts';

/** So many answers in a row may hold nothing but calls that can't be read. */
const mostCorrections = 5;

/**
 * A provider for models without function calling: tools are told in the prompt, calls are found in the answer, results go
 * back as text. Behind it stands the adapter of any API.
 */
export function xnlProvider(inner: ModelProvider): ModelProvider {
  return { vendor: inner.vendor, stream: (request) => answer(inner, request) };
}

async function* answer(inner: ModelProvider, request: ModelRequest): ModelStream & AsyncGenerator {
  const { tools, messages } = request;
  const told: ModelRequest = { ...request, tools: [], messages: renderHistory(messages) };
  if (tools.length === 0) return yield* inner.stream(told);
  const failure = tooManyCorrections(messages);
  if (failure) return yield { type: 'error', failure };
  const reader = new CallReader({
    routes: new ToolRoutes(tools),
    takenIds: messages.flatMap(toolCallsOf).map(({ id }) => id),
    isCopied: copiedCalls(messages),
  });
  const system = [request.system, protocolPrompt(tools)].filter((part) => part !== '').join('\n\n');
  for await (const said of inner.stream({ ...told, system, ...(await grammarField(request)) })) {
    const events = reader.read(batchOf(said));
    if (events.length > 0) yield events;
  }
}

/**
 * The grammar of the calls, for a server that takes one. Not while the model thinks: its thoughts may name the markers, and
 * the server shows them to the grammar, too. Nor beside a JSON Schema, which excludes calls.
 */
async function grammarField({
  model,
  tools,
  thinking,
  answerSchema,
}: ModelRequest): Promise<Pick<ModelRequest, 'grammar'>> {
  const isQuiet = model.thinking === 'none' || (model.thinking === 'adaptive' && thinking === 'off');
  if (model.compat?.server !== 'llama.cpp' || !isQuiet || answerSchema) return {};
  const { callGrammar } = await import('./call-grammar.ts');
  return { grammar: callGrammar(tools) };
}

function isReminder(message: Message): boolean {
  return message.role === 'user' && message.origin === 'reminder';
}

/** A model that can't learn the form would cost without end. */
function tooManyCorrections(messages: readonly Message[]): ModelFailure | undefined {
  let last: string | undefined;
  let count = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (!message || message.role === 'tool' || isReminder(message)) continue;
    const calls = message.role === 'assistant' ? toolCallsOf(message) : [];
    if (calls.length === 0 || calls.some(({ invalid, raw }) => invalid === undefined || raw === undefined))
      break;
    last ??= calls[0]?.invalid;
    count++;
  }
  if (count < mostCorrections) return undefined;
  return {
    code: 'protocol',
    message: `The model wrote ${count} calls in a row that cannot be used, the last one for this reason: ${last} It may be too small for this work; try another model.`,
    retryable: false,
  };
}
