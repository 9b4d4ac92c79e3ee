import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Extension,
  errorMessage,
  type InteractiveSession,
  type Message,
  type ModelEvent,
  type ModelRequest,
  textOf,
} from '@robota-sdk/agent-sdk/front-end';
import { type CallStatus, sceneOf, type TourCall } from './tour-script.ts';

/** Milliseconds between two pieces of an answer, so that streaming can be seen. */
const pieceMs = 35;

/** Puts the script of the tour instead of the offline model. */
export const tourModel: Extension<InteractiveSession> = {
  name: 'tour',
  setup: (host) => host.provider('offline', async () => ({ vendor: 'offline', stream })),
};

/** No tokens are used: there is no model. */
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

async function* stream({ messages, signal }: ModelRequest): AsyncGenerator<ModelEvent> {
  try {
    const { say, calls } = nextTurn(messages);
    yield { type: 'text-start', index: 0 };
    for (const text of say.match(/\S+\s*/g) ?? []) {
      await sleep(pieceMs, undefined, { signal });
      yield { type: 'text-delta', index: 0, text };
    }
    yield { type: 'text-end', index: 0 };
    for (const [at, { name, input }] of calls.entries()) {
      const index = at + 1;
      yield { type: 'tool-call-start', index, id: `tour-${messages.length}-${index}`, name };
      yield { type: 'tool-call-delta', index, json: JSON.stringify(input) };
      yield { type: 'tool-call-end', index, input };
    }
    yield { type: 'end', stopReason: calls.length > 0 ? 'tool-calls' : 'end', usage };
  } catch (thrown) {
    const code = signal.aborted ? 'aborted' : 'internal';
    yield { type: 'error', failure: { code, message: errorMessage(thrown), retryable: false } };
  }
}

/** The next turn follows from the conversation alone: its last prompt, and how the calls since then ended. */
function nextTurn(messages: readonly Message[]): {
  readonly say: string;
  readonly calls: readonly TourCall[];
} {
  const start = messages.findLastIndex((each) => each.role === 'user' && each.origin !== 'reminder');
  const prompt = messages[start];
  const scene = sceneOf(prompt ? textOf(prompt.content) : '');
  let state = scene.next([]);
  for (const statuses of endedTurns(messages.slice(start + 1))) {
    if (state.done) break;
    state = scene.next(statuses);
  }
  return state.done ? { say: state.value, calls: [] } : state.value;
}

/** How the calls of each turn ended. */
function endedTurns(messages: readonly Message[]): readonly (readonly CallStatus[])[] {
  const turns: CallStatus[][] = [];
  for (const message of messages) {
    if (message.role === 'assistant') turns.push([]);
    if (message.role === 'tool') turns.at(-1)?.push(message.status);
  }
  return turns.filter((statuses) => statuses.length > 0);
}
