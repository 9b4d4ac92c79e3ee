import {
  type JsonValue,
  type ModelEvent,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  noUsage,
  type StopReason,
  type Usage,
} from '@robota-sdk/agent-core';

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly input?: JsonValue;
  readonly invalid?: string;
}

/** One answer of a scripted model. */
export interface ScriptedTurn {
  readonly thinking?: string;
  /** The whole text, or its deltas. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly ScriptedCall[];
  readonly stopReason?: StopReason;
  readonly usage?: Partial<Usage>;
  readonly note?: string;
  /** Ends with this failure after everything above was streamed, calls left half-received. */
  readonly failure?: Partial<ModelFailure>;
  /** With `failure`: the text block is closed before the error, as real providers do. */
  readonly closesText?: boolean;
  /** Runs before the first event, for tests that act in the middle of a run. */
  readonly before?: (request: ModelRequest) => void | Promise<void>;
}

type Script = readonly ScriptedTurn[] | ((request: ModelRequest, turn: number) => ScriptedTurn);

/** The in-memory twin of a model: plays a script and remembers what it was asked. */
export class ScriptedProvider implements ModelProvider {
  readonly vendor = 'scripted';
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const turn = this.requests.length;
    this.requests.push({ ...request, messages: [...request.messages] });
    const step = typeof this.#script === 'function' ? this.#script(request, turn) : this.#script[turn];
    if (!step) {
      yield {
        type: 'error',
        failure: { code: 'internal', message: `script has no turn ${turn}`, retryable: false },
      };
      return;
    }
    await step.before?.(request);
    let index = 0;
    for (const block of blocksOf(step, turn)) {
      for (const event of block(index++)) {
        if (request.signal.aborted) {
          yield { type: 'error', failure: { code: 'aborted', message: 'Interrupted.', retryable: false } };
          return;
        }
        yield event;
      }
    }
    yield lastEvent(step);
  }
}

type Block = (index: number) => Generator<ModelEvent>;

function blocksOf(step: ScriptedTurn, turn: number): Block[] {
  const blocks: Block[] = [];
  const { thinking, text } = step;
  if (thinking !== undefined) blocks.push((index) => thinkingBlock(index, thinking));
  if (text !== undefined) {
    const deltas = typeof text === 'string' ? [text] : text;
    blocks.push((index) => textBlock(index, deltas, step.failure === undefined || step.closesText === true));
  }
  for (const [position, call] of (step.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${turn}_${position}`;
    blocks.push((index) => callBlock(index, { ...call, id }, step.failure === undefined));
  }
  return blocks;
}

function* thinkingBlock(index: number, text: string): Generator<ModelEvent> {
  yield { type: 'thinking-start', index };
  yield { type: 'thinking-delta', index, text };
  yield { type: 'thinking-end', index, vendorData: { signature: 'signed' } };
}

function* textBlock(index: number, deltas: readonly string[], complete: boolean): Generator<ModelEvent> {
  yield { type: 'text-start', index };
  for (const text of deltas) yield { type: 'text-delta', index, text };
  if (complete) yield { type: 'text-end', index };
}

function* callBlock(
  index: number,
  call: ScriptedCall & { id: string },
  complete: boolean,
): Generator<ModelEvent> {
  const input = call.input ?? {};
  yield { type: 'tool-call-start', index, id: call.id, name: call.name };
  yield { type: 'tool-call-delta', index, json: JSON.stringify(input) };
  const invalid = call.invalid === undefined ? {} : { invalid: call.invalid };
  if (complete) yield { type: 'tool-call-end', index, input, ...invalid };
}

function lastEvent(step: ScriptedTurn): ModelEvent {
  if (step.failure) {
    const failure = { code: 'overloaded', message: 'overloaded', retryable: true, ...step.failure } as const;
    return { type: 'error', failure, ...(step.usage ? { usage: { ...noUsage, ...step.usage } } : {}) };
  }
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, ...step.usage };
  const stopReason = step.stopReason ?? (step.toolCalls?.length ? 'tool-calls' : 'end');
  return { type: 'end', stopReason, usage, ...(step.note === undefined ? {} : { note: step.note }) };
}
