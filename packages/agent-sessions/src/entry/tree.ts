import { IdNumbers } from '../columns/id-numbers.ts';
import { NumberColumn } from '../columns/number-column.ts';
import type { Entry, Fact } from './entry.ts';
import { isCountedMessage } from './is-counted-message.ts';
import { projectEntry } from './project-entry.ts';
import { requestOf } from './request-of.ts';
import { addTotals, entryTotals, noTotals, type SessionTotals, totalsOf } from './session-totals.ts';

/** Problems in a session's lines, by kind. */
export type TreeProblem = 'duplicate-id' | 'missing-parent' | 'cycle' | 'lost-line';

/** The line of an entry in a file. */
export interface LinePosition {
  readonly offset: number;
  readonly bytes: number;
}

/** Reads entries again from their position; undefined if they are missing. */
export type EntryReader = (place: LinePosition) => Entry | undefined;

/** How an entry is added to the tree. */
export interface Addition {
  /** The length of its line. */
  readonly bytes?: number;
  /** The offset to read it from; without it, the tree keeps the entry in memory. */
  readonly offset?: number;
}

/** Bytes of written entries kept in memory: the latest turns, which are used most. */
const mostPlacedBytes = 256 * 1024;
const releasedAtOnce = 1000;
const none = -1;
/** The parent's line comes later, or never. */
const stranger = -2;
/** A fact in the column of types, and the bit of an entry with a prompt of the user. */
const factCode = 0;
const promptBit = 0x80;
/** Offsets from here on do not fit their column. */
const farOffset = 2 ** 32;

/**
 * The tree of entries, with facts and the leaf of the active branch. Adding takes constant time. For an entry in a file
 * only the position is kept, in columns of numbers; its content is read on demand.
 */
export class EntryTree {
  readonly #read: EntryReader;
  readonly #ids = new IdNumbers();
  /** The types by code. Facts have none: they are skipped. */
  readonly #types: (Entry['type'] | undefined)[] = [undefined];
  readonly #codes = new NumberColumn((length) => new Uint8Array(length));
  /** Those that are not the node before. */
  readonly #parents = new Map<number, number>();
  readonly #strangers = new Map<number, string>();
  /**
   * The entry on the line before, which a node falls back to when its parent's line was lost; without one here it is the node
   * before.
   */
  readonly #previous = new Map<number, number>();
  readonly #offsets = new NumberColumn((length) => new Uint32Array(length));
  readonly #farOffsets = new Map<number, number>();
  readonly #bytes = new NumberColumn((length) => new Uint32Array(length));
  readonly #held = new Map<number, Entry>();
  #readPlaced: EntryReader = () => undefined;
  /** Entries in memory with a known position in the file, oldest first, and how many of them were released. */
  readonly #placed: number[] = [];
  #released = 0;
  #placedBytes = 0;
  #firstPlaced = Number.POSITIVE_INFINITY;
  readonly #labels = new Map<string, string>();
  readonly #problems = new Map<TreeProblem, Set<string>>();
  /** Created when a message is first looked up by another id than its entry's. */
  #entryIdByMessage: Map<string, string> | undefined;
  #totals = noTotals;
  #messageCount = 0;
  #last = none;
  #leafId: string | null = null;
  #name: string | undefined;

  constructor(read: EntryReader = () => undefined) {
    this.#read = read;
  }

  /** Sets the reader of entries added from now on. */
  readPlacedBy(read: EntryReader): void {
    this.#readPlaced = read;
  }

