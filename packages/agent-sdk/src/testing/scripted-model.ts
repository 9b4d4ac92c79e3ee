import {
  AgentError,
  callback,
  checkArguments,
  either,
  type JsonValue,
  list,
  type ModelRequest,
  nonEmptyText,
  objectInstance,
  text,
  type Usage,
} from '@robota-sdk/agent-core';
import { type DefinedProvider, defineProvider, type ProviderEvent } from '../client/define-provider.ts';

/** A tool call of a scripted answer. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** One answer of a scripted model. */
export interface ScriptedAnswer {
  readonly thinking?: string;
  /** The whole text, or its deltas. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Partial<Usage>;
  /** Ends the answer with this failure. */
  readonly error?: AgentError;
}

/** An answer: a text, a call, or all its parts. */
export type ScriptedStep = string | ScriptedCall | ScriptedAnswer;

/** A model that answers from a script and records its requests. Use it as the option `model`. */
export interface ScriptedModel extends DefinedProvider {
  readonly requests: readonly ModelRequest[];
}

/** A tool call for a script. */
export function call(name: string, input: JsonValue = {}): ScriptedCall {
  checkArguments('call', { name: [name, nonEmptyText] });
  return { name, input };
}

export const scriptShape = list(either(text, objectInstance));

/** Creates a model that answers from a list or a function. */
export function scriptedModel(
  script:
    | readonly ScriptedStep[]
    | ((request: ModelRequest, turn: number) => ScriptedStep | Promise<ScriptedStep>),
): ScriptedModel {
  checkArguments('scriptedModel', { script: [script, either(callback, scriptShape)] });
  const requests: ModelRequest[] = [];
  const provider = defineProvider({
    vendor: 'scripted',
    models: [{ id: 'model', contextWindow: 200_000, price: { input: 1, output: 1 } }],
    async *stream(request): AsyncGenerator<ProviderEvent> {
      const turn = requests.length;
      requests.push({ ...request, messages: [...request.messages] });
      const step = typeof script === 'function' ? await script(request, turn) : script[turn];
      if (step === undefined) throw new AgentError('internal', `The script has no answer ${turn + 1}.`);
      yield* eventsOf(answerOf(step), request.signal);
    },
  });
  return { ...provider, requests };
}

/** A step with all its parts. */
export function answerOf(step: ScriptedStep): ScriptedAnswer {
  if (typeof step === 'string') return { text: step };
  return 'name' in step ? { calls: [step] } : step;
}

function* eventsOf(answer: ScriptedAnswer, signal: AbortSignal): Generator<ProviderEvent> {
  const { thinking, text = [], calls = [], usage, error } = answer;
  if (thinking !== undefined) yield { type: 'thinking-delta', text: thinking };
  for (const delta of typeof text === 'string' ? [text] : text) {
    signal.throwIfAborted();
    yield { type: 'text-delta', text: delta };
  }
  for (const each of calls) yield { type: 'tool-call', ...each };
  if (error) throw error;
  yield { type: 'end', usage: { input: 10, output: 5, ...usage } };
}
