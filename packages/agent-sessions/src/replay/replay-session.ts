import {
  AgentError,
  type AnyTool,
  HookRegistry,
  type Model,
  type ModelChoice,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  textOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import type { Conversation } from '../session/conversation.ts';
import {
  type Cassette,
  type RecordedCall,
  type RecordedEnd,
  type RecordedExchange,
  replayedPoints,
} from './cassette.ts';
import { describeDivergence } from './describe-divergence.ts';
import { type PrintMaking, placeNames, printOf, type RequestPrint } from './request-print.ts';
import type { SessionTap } from './session-tap.ts';

/** A session that lives from a recording: no network, no processes, no files. */
export interface Replay extends SessionTap {
  readonly sealed: NonNullable<SessionTap['sealed']>;
  /** The recorded prompts, in order. */
  readonly prompts: readonly string[];
  /** The files that a prompt mentioned at that time, and its goal. */
  attachmentsOf(prompt: string): readonly UserContent[];
  /** Number of exchanges of the recording not used yet. */
  readonly remaining: number;
}

/** Replays a recording, and fails if the session requests something else. */
export function replaySession(cassette: Cassette, place: ReplayContext): Replay {
  return new ReplayedSession(cassette, place);
}

interface ReplayContext {
  readonly cwd: string;
  readonly home: string;
  /** Removes from a text what the recording lacks too. */
  redact(text: string): string;
}

interface Exchange extends RecordedExchange {
  /** All messages of the request. */
  readonly whole: readonly string[];
  used: boolean;
}

class ReplayedSession implements Replay {
  readonly sealed: Replay['sealed'];
  readonly prompts: readonly string[];
  readonly #exchanges: readonly Exchange[];
  /** By id, in order: some vendors use an id again. */
  readonly #calls: ReadonlyMap<string, RecordedCall[]>;
  readonly #ends: readonly RunEnd[];
  readonly #attachments: ReadonlyMap<string, readonly UserContent[]>;
  readonly #making: PrintMaking;
  #failure: ModelFailure | undefined;
  #session: Conversation | undefined;
  #hasWarned = false;

  constructor({ header, lines }: Cassette, place: ReplayContext) {
    this.#making = { places: placeNames(header, place), redact: place.redact };
    this.#exchanges = wholeExchanges(lines.filter((line) => line.type === 'model'));
    this.#calls = callsById(lines);
    this.#ends = endsIn(lines);
    this.prompts = lines.flatMap((line) => (line.type === 'prompt' ? line.text : []));
    this.#attachments = attachmentsIn(lines);
    const [first, ...others] = header.models;
    const hooks = new HookRegistry();
    for (const point of replayedPoints) {
      const results = lines.flatMap((line) =>
        line.type === 'hook' && line.point === point ? line.result : [],
      );
      if (results.length > 0) hooks.add(point, () => results.shift(), 'the recording');
    }
    this.sealed = { models: [this.#choiceOf(first), ...others.map((model) => this.#choiceOf(model))], hooks };
  }

  attachmentsOf(prompt: string): readonly UserContent[] {
    return this.#attachments.get(prompt) ?? [];
  }

  get remaining(): number {
    return this.#exchanges.filter(({ used, byAgent }) => !used && !byAgent).length;
  }

  choice(choice: ModelChoice): ModelChoice {
    return { ...choice, ...this.#choiceOf(choice.model) };
  }

  tool(tool: AnyTool): AnyTool {
    // The recorded result contains the resolved call.
    const { resolve: _, ...plain } = tool;
    return {
      ...plain,
      access: () => [],
      execute: async (input, context) => {
        const recorded = this.#calls.get(context.callId)?.shift();
        if (!recorded) throw new AgentError('replay', `The recording has no result of ${tool.name}.`);
        if (stateOnly.has(tool.name)) await tool.execute(input, context);
        return recorded.output;
      },
    };
  }

  /** Recorded denials are denied again; everything else may run, because nothing is executed. */
  authorize: SessionTap['authorize'] =
    () =>
    async ({ call }) => {
      const recorded = this.#calls.get(call.id)?.[0];
      if (recorded?.status !== 'denied') return { allowed: true };
      this.#calls.get(call.id)?.shift();
      const reason = textOf(recorded.output.content).replace(/^Permission denied: /, '');
      return { allowed: false, reason, ...(recorded.wouldAllow ? { wouldAllow: recorded.wouldAllow } : {}) };
    };

  attach(session: Conversation): void {
    this.#session = session;
  }

  watch(): void {}

  prompted(): void {}

  #choiceOf(model: Model): ModelChoice {
    const stream = (request: ModelRequest) => this.#answer(request);
    return { model, provider: { vendor: model.vendor, stream } };
  }

  async *#answer(request: ModelRequest): AsyncGenerator<readonly ModelEvent[]> {
    const print = printOf(request, this.#making);
    const found = this.#failure ? undefined : this.#find(print);
    if (found) {
      found.used = true;
      this.#warnOfChanges(found, print);
      yield isEnded(found) ? found.events : [...found.events, { type: 'error', failure: interrupted }];
      return;
    }
    this.#failure ??= this.#recordedEnd();
    this.#failure ??= this.#diverged(print);
    yield [{ type: 'error', failure: this.#failure }];
  }

  /** Exchanges of parallel agents may come in another order. */
  #find({ model, messages }: RequestPrint): Exchange | undefined {
    return this.#exchanges.find(
      (exchange) => !exchange.used && exchange.model === model && isSame(exchange.whole, messages),
    );
  }

  /** Ends the run in the same way if the recorded one was interrupted or reached a limit. */
  #recordedEnd(): ModelFailure | undefined {
    const used = this.#exchanges.filter((exchange) => exchange.used && !exchange.byAgent).length;
    const end = this.#ends.find(({ exchanges }) => exchanges === used);
    if (end?.status === 'aborted') return interrupted;
    if (end?.status !== 'limit' || !end.error) return undefined;
    return { code: end.error.code, message: end.error.message, retryable: false };
  }

  #diverged(print: RequestPrint): ModelFailure {
    const index = this.#exchanges.findIndex(({ used }) => !used);
    const expected = this.#exchanges[index];
    const message = describeDivergence(print, expected && { ...expected, messages: expected.whole, index });
    return { code: 'replay', message, retryable: false };
  }

  #warnOfChanges(recorded: Exchange, print: RequestPrint): void {
    if (this.#hasWarned) return;
    const system = recorded.system === print.system ? [] : ['the system prompt'];
    const changed = print.tools.filter((tool) => !recorded.tools.includes(tool));
    const tools = changed.map((tool) => `the tool ${tool.split(' ')[0]}`);
    if (system.length + tools.length === 0) return;
    this.#hasWarned = true;
    const text = `Since the recording was made, ${[...system, ...tools].join(', ')} changed. Its answers may no longer be what a model would say.`;
    this.#session?.notify({ level: 'warning', text });
  }
}

/** Tools that only change the session's state, and must run in a replay too. */
const stateOnly: ReadonlySet<string> = new Set(['TodoWrite']);

const interrupted: ModelFailure = {
  code: 'aborted',
  message: 'Interrupted, as it was recorded.',
  retryable: false,
};

function isEnded({ events }: RecordedExchange): boolean {
  const last = events.at(-1);
  return last?.type === 'end' || last?.type === 'error';
}

function callsById(lines: Cassette['lines']): ReadonlyMap<string, RecordedCall[]> {
  const calls = new Map<string, RecordedCall[]>();
  for (const line of lines)
    if (line.type === 'tool') calls.set(line.id, [...(calls.get(line.id) ?? []), line]);
  return calls;
}

/** How a run ended, and how many exchanges of the session there were by then. */
interface RunEnd extends RecordedEnd {
  readonly exchanges: number;
}

function endsIn(lines: Cassette['lines']): readonly RunEnd[] {
  const ends: RunEnd[] = [];
  let exchanges = 0;
  for (const line of lines) {
    if (line.type === 'model' && !line.byAgent) exchanges++;
    if (line.type === 'end') ends.push({ ...line, exchanges });
  }
  return ends;
}

function wholeExchanges(recorded: readonly RecordedExchange[]): readonly Exchange[] {
  let before: readonly string[] = [];
  return recorded.map((exchange) => {
    const whole = [...before.slice(0, exchange.shared), ...exchange.messages];
    before = whole;
    return { ...exchange, whole, used: false };
  });
}

function attachmentsIn(lines: Cassette['lines']): ReadonlyMap<string, readonly UserContent[]> {
  const found = new Map<string, readonly UserContent[]>();
  let prompt = '';
  for (const line of lines) {
    if (line.type === 'prompt') prompt = line.text;
    if (line.type === 'attachments') found.set(prompt, line.content);
  }
  return found;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
