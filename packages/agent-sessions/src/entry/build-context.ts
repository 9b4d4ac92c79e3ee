import type { Message } from '@robota-sdk/agent-core';
import { type ContextEdit, type EditState, editOf, folded, withoutDropped } from './context-edit.ts';
import type { CompactionEntry, Entry } from './entry.ts';
import { type Omission, omissions, withoutOmitted } from './omit.ts';
import { projectEntry } from './project-entry.ts';
import { type Pruning, pruned, prunings } from './prune.ts';
import { stableUuid } from './stable-uuid.ts';
import { summaryMessage } from './summary-message.ts';

/** The entries of a branch. Their content is read only if needed. */
export interface BranchEntries {
  /** From the root on. */
  readonly ids: readonly string[];
  typeOf(id: string): Entry['type'] | undefined;
  entry(id: string): Entry | undefined;
  /** The length of its line. */
  bytesOf(id: string): number;
}

/** More than any model can read or summarize. */
const mostBytes = 32 * 1024 * 1024;
/** The start moves in steps, so that a growing session keeps the same start for long. */
const stepBytes = 8 * 1024 * 1024;

interface Change {
  /** It applies to entries before this position on the branch. */
  readonly before: number;
  readonly pruning?: Pruning | undefined;
  readonly omission?: Omission | undefined;
  readonly edit?: ContextEdit | undefined;
}

/** How a visible message appears in the model's view. */
export interface ViewedMessage {
  /** As the model sees it when it is restored. */
  readonly original: Message;
  /** As it is now; equal to the original if unchanged. */
  readonly shown: Message;
  readonly state: EditState | 'pruned';
  /** When the user dropped it, Unix milliseconds. */
  readonly droppedAt?: number;
}

/** The messages of a branch for a model. */
export function buildContext(path: readonly Entry[]): Message[] {
  const byId = new Map(path.map((entry) => [entry.id, entry]));
  return contextOf({
    ids: path.map(({ id }) => id),
    typeOf: (id) => byId.get(id)?.type,
    entry: (id) => byId.get(id),
    bytesOf: () => 0,
  });
}

/**
 * The messages of a branch for a model. Starts at the root, so that each compaction and pruning applies to
 * exactly the view it was made for; reads only entries visible at the end.
 */
export function contextOf(branch: BranchEntries): Message[] {
  const viewed = viewedMessages(branch);
  const dropped = viewed.flatMap(({ original, droppedAt }) =>
    droppedAt === undefined ? [] : [[original.id, droppedAt] as const],
  );
  return [
    ...withoutDropped(
      viewed.map(({ shown }) => shown),
      new Map(dropped),
    ),
  ];
}

/** The visible messages of a branch, those that the user folded or dropped included. */
export function viewedMessages(branch: BranchEntries): ViewedMessage[] {
  const { seen: visible, changes } = visibleAtEnd(branch);
  const bytes = new Map(visible.map((place) => [place, branch.bytesOf(branch.ids[place] ?? '')]));
  const isReadable = (place: number) => (bytes.get(place) ?? 0) <= mostBytes;
  const seen = visible.filter(isReadable);
  const start = firstReadable(seen.map((place) => bytes.get(place) ?? 0));
  const messages = seen.slice(start).flatMap((place) => {
    const id = branch.ids[place];
    const entry = id === undefined ? undefined : branch.entry(id);
    const message = entry && messageOf(entry);
    return message ? new ChangedMessage(message, place, branch).after(changes) : [];
  });
  const tooLarge = visible.filter((place) => !isReadable(place));
  const gone = [...seen.slice(0, start), ...tooLarge];
  if (gone.length === 0) return messages;
  const note = leftOut(gone, branch, start === gone.length);
  return [{ original: note, shown: note, state: 'whole' }, ...messages];
}

function visibleAtEnd(branch: BranchEntries): { seen: readonly number[]; changes: readonly Change[] } {
  let seen: number[] = [];
  const changes: Change[] = [];
  for (const [place, id] of branch.ids.entries()) {
    const type = branch.typeOf(id);
    if (type === 'message' || type === 'shell' || type === 'branch_summary' || type === 'opaque')
      seen.push(place);
    if (type !== 'compaction' && type !== 'custom') continue;
    const entry = branch.entry(id);
    if (entry?.type === 'compaction') seen = compacted({ seen, entry, place }, branch.ids);
    if (entry?.type === 'custom')
      changes.push({
        before: place,
        pruning: prunings.read(entry),
        omission: omissions.read(entry),
        edit: editOf(entry),
      });
  }
  return { seen, changes: changes.filter(({ pruning, omission, edit }) => pruning ?? omission ?? edit) };
}

