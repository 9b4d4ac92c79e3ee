import { AgentError, type Message, randomHex } from '@robota-sdk/agent-core';
import { type BranchEntries, contextOf, type ViewedMessage, viewedMessages } from '../entry/build-context.ts';
import { encodeLine } from '../entry/codec.ts';
import type { CompactionDraft, Entry, EntryDraft, Fact, SessionHeader } from '../entry/entry.ts';
import { type PendingChoice, repairMessages } from '../entry/repair.ts';
import type { SessionTotals } from '../entry/session-totals.ts';
import type { EntryTree } from '../entry/tree.ts';
import { isBeginning } from './create-header.ts';
import type { AppendOptions, HandleFollower, LineSink } from './line-sink.ts';
import { readingProblem, type SessionProblem } from './session-problem.ts';
import { shownTitle } from './session-summary.ts';
import { type WrittenLine, writtenPlaces } from './written-places.ts';

export interface SessionHandleOptions {
  readonly header: SessionHeader;
  readonly tree: EntryTree;
  /** Absent for a read-only session. */
  readonly sink: LineSink | undefined;
  /** A new session writes its header together with its first message, so that an unused one leaves no trace. */
  readonly isNew: boolean;
  /** The session's own directory, for logs and outputs; it may not exist yet. */
  readonly directory: string | undefined;
  /** The file with its lines; undefined in memory. */
  readonly file?: string;
  /** True if others can find the session after this process has ended. Default: true. */
  readonly isKept?: boolean;
  /** Valid lines of an unknown kind outside the tree, as written. */
  readonly foreignLines?: readonly string[];
  /** Problems found while reading the file. */
  readonly problems: readonly SessionProblem[];
  /** Releases the file that entries are read from again. */
  readonly release?: () => void;
}

/** A reader of a file's last bytes must find the name, so it is repeated after this many bytes. */
const restateNameAfter = 16 * 1024;

/** One open session: an append costs the same however long the session is. */
export class SessionHandle {
  readonly header: SessionHeader;
  readonly directory: string | undefined;
  /** The file with its lines; undefined in memory. */
  readonly file: string | undefined;
  /** True if others can find the session after this process has ended. */
  readonly isKept: boolean;
  /** Valid lines of an unknown kind outside the tree, as written. */
  readonly foreignLines: readonly string[];
  readonly #tree: EntryTree;
  readonly #sink: LineSink | undefined;
  readonly #readingProblems: readonly SessionProblem[];
  readonly #followers: HandleFollower[] = [];
  #unwrittenHeader: boolean;
  /** Lines of a conversation that has not started, such as the choice of a model. */
  #withheld = '';
  readonly #untold: Entry[] = [];
  /** Entries whose lines are not written yet, in their order. */
  readonly #unplaced: WrittenLine[] = [];
  readonly #release: (() => void) | undefined;
  #sinceName = 0;
  #gathered: string[] | undefined;
  #closed = false;

  constructor(parts: SessionHandleOptions) {
    const { header, tree, sink, isNew, directory, problems } = parts;
    this.header = header;
    this.directory = directory;
    this.file = parts.file;
    this.isKept = parts.isKept ?? true;
    this.foreignLines = parts.foreignLines ?? [];
    this.#tree = tree;
    this.#sink = sink;
    this.#unwrittenHeader = isNew;
    this.#readingProblems = problems;
    this.#release = parts.release;
    if (sink?.read) tree.readPlacedBy((place) => sink.read?.(place));
  }

  get id(): string {
    return this.header.id;
  }

  get cwd(): string {
    return this.header.cwd;
  }

  get name(): string | undefined {
    return this.#tree.name;
  }

  get leafId(): string | null {
    return this.#tree.leafId;
  }

  get readOnly(): boolean {
    return this.#sink === undefined;
  }

  /** True if it has no messages and was never stored; such a session leaves no trace. */
  get isUnused(): boolean {
    return this.#unwrittenHeader;
  }

  get labels(): ReadonlyMap<string, string> {
    return this.#tree.labels;
  }

