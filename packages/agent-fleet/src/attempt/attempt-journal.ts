import {
  type FileIntent,
  type JsonObject,
  lazy,
  nullable,
  object,
  text,
  variants,
} from '@robota-sdk/agent-core';
import type { Entry, SessionHandle } from '@robota-sdk/agent-sdk/front-end';

const customType = 'robota.attempt';

/** A call that was about to run, with the change it was to make to a file. */
export interface StartedCall {
  readonly intent?: FileIntent;
}

/**
 * Facts about the work of an attempt, as custom entries of its session, so that they are durable in the same order as the
 * conversation. Other programs skip them.
 */
export class AttemptJournal {
  readonly #handle: SessionHandle;
  readonly #started = new Map<string, StartedCall>();
  readonly #used = new Map<string, string>();
  #tree: string | undefined;
  /** True if the last answer was made by a process that notes every call before it runs. */
  readonly isComplete: boolean;

  constructor(handle: SessionHandle) {
    this.#handle = handle;
    for (const entry of handle.notes()) this.#read(entry);
    this.isComplete = notesCalls(handle);
  }

  /** The last snapshot. */
  get tree(): string | undefined {
    return this.#tree;
  }

  /** The note of a call that was about to run; undefined if there is none. */
  started(call: string): StartedCall | undefined {
    return this.#started.get(call);
  }

  /** The call that an answer was used for. */
  usedBy(hash: string): string | undefined {
    return this.#used.get(hash);
  }

  /** Notes that a process begins to work, and for which repository; its calls are noted from here on. */
  async begin(epoch: number, repo?: string): Promise<void> {
    await this.#append({ kind: 'round', epoch, ...(repo === undefined ? {} : { repo }) });
  }

  async start(call: string, intent: FileIntent | undefined): Promise<void> {
    this.#started.set(call, intent ? { intent } : {});
    await this.#append({ kind: 'start', call, ...(intent ? { intent: { ...intent } } : {}) });
  }

  async use(hash: string, call: string): Promise<void> {
    this.#used.set(hash, call);
    await this.#append({ kind: 'answer', hash, call });
  }

  async snapshot(tree: string): Promise<void> {
    this.#tree = tree;
    await this.#append({ kind: 'snapshot', tree });
  }

  async #append(data: JsonObject): Promise<void> {
    await this.#handle.append({ type: 'custom', customType, data }, { durable: true });
  }

  #read(entry: Entry): void {
    const note = noteOf(entry);
    if (note?.kind === 'start') this.#started.set(note.call, note.intent ? { intent: note.intent } : {});
    if (note?.kind === 'answer') this.#used.set(note.hash, note.call);
    if (note?.kind === 'snapshot') this.#tree = note.tree;
  }
}

function noteOf(entry: Entry) {
  if (entry.type !== 'custom' || entry.customType !== customType) return undefined;
  return noteShape.parse(entry.data);
}

const noteShape = lazy(() =>
  variants('kind', {
    round: [{}],
    start: [{ call: text }, { intent: object({ path: text, before: nullable(text), after: text }) }],
    answer: [{ call: text, hash: text }],
    snapshot: [{ tree: text }],
  }),
);

/**
 * True if the prompt before the last answer follows the note of a process of ours. A user may have continued the session
 * with another program in between, which notes nothing: a call of it may have run without a note.
 */
function notesCalls(handle: SessionHandle): boolean {
  let isPromptSeen = false;
  for (const entry of handle.backwards('message', 'custom')) {
    if (noteOf(entry)?.kind === 'round' && isPromptSeen) return true;
    if (entry.type !== 'message' || entry.message.role === 'tool') continue;
    if (isPromptSeen) return false;
    isPromptSeen = entry.message.role === 'user' && entry.message.origin === undefined;
  }
  return false;
}