  /** Records the position of an entry's line. Beyond a limit, the oldest such entries are released from memory. */
  place(id: string, offset: number): void {
    const number = this.#ids.get(id);
    if (number === undefined || !this.#held.has(number)) return;
    this.#firstPlaced = Math.min(this.#firstPlaced, offset);
    this.#setOffset(number, offset);
    this.#placed.push(number);
    this.#placedBytes += this.#bytes.at(number) ?? 0;
    while (this.#placedBytes > mostPlacedBytes) {
      const oldest = this.#placed[this.#released];
      if (oldest === undefined) break;
      this.#released += 1;
      this.#placedBytes -= this.#bytes.at(oldest) ?? 0;
      this.#held.delete(oldest);
    }
    if (this.#released < releasedAtOnce) return;
    this.#placed.splice(0, this.#released);
    this.#released = 0;
  }

  get leafId(): string | null {
    return this.#leafId;
  }

  get name(): string | undefined {
    return this.#name;
  }

  get labels(): ReadonlyMap<string, string> {
    return this.#labels;
  }

  /** The entries with prompts of the user, on all branches, in file order. */
  get promptIds(): Iterable<string> {
    return this.#idsWhere((code) => (code & promptBit) !== 0);
  }

  /** Total cost of all entries. */
  get totals(): SessionTotals {
    return this.#problems.has('duplicate-id') ? totalsOf(this.entries()) : this.#totals;
  }

  /** Number of messages by the user and by models, on all branches, including summarized ones. */
  get messageCount(): number {
    return this.#messageCount;
  }

  /** Number of nodes with each problem, in the branches walked so far. */
  problems(): ReadonlyMap<TreeProblem, number> {
    return new Map([...this.#problems].map(([problem, ids]) => [problem, ids.size]));
  }

  /** Adds an entry, which becomes the leaf. A later entry replaces an earlier one with the same id. */
  addEntry(entry: Entry, { bytes = 0, offset }: Addition = {}): void {
    const known = this.#ids.get(entry.id);
    if (known !== undefined) this.#note('duplicate-id', entry.id);
    const number = known ?? this.#newNode(entry.id);
    this.#codes.set(number, this.#codeOf(entry.type) | (requestOf(entry) ? promptBit : 0));
    this.#setParent(number, entry.parentId);
    this.#setOffset(number, offset ?? 0);
    this.#bytes.set(number, bytes);
    if (offset === undefined) this.#held.set(number, entry);
    else this.#held.delete(number);
    const spent = entryTotals(entry);
    if (spent !== noTotals) this.#totals = addTotals(this.#totals, spent);
    if (entry.type === 'message' && isCountedMessage(entry.message)) this.#messageCount += 1;
    if (this.#entryIdByMessage) noteMessage(this.#entryIdByMessage, entry);
    this.#last = number;
    this.#leafId = entry.id;
  }

  addFact(fact: Fact): void {
    if (!this.has(fact.id)) this.#setParent(this.#newNode(fact.id), fact.parentId);
    if (fact.type === 'session_info') this.#name = fact.name === '' ? undefined : fact.name;
    else if (fact.type === 'leaf') this.#leafId = fact.targetId;
    else if (fact.label === '') this.#labels.delete(fact.targetId);
    else this.#labels.set(fact.targetId, fact.label);
  }

  has(id: string): boolean {
    return this.#ids.get(id) !== undefined;
  }

  /** How many nodes there are, entries and facts. */
  get size(): number {
    return this.#ids.size;
  }

  /** The id of a node by its number in the order of the file, from 0. */
  idAt(number: number): string | undefined {
    return this.#ids.idAt(number);
  }

  numberOf(id: string): number | undefined {
    return this.#ids.get(id);
  }

  /** The type of an entry; undefined if missing. */
  typeOf(id: string): Entry['type'] | undefined {
    const number = this.#ids.get(id);
    return number === undefined ? undefined : this.#typeAt(number);
  }

  /** How long the line of an entry is. */
  bytesOf(id: string): number {
    return this.#bytes.at(this.#ids.get(id) ?? none) ?? 0;
  }

  entry(id: string): Entry | undefined {
    const number = this.#ids.get(id);
    if (number === undefined || !this.#isEntry(number)) return undefined;
    const held = this.#held.get(number);
    if (held) return held;
    const offset = this.#farOffsets.get(number) ?? this.#offsets.at(number) ?? 0;
    const read = offset >= this.#firstPlaced ? this.#readPlaced : this.#read;
    const entry = read({ offset, bytes: this.#bytes.at(number) ?? 0 });
    if (entry?.id === id) return entry;
    this.#note('lost-line', id);
    return undefined;
  }

  /** The ids of all entries in the order of the file, all branches. */
  ids(): Generator<string> {
    return this.#idsWhere((code) => code !== factCode);
  }

  /** Every entry in the order of the file, all branches, each read when it is its turn. */
  *entries(): Generator<Entry> {
    for (const id of this.ids()) {
      const entry = this.entry(id);
      if (entry) yield entry;
    }
  }

  /** The entry of a message. */
  entryIdOf(messageId: string): string | undefined {
    const named = messageId.slice(0, 8);
    const type = this.typeOf(named);
    const entry = type === 'message' || type === 'shell' ? this.entry(named) : undefined;
    if ((entry?.type === 'message' || entry?.type === 'shell') && entry.message?.id === messageId)
      return named;
    this.#entryIdByMessage ??= messageIdsOf(this.entries());
    return this.#entryIdByMessage.get(messageId);
  }

  /** The branch from its root to an entry. Default: the leaf. Stops at damage. */
  path(toId: string | null = this.#leafId): Entry[] {
    return this.pathIds(toId).flatMap((id) => this.entry(id) ?? []);
  }

  /** Like `path`, without reading the entries. */
  pathIds(toId: string | null = this.#leafId): string[] {
    return [...this.idsBackwards(toId)].reverse();
  }

  /** The active branch after one of its entries; undefined if the entry is not on it. */
  idsBehind(id: string): string[] | undefined {
    const behind: string[] = [];
    for (const each of this.idsBackwards()) {
      if (each === id) return behind.reverse();
      behind.push(each);
    }
    return undefined;
  }

  /** Like `pathIds`, from the entry to its root, optionally of some types; reads only what is consumed. */
  *idsBackwards(fromId = this.#leafId, types: readonly Entry['type'][] = []): Generator<string> {
    const seen = new Set<number>();
    let number = fromId === null ? none : (this.#ids.get(fromId) ?? none);
    while (number !== none) {
      if (seen.has(number)) return this.#note('cycle', this.#ids.idAt(number) ?? '');
      seen.add(number);
      const type = this.#typeAt(number);
      const isWanted = type !== undefined && (types.length === 0 || types.includes(type));
      if (isWanted) yield this.#ids.idAt(number) ?? '';
      number = this.#parentOf(number);
    }
  }

  /** The entry before one in its branch; null at a root. */
  parentIdOf(id: string): string | null {
    for (const each of this.idsBackwards(id)) if (each !== id) return each;
    return null;
  }

  #newNode(id: string): number {
    const number = this.#ids.add(id);
    this.#codes.push(factCode);
    if (this.#last !== number - 1) this.#previous.set(number, this.#last);
    this.#offsets.push(0);
    this.#bytes.push(0);
    return number;
  }

  *#idsWhere(isWanted: (code: number) => boolean): Generator<string> {
    for (let number = 0; number < this.size; number++)
      if (isWanted(this.#codes.at(number) ?? factCode)) yield this.#ids.idAt(number) ?? '';
  }

  #isEntry(number: number): boolean {
    return this.#codes.at(number) !== factCode;
  }

  #typeAt(number: number): Entry['type'] | undefined {
    return this.#types[(this.#codes.at(number) ?? factCode) & ~promptBit];
  }

  #codeOf(type: Entry['type']): number {
    const code = this.#types.indexOf(type);
    return code < 0 ? this.#types.push(type) - 1 : code;
  }

  #setParent(number: number, parentId: string | null): void {
    this.#strangers.delete(number);
    const known = parentId === null ? none : this.#ids.get(parentId);
    if (known === number - 1) this.#parents.delete(number);
    else this.#parents.set(number, known ?? stranger);
    if (known === undefined && parentId !== null) this.#strangers.set(number, parentId);
  }

  #setOffset(number: number, offset: number): void {
    this.#offsets.set(number, offset);
    if (offset >= farOffset) this.#farOffsets.set(number, offset);
  }

  #parentOf(number: number): number {
    const parent = this.#parents.get(number) ?? number - 1;
    if (parent !== stranger) return parent;
    const later = this.#ids.get(this.#strangers.get(number) ?? '');
    if (later !== undefined) return later;
    this.#note('missing-parent', this.#ids.idAt(number) ?? '');
    return this.#previous.get(number) ?? number - 1;
  }

  #note(problem: TreeProblem, id: string): void {
    const ids = this.#problems.get(problem) ?? new Set();
    this.#problems.set(problem, ids.add(id));
  }
}

function messageIdsOf(entries: Iterable<Entry>): Map<string, string> {
  const ids = new Map<string, string>();
  for (const entry of entries) noteMessage(ids, entry);
  return ids;
}

function noteMessage(ids: Map<string, string>, entry: Entry): void {
  const message = entry.type === 'message' ? entry.message : projectEntry(entry);
  if (message) ids.set(message.id, entry.id);
}
