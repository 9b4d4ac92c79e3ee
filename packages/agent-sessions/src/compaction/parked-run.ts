import {
  type AgentEvent,
  type AgentRun,
  anyObject,
  given,
  guard,
  type JsonValue,
  type LimitWait,
  type ModelChoice,
  number,
  numberWithin,
  object,
  text,
} from '@robota-sdk/agent-core';
import { customData } from '../entry/custom-data.ts';
import type { Entry, EntryDraft } from '../entry/entry.ts';
import type { SessionHandle } from '../store/session-handle.ts';

/** The entries of waits for a limit; without `until` the wait is over. */
const parkings = customData('robota.parked', () =>
  object({}, { call: text, until: number, model: anyObject, failure: anyObject }),
);
const isWait = guard<LimitWait>(() => {
  const [model, failure] = [object({ vendor: text, id: text }), object({ code: text, message: text })];
  return object({ until: numberWithin({ minimum: 0, maximum: lastTime }), model, failure });
});
/** The last time that a date can hold. */
const lastTime = 8.64e15;

/** A wait for a limit in the file of a session. */
export interface ParkedWait extends LimitWait {
  /** The calls whose agents wait; absent where the run itself does. */
  readonly calls?: readonly string[];
}

/** Stores a run that waits for a vendor's limit in the session's file, so that another process can resume it. */
export class ParkedRun {
  readonly #append: (draft: EntryDraft) => Promise<void>;
  readonly #isParentLeaving: () => boolean;
  /** Calls whose agents wait. */
  readonly #calls = new Set<string>();
  /** True if the file records the wait. */
  #isKept = false;
  /** An interrupted wait stays in the file: the program ends, and the user did not stop it. */
  keepsInterrupted = false;

  constructor(append: (draft: EntryDraft) => Promise<void>, isParentLeaving: () => boolean) {
    this.#append = append;
    this.#isParentLeaving = isParentLeaving;
  }

  /** True while the program ends, so that waits stay as they are. */
  get isLeaving(): boolean {
    return this.keepsInterrupted || this.#isParentLeaving();
  }

  /** Stores that the agent of a call waits, or without a wait, that it no longer does. */
  keepCall(call: string, wait: LimitWait | undefined): Promise<void> {
    if (wait) this.#calls.add(call);
    else this.#calls.delete(call);
    const { model, failure, until } = wait ?? {};
    return this.#keep({
      call,
      ...(until === undefined ? {} : { until, model: { ...model }, failure: { ...failure } }),
    });
  }

  /** True if a call has to stay without a result, so that its agent can resume. */
  isWaiting(call: string): boolean {
    return this.isLeaving && this.#calls.has(call);
  }

  /** Follows a run; returns a promise if something must be written first. */
  take(event: AgentEvent): Promise<void> | undefined {
    if (event.type === 'limit-wait') {
      this.#isKept = true;
      const { model, failure, until } = event;
      return this.#keep({ until, model: { ...model }, failure: { ...failure } });
    }
    if (event.type === 'message-append') this.#isKept = false;
    if (event.type !== 'run-end' || !this.#isKept) return undefined;
    this.#isKept = false;
    return event.outcome.status === 'aborted' && this.isLeaving ? undefined : this.#keep({});
  }

  #keep(data: JsonValue): Promise<void> {
    return this.#append(parkings.draft(data));
  }
}

/** The wait at the end of the active branch. A wait for a model that is no longer used ends immediately. */
export function parkedOn(handle: SessionHandle, models: readonly ModelChoice[]): ParkedWait | undefined {
  const settled = new Set<string>();
  const waits: (LimitWait & { readonly call: string })[] = [];
  for (const entry of handle.backwards('message', 'compaction', 'branch_summary', 'custom')) {
    if (entry.type === 'message' && entry.message.role === 'tool') settled.add(entry.message.toolCallId);
    else if (entry.type !== 'custom') break;
    const parked = parkedIn(entry);
    if (!parked) continue;
    const { wait, call } = parked;
    if (call === undefined) return settled.size === 0 ? wait && ofModels(wait, models) : undefined;
    if (wait && !settled.has(call)) waits.push({ ...wait, call });
    settled.add(call);
  }
  const [last] = waits;
  return last && { ...last, calls: waits.map(({ call }) => call) };
}

/** The wait in an entry, and the call whose agent waits; undefined for other entries. */
export function parkedIn(entry: Entry): { readonly wait?: LimitWait; readonly call?: string } | undefined {
  const kept = parkings.read(entry);
  return kept && { ...(isWait(kept) ? { wait: kept } : {}), ...given('call', kept.call) };
}

/** A run that starts with the rest of a wait; agents of calls have their own waits. */
export function resumedRun(run: AgentRun, parked: ParkedWait): AgentRun {
  return parked.calls ? { ...run, resolvePending: async () => 'run' } : { ...run, parked };
}

function ofModels(wait: LimitWait, models: readonly ModelChoice[]): LimitWait {
  const isUsed = models.some(({ model }) => model.id === wait.model.id && model.vendor === wait.model.vendor);
  return isUsed ? wait : { ...wait, until: 0 };
}
