import {
  type CommentedLines,
  describeBytes,
  type HunkState,
  type PlacedDraft,
  type ReviewFile,
  type ReviewHunk,
} from '@robota-sdk/agent-sdk/front-end';
import {
  Diff,
  filterEscapes,
  oneLine,
  plainText,
  strike,
  textWidth,
  truncateText,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { CommentField } from './comment-field.ts';

type HunkLine = ReviewHunk['lines'][number];

/** One frame of a hunk. */
export interface HunkFrame {
  readonly width: number;
  readonly height: number;
  readonly state: HunkState;
  /** Drafts about this file. */
  readonly drafts: readonly PlacedDraft[];
  readonly field: CommentField | undefined;
  /** True if nothing else on the screen names the file. */
  readonly hasName: boolean;
}

/** Columns before a comment: those of a line number and a sign, and two more. */
const commentIndent = 10;

/** One hunk with a current line, perhaps a range, and the comments on its lines. */
export class HunkView {
  readonly file: ReviewFile;
  readonly hunk: ReviewHunk;
  readonly #look: AppStyle;
  readonly #diff: Diff;
  #current: number;
  #mark: number | undefined;
  #top = 0;

  constructor(
    { file, hunk }: { readonly file: ReviewFile; readonly hunk: ReviewHunk },
    { look, isSplit }: { readonly look: AppStyle; readonly isSplit: boolean },
  ) {
    this.file = file;
    this.hunk = hunk;
    this.#look = look;
    const diff = { lines: hunk.lines, path: file.name };
    this.#diff = new Diff({ diff, look, isWrapping: true, splitWidth: isSplit ? 1 : 0, isRevealing: true });
    this.#current = Math.max(
      0,
      hunk.lines.findIndex(({ kind }) => kind === 'added' || kind === 'removed'),
    );
  }

  get hasRange(): boolean {
    return this.#mark !== undefined;
  }

  /** Begins a range at the current line, or ends it. */
  toggleRange(): void {
    this.#mark = this.hasRange ? undefined : this.#current;
  }

  /** Takes over the current line of another view of the same hunk. */
  follow(other: HunkView): void {
    this.#current = other.#current;
    this.#mark = other.#mark;
  }

  /** Moves the current line; false if it is the last one already. */
  move(by: number, width: number): boolean {
    const { lines } = this.hunk;
    const step = Math.sign(by);
    let left = Math.abs(by);
    const before = this.#current;
    for (let next = before + step; left > 0 && next >= 0 && next < lines.length; next += step) {
      if (!this.#rowsOf(lines[next], width)) continue;
      this.#current = next;
      left--;
    }
    return this.#current !== before;
  }

  /** The lines to comment on; undefined if there are none. */
  get selection(): CommentedLines | undefined {
    const chosen = this.#selected();
    const now = chosen.filter(({ kind }) => kind === 'added' || kind === 'context');
    const shown = now.length > 0 ? now : chosen.filter(({ kind }) => kind === 'removed');
    const numbers = shown.flatMap(({ line }) => line ?? []);
    if (numbers.length === 0) return undefined;
    const side = now.length > 0 ? 'new' : 'old';
    return { side, line: Math.min(...numbers), endLine: Math.max(...numbers) };
  }

  /** The draft that ends at the current line. */
  draftAt(drafts: readonly PlacedDraft[]): PlacedDraft | undefined {
    const line = this.hunk.lines[this.#current];
    return line && drafts.find((draft) => isEndOf(draft, line));
  }

  render(frame: HunkFrame): readonly string[] {
    const { width, height } = frame;
    const head = this.#head(frame);
    const room = Math.max(1, height - head.length);
    const current = this.#rowsOf(this.hunk.lines[this.#current], width);
    this.#top = Math.min(this.#top, current?.start ?? 0);
    if (current && current.start - this.#top > 2 * room) this.#top = current.start - Math.floor(room / 2);
    for (; ; this.#top++) {
      const { rows, last } = this.#window(frame, room);
      const isInSight = current === undefined || last >= current.end || this.#top >= current.start;
      if (isInSight) return [...head, ...rows].slice(0, height);
    }
  }

  /** The rows from the top one on, and the row of the diff after the last one that is whole with its comments. */
  #window(frame: HunkFrame, room: number): { readonly rows: readonly string[]; readonly last: number } {
    const { width } = frame;
    const selected = this.#selectedRows(width);
    const below = this.#commentRows(frame);
    const total = this.#diff.height(width);
    const rows: string[] = [];
    let row = this.#top;
    for (; row < total && rows.length < room; row++) {
      const comments = below.get(row + 1) ?? [];
      if (rows.length > 0 && rows.length + 1 + comments.length > room) break;
      const [painted = ''] = this.#diff.rows(width, row, row + 1);
      rows.push(this.#paintRow(painted, { frame, isSelected: selected.has(row) }), ...comments);
    }
    return { rows, last: row };
  }

  #paintRow(
    painted: string,
    { frame, isSelected }: { readonly frame: HunkFrame; readonly isSelected: boolean },
  ): string {
    const { paint, glyphs } = this.#look;
    const { width, state } = frame;
    if (!isSelected && state !== 'taken back') return painted;
    const plain = plainText(painted).trimEnd();
    const shown = state === 'taken back' ? paint('dim', struck(plain)) : plain;
    if (!isSelected) return shown;
    // The line is told without colours, too.
    const pointed = plain.startsWith(' ') || plain === '' ? glyphs.cursor + shownRest(shown, plain) : shown;
    return paint('selectedBg', pointed + ' '.repeat(Math.max(0, width - textWidth(pointed))));
  }

  /** State of the hunk where there is something to say, and comments whose lines are gone. */
  #head({ state, drafts, width, hasName }: HunkFrame): readonly string[] {
    const { paint, glyphs } = this.#look;
    const { hunks, binary, name, refusal } = this.file;
    const place = hunks.length > 1 ? [`hunk ${hunks.indexOf(this.hunk) + 1} of ${hunks.length}`] : [];
    const decided =
      state === 'kept'
        ? [paint('success', `${glyphs.success} kept`)]
        : state === 'taken back'
          ? [`${glyphs.failure} taken back`]
          : [];
    const title = hasName ? [oneLine(name)] : [];
    const facts = [...title, ...place, ...decided, ...(refusal === undefined ? [] : ['read-only'])];
    const separator = ` ${glyphs.separator} `;
    const status =
      facts.length === 0
        ? []
        : [paint('dim', truncateText(` ${facts.join(separator)}`, width, glyphs.ellipsis))];
    const isEmpty = this.hunk.lines.length === 0;
    const content = binary ? binaryText(binary, glyphs) : `Empty file ${name}`;
    const lost = drafts.filter(({ at }) => at === undefined);
    return [
      ...status,
      ...(isEmpty ? [truncateText(` ${filterEscapes(content)}`, width, glyphs.ellipsis)] : []),
      ...lost.flatMap(({ comment }) => this.#comment(`${comment} (its line is gone)`, '', width)),
    ];
  }

  /** Comments by the row after which they stand. */
  #commentRows({ drafts, field, width }: HunkFrame): ReadonlyMap<number, readonly string[]> {
    const rows = new Map<number, readonly string[]>();
    const edited = field && this.draftAt(drafts);
    for (const draft of drafts) {
      const line = this.hunk.lines.find((each) => isEndOf(draft, each));
      const end = this.#rowsOf(line, width)?.end;
      if (end === undefined || draft === edited) continue;
      const shown = this.#comment(draft.comment, String(line?.line ?? ''), width);
      rows.set(end, [...(rows.get(end) ?? []), ...shown]);
    }
    const last = this.#selected().at(-1);
    const end = this.#rowsOf(last, width)?.end;
    if (!field || end === undefined) return rows;
    const typed = field.render(Math.max(2, width - commentIndent));
    rows.set(end, [...(rows.get(end) ?? []), ...this.#withLead(typed, String(last?.line ?? ''))]);
    return rows;
  }

  #comment(text: string, line: string, width: number): readonly string[] {
    const room = Math.max(8, width - commentIndent);
    const lines = text.split('\n').flatMap((each) => wrapText(filterEscapes(each), room));
    return this.#withLead(lines, line).map((row) => truncateText(row, width, this.#look.glyphs.ellipsis));
  }

  #withLead(lines: readonly string[], number: string): readonly string[] {
    const { paint, glyphs } = this.#look;
    const lead = `${glyphs.comment} ${number}`.padStart(5).padEnd(commentIndent);
    return lines.map((text, index) =>
      paint('accent', (index === 0 ? lead : ' '.repeat(commentIndent)) + text),
    );
  }

  #selected(): readonly HunkLine[] {
    const mark = this.#mark ?? this.#current;
    return this.hunk.lines.slice(Math.min(mark, this.#current), Math.max(mark, this.#current) + 1);
  }

  #selectedRows(width: number): ReadonlySet<number> {
    const rows = new Set<number>();
    for (const line of this.#selected()) {
      const { start = 0, end = 0 } = this.#rowsOf(line, width) ?? {};
      for (let row = start; row < end; row++) rows.add(row);
    }
    return rows;
  }

  #rowsOf(line: HunkLine | undefined, width: number) {
    return line && this.#diff.rowsOfLine(width, line);
  }
}

function isEndOf({ at, side, excerpt }: PlacedDraft, { kind, line }: HunkLine): boolean {
  if (at === undefined || kind === 'gap') return false;
  return (kind === 'removed') === (side === 'old') && line === at + excerpt.length - 1;
}

/** The text without its first column. */
function shownRest(shown: string, plain: string): string {
  return plain === '' ? '' : shown.replace(' ', '');
}

/** Strikes the code of a changed line, not its number and sign. */
function struck(text: string): string {
  const [lead = ''] = /^ *\d* [-+] +/.exec(text) ?? [];
  return lead === '' ? text : lead + strike(text.slice(lead.length));
}

function binaryText(
  { before, after }: NonNullable<ReviewFile['binary']>,
  { separator, arrow }: AppStyle['glyphs'],
): string {
  const sizes = [before, after].flatMap((bytes) => (bytes === undefined ? [] : describeBytes(bytes)));
  return `Binary file ${separator} ${sizes.join(` ${arrow} `)}`;
}
