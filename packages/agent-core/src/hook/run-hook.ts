import { errorMessage } from '../problem/agent-error.ts';
import { orAborted } from '../process/or-aborted.ts';
import { assertHook, hookResultProblem } from './check-hook.ts';
import type { Hook, HookInput, HookPoint, HookResult } from './hook-map.ts';

interface HookEntry<P extends HookPoint> {
  readonly hook: Hook<P>;
  readonly source: string;
}

type HookEntries = { readonly [P in HookPoint]: HookEntry<P>[] };

/**
 * Defines how results of several hooks are merged, and what a throwing or invalid hook means. `stop` ends the chain
 * once a result decides; `feed` passes a result's changes to the next hook.
 */
type PointRule<P extends HookPoint> = {
  readonly stop?: (result: HookResult<P>) => boolean;
  readonly feed?: (input: HookInput<P>, result: HookResult<P>) => HookInput<P>;
  readonly onThrow: (message: string, source: string) => HookResult<P> | undefined;
};

const ignore = () => undefined;

const rules: { readonly [P in HookPoint]: PointRule<P> } = {
  'session-start': { onThrow: ignore },
  input: {
    stop: (result) => result.block !== undefined,
    feed: (input, result) => ({ text: result.text ?? input.text }),
    onThrow: ignore,
  },
  'request-before': {
    feed: (input, result) => ({ messages: result.messages ?? input.messages }),
    onThrow: ignore,
  },
  'tool-before': {
    stop: (result) => result.stop !== undefined || result.block !== undefined || result.verdict === 'deny',
    feed: (input, result) =>
      result.input === undefined ? input : { ...input, call: { ...input.call, input: result.input } },
    // A failed guard has not approved anything.
    onThrow: (message, source) => ({ verdict: 'ask', reason: `the hook ${source} failed: ${message}` }),
  },
  'permission-ask': { stop: (result) => result.verdict === 'deny', onThrow: ignore },
  'tool-after': {
    stop: (result) => result.stop !== undefined,
    feed: (input, result) => (result.output ? { ...input, output: result.output } : input),
    onThrow: ignore,
  },
  'run-stop': { stop: (result) => result.continueWith !== undefined, onThrow: ignore },
  'compact-before': { stop: (result) => result.block !== undefined, onThrow: ignore },
  'compact-after': { onThrow: ignore },
  notification: { onThrow: ignore },
  'subagent-start': { onThrow: ignore },
  'subagent-stop': { stop: (result) => result.continueWith !== undefined, onThrow: ignore },
  'run-end': { onThrow: ignore },
  'session-end': { onThrow: ignore },
};

const verdictOrder = ['allow', 'ask', 'deny'];

/** All hooks of a session, run by one function. */
export class HookRegistry {
  /** By point, each in the order they were added. */
  readonly #entries = noEntries();
  /** Receives failures of hooks at points that continue. */
  onFailure: (source: string, message: string) => void = () => {};

  /** The start hooks that run: those of every other point wait for them. */
  opening: Promise<void> | undefined;

  /** Called with the merged result of a point's hooks, if there is one. */
  onResult: (point: HookPoint, result: object) => void = () => {};

  add<P extends HookPoint>(point: P, hook: Hook<P>, source: string): () => void {
    assertHook(point, hook);
    const entry: HookEntry<P> = { hook, source };
    const entries = this.#at(point);
    entries.push(entry);
    return () => {
      const index = entries.indexOf(entry);
      if (index >= 0) entries.splice(index, 1);
    };
  }

  /** The current hooks at the given points, for a subagent's session. */
  only(points: readonly HookPoint[]): HookRegistry {
    const some = new HookRegistry();
    some.onFailure = (source, message) => this.onFailure(source, message);
    for (const point of points) some.#take(point, this);
    return some;
  }

  has(point: HookPoint): boolean {
    return this.#at(point).length > 0;
  }

  /** Runs the hooks of a point in the order they were added and merges their results. */
  async run<P extends HookPoint>(point: P, input: HookInput<P>, signal: AbortSignal): Promise<HookResult<P>> {
    if (point !== 'session-start' && this.opening !== undefined) await orAborted(this.opening, signal);
    const rule = rules[point];
    let current = input;
    let merged: HookResult<P> = {};
    for (const entry of [...this.#at(point)]) {
      signal.throwIfAborted();
      const result = await this.#call(entry, current, { point, signal });
      if (!result) continue;
      merged = merge(merged, result);
      if (rule.stop?.(result)) break;
      if (rule.feed) current = rule.feed(current, result);
    }
    this.onResult(point, merged);
    return merged;
  }

  async #call<P extends HookPoint>(
    { hook, source }: HookEntry<P>,
    input: HookInput<P>,
    { point, signal }: { point: P; signal: AbortSignal },
  ): Promise<HookResult<P> | undefined> {
    try {
      const result = await orAborted(hook(input, signal), signal);
      const problem = hookResultProblem(point, result);
      if (problem !== undefined) throw new Error(problem);
      return result;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      this.onFailure(source, errorMessage(thrown));
      return rules[point].onThrow(errorMessage(thrown), source);
    }
  }

  #take<P extends HookPoint>(point: P, from: HookRegistry): void {
    this.#at(point).push(...from.#at(point));
  }

  #at<P extends HookPoint>(point: P): HookEntry<P>[] {
    return this.#entries[point];
  }
}

function noEntries(): HookEntries {
  return {
    'session-start': [],
    input: [],
    'request-before': [],
    'tool-before': [],
    'permission-ask': [],
    'tool-after': [],
    'run-stop': [],
    'compact-before': [],
    'compact-after': [],
    notification: [],
    'subagent-start': [],
    'subagent-stop': [],
    'run-end': [],
    'session-end': [],
  };
}

/** Later fields win, except that contexts are joined and the stricter verdict wins. */
function merge<R extends object>(first: R, second: R): R {
  const a: Record<string, unknown> = Object.fromEntries(Object.entries(first));
  const b: Record<string, unknown> = Object.fromEntries(Object.entries(second));
  const merged = { ...a, ...b };
  if (a.context && b.context) merged.context = `${a.context}\n\n${b.context}`;
  if (a.verdict && b.verdict) {
    const firstIsStricter = verdictOrder.indexOf(String(a.verdict)) > verdictOrder.indexOf(String(b.verdict));
    merged.verdict = firstIsStricter ? a.verdict : b.verdict;
    merged.reason = firstIsStricter ? a.reason : b.reason;
  }
  return merged as R;
}
