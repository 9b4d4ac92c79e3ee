import {
  type AgentEvent,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LimitWait,
  type ModelChoice,
} from '@robota-sdk/agent-core';
import type { EntryDraft } from '../entry/entry.ts';
import type { SessionHandle } from '../store/session-handle.ts';

/** The custom entry of a wait for a limit; without `until` the wait is over. */
const parkedType = 'robota.parked';

/** Keeps a run that waits for a vendor's limit in the session's file, so that another process can resume it. */
export class ParkedRun {
  readonly #append: (draft: EntryDraft) => Promise<void>;
  /** The file says that the run waits. */
  #isKept = false;
  /** An interrupted wait stays in the file: the program ends, and the user did not stop it. */
  keepsInterrupted = false;

  constructor(append: (draft: EntryDraft) => Promise<void>) {
    this.#append = append;
  }

  /** Follows a run; returns a promise where something has to be on the disk first. */
  take(event: AgentEvent): Promise<void> | undefined {
    if (event.type === 'limit-wait') {
      this.#isKept = true;
      const { model, failure, until } = event;
      return this.#keep({ until, model: { ...model }, failure: { ...failure } });
    }
    if (event.type === 'message-append') this.#isKept = false;
    if (event.type !== 'run-end' || !this.#isKept) return undefined;
    this.#isKept = false;
    return event.outcome.status === 'aborted' && this.keepsInterrupted ? undefined : this.#keep({});
  }

  #keep(data: JsonValue): Promise<void> {
    return this.#append({ type: 'custom', customType: parkedType, data });
  }
}

/** The wait at the end of the active branch. One for a model that is no longer used is over at once. */
export function parkedOn(handle: SessionHandle, models: readonly ModelChoice[]): LimitWait | undefined {
  for (const entry of handle.backwards('message', 'compaction', 'branch_summary', 'custom')) {
    if (entry.type !== 'custom') return undefined;
    if (entry.customType !== parkedType) continue;
    const wait: LimitWait | undefined = isWait(entry.data) ? entry.data : undefined;
    const isUsed = models.some(
      ({ model }) => model.id === wait?.model.id && model.vendor === wait.model.vendor,
    );
    return wait && (isUsed ? wait : { ...wait, until: 0 });
  }
  return undefined;
}

function isWait(data: JsonValue | undefined): data is JsonObject & LimitWait {
  return (
    isJsonObject(data) &&
    typeof data.until === 'number' &&
    isJsonObject(data.model) &&
    isJsonObject(data.failure)
  );
}