  /** Problems of the file; nothing was lost. */
  get problems(): readonly SessionProblem[] {
    this.#tree.pathIds();
    const ofTree = [...this.#tree.problems()].map(([code, count]) => readingProblem(code, count));
    return [...this.#readingProblems, ...ofTree];
  }

  /** The model's view of the active branch, valid for every vendor unless calls at its end are kept pending. */
  messages(options: PendingChoice = {}): Message[] {
    return repairMessages(contextOf(this.#branch()), options);
  }

  /** The visible messages of the active branch, with those that the user folded or dropped. */
  view(): ViewedMessage[] {
    return viewedMessages(this.#branch());
  }

  /** The active branch from root to leaf, or the one that ends in another entry; compacted or not. */
  path(toId: string | null = this.leafId): Entry[] {
    return this.#tree.path(toId);
  }

  /** Like `path`, without reading the entries. */
  pathIds(toId: string | null = this.leafId): string[] {
    return this.#tree.pathIds(toId);
  }

  /** Entries of the active branch besides messages: compactions and custom data. */
  notes(): Entry[] {
    return [...this.backwards('compaction', 'custom')].reverse();
  }

  /** Like `notes`, after an entry of the active branch; undefined if the entry is not on it. */
  notesSince(id: string): Entry[] | undefined {
    const isNote = (each: string) => /^(compaction|custom)$/.test(this.#tree.typeOf(each) ?? '');
    return this.#tree.idsBehind(id)?.flatMap((each) => (isNote(each) ? (this.#tree.entry(each) ?? []) : []));
  }

  /** The active branch from its leaf to its root, each entry read when it is its turn; of some kinds, or of all. */
  *backwards(...types: readonly Entry['type'][]): Generator<Entry> {
    for (const id of this.#tree.idsBackwards(this.leafId, types)) {
      const entry = this.#tree.entry(id);
      if (entry) yield entry;
    }
  }

  /** The entry before one in its branch; null at a root. */
  parentIdOf(id: string): string | null {
    return this.#tree.parentIdOf(id);
  }

  /** Every entry of every branch, in the order of the file; each is read when it is its turn. */
  entries(): Iterable<Entry> {
    return this.#tree.entries();
  }

  /** The ids of all entries of every branch, in the order of the file. */
  ids(): Iterable<string> {
    return this.#tree.ids();
  }

  /** The entries with prompts of the user, on all branches, in file order. */
  get promptIds(): Iterable<string> {
    return this.#tree.promptIds;
  }

  /** Number of messages by the user and models, on all branches: the displayed count. */
  get messageCount(): number {
    return this.#tree.messageCount;
  }

  /** Total cost of all branches. */
  get totals(): SessionTotals {
    return this.#tree.totals;
  }

  entry(id: string): Entry | undefined {
    return this.#tree.entry(id);
  }

  /** How long the line of an entry is. */
  bytesOf(id: string): number {
    return this.#tree.bytesOf(id);
  }

  /** The entry of a message. */
  entryIdOf(messageId: string): string | undefined {
    return this.#tree.entryIdOf(messageId);
  }

  /** Reports every later append to a follower. */
  follow(follower: HandleFollower): void {
    this.#followers.push(follower);
  }

  /** Adds an entry below the leaf and makes it the leaf. */
  async append(draft: EntryDraft, options: AppendOptions = {}): Promise<Entry> {
    this.#assertWritable();
    const { entry, line } = this.#place(draft);
    if (this.#unwrittenHeader && !isBeginning(draft)) this.#withheld += line;
    else await this.#write(line, options);
    return entry;
  }

  /** Adds several entries, each below the one before, with one write. */
  async appendAll(drafts: readonly EntryDraft[], options: AppendOptions = {}): Promise<Entry[]> {
    this.#assertWritable();
    const placed = drafts.map((draft) => this.#place(draft));
    const lines = placed.map(({ line }) => line).join('');
    if (this.#unwrittenHeader && !drafts.some(isBeginning)) this.#withheld += lines;
    else if (lines !== '') await this.#write(lines, options);
    return placed.map(({ entry }) => entry);
  }

  /**
   * Adds entries of another session with their ids, times and positions, and the unknown lines between them.
   */
  async adopt(
    entries: readonly Entry[],
    { foreignLines = [] }: { readonly foreignLines?: readonly string[] } = {},
  ): Promise<void> {
    this.#assertWritable();
    let lines = foreignLines.map((line) => `${line}\n`).join('');
    for (const entry of entries) lines += this.#add(entry);
    if (lines !== '') await this.#write(lines, {});
  }

  /** Writes the lines of the work immediately after it. */
  async atOnce(work: () => Promise<void>): Promise<void> {
    const lines: string[] = [];
    this.#gathered = lines;
    try {
      await work();
    } finally {
      this.#gathered = undefined;
      if (lines.length > 0) await this.#send(lines.join(''), {});
    }
  }

  /** Continues from another entry; null starts a new branch at the root. */
  async setLeaf(id: string | null): Promise<void> {
    this.#assertWritable();
    if (id !== null && this.#tree.typeOf(id) === undefined) {
      throw new AgentError(
        'session',
        `Session ${this.id} has no entry ${id}. List its entries to find the right one.`,
      );
    }
    if (id === this.#tree.leafId) return;
    await this.#state({ ...this.#base(id), type: 'leaf', targetId: id });
    for (const follower of this.#followers) follower.moved();
  }

  /** Stores the session before its first message, for others that know its id. */
  async keepUnused(): Promise<void> {
    if (this.#unwrittenHeader) await this.#write('', { durable: true });
  }

  /** Names the session; an empty name removes it. Returns false if the file cannot be written now. */
  async setName(name: string): Promise<boolean> {
    this.#assertWritable();
    await this.#state({ ...this.#base(this.leafId), type: 'session_info', name: oneLine(name) });
    this.#sinceName = 0;
    return this.#sink?.isWaiting !== true;
  }

  /** Labels an entry; an empty label removes it. */
  async setLabel(targetId: string, label: string): Promise<void> {
    this.#assertWritable();
    await this.#state({ ...this.#base(this.leafId), type: 'label', targetId, label: oneLine(label) });
  }

  /** Waits until everything appended so far would survive a loss of power. */
  async flush(): Promise<void> {
    if (!this.#closed && !this.#unwrittenHeader) await this.#sink?.write('', { durable: true });
  }

  /** Releases the file and its lock. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const follower of this.#followers) await follower.close();
    await this.#sink?.close();
    this.#release?.();
  }

  #branch(): BranchEntries {
    const tree = this.#tree;
    return {
      ids: tree.pathIds(),
      typeOf: (id) => tree.typeOf(id),
      entry: (id) => tree.entry(id),
      bytesOf: (id) => tree.bytesOf(id),
    };
  }

  #place(draft: EntryDraft): { entry: Entry; line: string } {
    const named = draft.type === 'message' || draft.type === 'shell' ? draft.message?.id : undefined;
    const wishedId = named?.slice(0, 8) ?? '';
    const base = this.#base(this.#tree.leafId, wishedId);
    const body = draft.type === 'compaction' ? this.#byEntries(draft) : draft;
    // Not a spread, for the same reason as in `createMessage`.
    const entry: Entry = Object.assign({}, body, base);
    return { entry, line: this.#add(entry) };
  }

  /** Puts an entry into the tree and returns its line. */
  #add(entry: Entry): string {
    const line = encodeLine({ kind: 'entry', entry });
    this.#tree.addEntry(entry, { bytes: Buffer.byteLength(line) });
    if (this.#sink?.read) this.#unplaced.push({ id: entry.id, line });
    if (this.#unwrittenHeader) this.#untold.push(entry);
    else for (const follower of this.#followers) follower.appended(entry);
    return line;
  }

  #byEntries({ firstKeptMessageId, keptMessageIds, ...rest }: CompactionDraft) {
    return {
      ...rest,
      firstKeptEntryId: this.#tree.entryIdOf(firstKeptMessageId) ?? '',
      keptEntryIds: keptMessageIds.flatMap((id) => this.#tree.entryIdOf(id) ?? []),
    };
  }

  async #state(fact: Fact): Promise<void> {
    this.#tree.addFact(fact);
    await this.#write(encodeLine({ kind: 'fact', fact }), {});
  }

  #base(parentId: string | null, wishedId = ''): { id: string; parentId: string | null; timestamp: string } {
    let id = /^[0-9a-f]{8}$/.test(wishedId) ? wishedId : randomHex(4);
    while (this.#tree.has(id)) id = randomHex(4);
    const now = new Date().toISOString();
    // No entry is older than its session: copied entries are told from new ones by that.
    return { id, parentId, timestamp: now < this.header.timestamp ? this.header.timestamp : now };
  }

  async #write(lines: string, options: AppendOptions): Promise<void> {
    const first = this.#unwrittenHeader ? encodeLine({ kind: 'header', header: this.header }) : '';
    const begun = first + this.#withheld;
    [this.#unwrittenHeader, this.#withheld] = [false, ''];
    for (const entry of this.#untold.splice(0))
      for (const follower of this.#followers) follower.appended(entry);
    const text = begun + lines + this.#restatedName(lines.length);
    if (this.#gathered) this.#gathered.push(text);
    else await this.#send(text, options);
  }

  async #send(text: string, options: AppendOptions): Promise<void> {
    const written = this.#sink?.write(text, options);
    this.#notePlaces(text);
    await written;
  }

  /** The lines of entries just written are the last ones in the file. */
  #notePlaces(text: string): void {
    const unplaced = this.#unplaced.splice(0);
    const end = this.#sink?.end;
    if (end === undefined) return;
    for (const { id, offset } of writtenPlaces(text, unplaced, end)) this.#tree.place(id, offset);
  }

  #restatedName(added: number): string {
    const name = this.#tree.name;
    this.#sinceName += added;
    if (name === undefined || this.#sinceName < restateNameAfter) return '';
    this.#sinceName = 0;
    return encodeLine({ kind: 'fact', fact: { ...this.#base(this.leafId), type: 'session_info', name } });
  }

  #assertWritable(): void {
    if (this.#sink && !this.#closed) return;
    const why = this.#closed
      ? 'is closed. Open it again to continue.'
      : 'was opened for reading. Continue in a copy with --fork.';
    throw new AgentError('session', `Session ${this.id} ${why}`);
  }
}

function oneLine(text: string): string {
  return shownTitle(text.replace(/\s+/g, ' ')).trim();
}