/** True for an entry that changes the model's view of earlier messages. */
export function changesView(entry: Entry): boolean {
  return (
    entry.type === 'compaction' ||
    (prunings.read(entry) ?? omissions.read(entry) ?? editOf(entry)) !== undefined
  );
}

interface CompactedRange {
  readonly seen: readonly number[];
  readonly entry: CompactionEntry;
  readonly place: number;
}

/** If the first kept entry is missing, only the summary remains of what was before. */
function compacted({ seen, entry, place }: CompactedRange, ids: readonly string[]): number[] {
  const firstKept = seen.findIndex((each) => ids[each] === entry.firstKeptEntryId);
  const keptFrom = firstKept < 0 ? seen.length : firstKept;
  const singles = new Set(entry.keptEntryIds);
  const isSingle = (each: number) => singles.has(ids[each] ?? '');
  return [place, ...seen.slice(0, keptFrom).filter(isSingle), ...seen.slice(keptFrom)];
}

/** The index from which the rest fits a model's limit. */
function firstReadable(lengths: readonly number[]): number {
  const excess = lengths.reduce((sum, bytes) => sum + bytes, 0) - mostBytes;
  if (excess <= 0) return 0;
  let left = Math.ceil(excess / stepBytes) * stepBytes;
  const start = lengths.findIndex((bytes) => {
    left -= bytes;
    return left < 0;
  });
  return Math.max(0, start);
}

function leftOut(places: readonly number[], { ids, entry }: BranchEntries, areFirst: boolean): Message {
  const id = ids[places[0] ?? 0] ?? '';
  const which = areFirst ? `The first ${places.length} messages` : `${places.length} of the messages`;
  const text = `${which} of this conversation are more than can be read at once and were left out. They are still in the session's file.`;
  // A line that is too large is not read for its time alone.
  const timestamp = areFirst ? Date.parse(entry(id)?.timestamp ?? '') || 0 : 0;
  const identity = { id: stableUuid(id, String(places.length)), timestamp };
  return summaryMessage(text, identity);
}

function messageOf(entry: Entry): Message | undefined {
  if (entry.type === 'message') return entry.message;
  if (entry.type !== 'compaction') return projectEntry(entry);
  const identity = entry.message ?? {
    id: stableUuid(entry.id, entry.timestamp),
    timestamp: Date.parse(entry.timestamp) || 0,
  };
  return summaryMessage(entry.summary, identity);
}

/** A message while the changes of a branch are applied to it, in their order. */
class ChangedMessage {
  readonly #place: number;
  readonly #branch: BranchEntries;
  #original: Message;
  #shown: Message;
  #state: ViewedMessage['state'] = 'whole';
  #droppedAt: number | undefined;
  /** The change since which it is not whole. */
  #hiddenSince = 0;

  constructor(message: Message, place: number, branch: BranchEntries) {
    this.#original = message;
    this.#shown = message;
    this.#place = place;
    this.#branch = branch;
  }

  after(changes: readonly Change[]): ViewedMessage {
    for (const change of changes) if (this.#place <= change.before) this.#apply(change);
    const dropped = this.#droppedAt === undefined ? {} : { droppedAt: this.#droppedAt };
    return { original: this.#original, shown: this.#shown, state: this.#state, ...dropped };
  }

  #apply({ before, pruning, omission, edit }: Change): void {
    const { id } = this.#original;
    if (pruning?.messageIds.includes(id)) {
      this.#hide(before, 'pruned');
      this.#shown = pruned(this.#shown, pruning);
    }
    if (omission?.messageIds.includes(id)) {
      this.#original = withoutOmitted(this.#original, omission.what);
      this.#shown = this.#state === 'whole' ? this.#original : withoutOmitted(this.#shown, omission.what);
    }
    const state = edit?.states.get(id);
    if (!edit || state === undefined) return;
    this.#droppedAt = state === 'dropped' ? edit.at : undefined;
    if (state === 'whole') return this.#restore(before, edit.at);
    this.#hide(before, state);
    this.#shown = folded(this.#original, edit.at);
  }

  #hide(since: number, state: 'pruned' | 'folded' | 'dropped'): void {
    if (this.#state === 'whole') this.#hiddenSince = since;
    if (state !== 'pruned' || this.#state === 'whole') this.#state = state;
  }

  /** Restores a message. Vendor counts made while it was hidden become invalid. */
  #restore(place: number, at: number): void {
    if (this.#state === 'whole') return;
    const { ids, typeOf } = this.#branch;
    const isCounted = ids.slice(this.#hiddenSince, place).some((id) => typeOf(id) === 'message');
    if (isCounted) this.#original = { ...this.#original, timestamp: at };
    this.#shown = this.#original;
    this.#state = 'whole';
  }
}
