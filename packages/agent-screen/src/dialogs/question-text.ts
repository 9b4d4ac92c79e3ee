import { countChanges, type Question } from '@robota-sdk/agent-sdk/front-end';
import {
  bold,
  type Component,
  changeText,
  type InputEvent,
  matchesKey,
  textWidth,
  truncateText,
  visibleText,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { type DrawnSubject, drawSubject, type Rows } from './draw-subject.ts';

/** In fewer rows the beginning needs all of them. */
const leastSplit = 4;

/** The text above the answers of a question: a title, its full subject, and the reason. */
export class QuestionText implements Component {
  /** How many rows it may take. */
  rows = 12;
  readonly #question: Question;
  readonly #look: AppStyle;
  readonly #keys: AppKeybindings;
  #drawn: { readonly width: number; readonly subject: DrawnSubject } | undefined;
  /** The first row of the subject in sight, and how many are. */
  #top = 0;
  #window = 0;
  #total = 0;
  /** How many rows of the title stand before the subject, since they found no room above. */
  #titleRows = 0;
  /** How far the keys of pages go. */
  #page = 1;
  /** How many rows of the end stand below those of the beginning. */
  #tail = 0;
  #hasShownEnd = false;

  constructor(
    question: Question,
    { look, keys }: { readonly look: AppStyle; readonly keys: AppKeybindings },
  ) {
    this.#question = question;
    this.#look = look;
    this.#keys = keys;
  }

  get #isScrollable(): boolean {
    return this.#total > this.#window;
  }

  /** True if it does not fit and its end was not scrolled to. */
  get isUnread(): boolean {
    return this.#isScrollable && !this.#hasShownEnd;
  }

  /** Scrolls on by what is in sight. */
  readOn(): void {
    this.#top = Math.max(0, Math.min(this.#total - this.#window, this.#top + this.#page));
  }

  /** How many rows show all of it. */
  wantedRows(width: number): number {
    const { title, lines, reason } = this.#parts(width);
    return title.length + blankAnd(lines) + blankAnd(reason);
  }

  render(width: number): readonly string[] {
    const rows = Math.max(3, this.rows);
    const { title, lines, reason } = this.#parts(width);
    const head = title.slice(0, Math.max(1, Math.floor(rows / 3)));
    const foot = reason.length <= Math.max(1, Math.floor(rows / 4)) ? reason : [];
    const rest = title.slice(head.length);
    // In a question about a command, the command comes first.
    const isCommandFirst = this.#isCommand && rest.length > 0;
    this.#titleRows = isCommandFirst ? 0 : rest.length;
    const told = isCommandFirst ? [lines, rest] : [rest, lines];
    const all = joinRows([...told, foot.length === 0 ? reason : []]);
    const spare = rows - head.length - all.length - foot.length;
    if (spare >= 0) return this.#whole({ head, all, foot, spare });
    const hasBlanks = rows >= 12;
    const taken = head.length + foot.length + 1 + (hasBlanks ? 2 : 0);
    const blank = hasBlanks ? [''] : [];
    const shown = this.#windowOf(all, Math.max(1, rows - taken));
    return [...head, ...blank, ...shown, this.#position(width), ...blank, ...foot].slice(0, rows);
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || !this.#isScrollable) return false;
    const distance = this.#distanceOf(event);
    if (distance === undefined) return false;
    this.#top = Math.max(0, Math.min(this.#total - this.#window, this.#top + distance));
    return true;
  }

  invalidate(): void {
    this.#drawn = undefined;
  }

  #distanceOf(event: Extract<InputEvent, { type: 'key' }>): number | undefined {
    if (this.#keys.matches(event, 'tui.select.pageDown')) return this.#page;
    if (this.#keys.matches(event, 'tui.select.pageUp')) return -Math.max(1, this.#window - 1);
    if (matchesKey(event, 'shift+down')) return 1;
    if (matchesKey(event, 'shift+up')) return -1;
    if (matchesKey(event, 'home')) return -this.#total;
    if (matchesKey(event, 'end')) return this.#total;
    const hunks = this.#hunks();
    if (hunks.length < 2) return undefined;
    if (matchesKey(event, 'right'))
      return (hunks.find((start) => start > this.#top) ?? this.#top) - this.#top;
    if (matchesKey(event, 'left')) return (hunks.findLast((start) => start < this.#top) ?? 0) - this.#top;
    return undefined;
  }

  #whole({ head, all, foot, spare }: WholeText): readonly string[] {
    this.#top = 0;
    this.#window = all.length;
    this.#total = all.length;
    const before = all.length > 0 && spare > 0 ? [''] : [];
    const behind = foot.length > 0 && spare > before.length ? [''] : [];
    return [...head, ...before, ...all.slice(0, all.length), ...behind, ...foot];
  }

  #windowOf(all: Rows, count: number): readonly string[] {
    this.#window = count;
    this.#total = all.length;
    this.#top = Math.max(0, Math.min(this.#top, all.length - count));
    this.#tail =
      this.#top === 0 && this.#isCommand && this.#hunks().length === 0 && count >= leastSplit
        ? Math.floor(count / 3)
        : 0;
    this.#hasShownEnd ||= this.#tail === 0 && this.#top + count >= all.length;
    this.#page = Math.max(1, count - 1 - (this.#tail === 0 ? 0 : this.#tail + 1));
    if (this.#tail === 0) return all.slice(this.#top, this.#top + count);
    // The end of a command matters as much as its beginning.
    const head = all.slice(0, count - this.#tail - 1);
    const hidden = all.length - head.length - this.#tail;
    const { glyphs, paint } = this.#look;
    const gap = `   ${glyphs.ellipsis} ${hidden} more line${hidden === 1 ? '' : 's'} ${glyphs.ellipsis}`;
    const cut = truncateText(gap, this.#drawn?.width ?? 80, glyphs.ellipsis);
    return [...head, paint('warning', cut), ...all.slice(all.length - this.#tail, all.length)];
  }

  #position(width: number): string {
    const { glyphs, paint } = this.#look;
    const hunks = this.#hunks();
    const hunk = hunks.filter((start) => start <= this.#top + this.#window - 1).length;
    const indent = width < 40 ? ' ' : '   ';
    const parts = [
      this.#shownRange(),
      width < 40 ? 'pgup/pgdn' : 'pgup/pgdn scroll',
      ...(hunks.length > 1 ? [`hunk ${Math.max(1, hunk)} of ${hunks.length}`] : []),
    ];
    const text = `${indent}${parts.join(width < 40 ? ' ' : ` ${glyphs.separator} `)}`;
    return paint('dim', truncateText(text, width, glyphs.ellipsis));
  }

  #shownRange(): string {
    if (this.#tail === 0) return `${this.#top + 1}-${this.#top + this.#window} of ${this.#total}`;
    const head = this.#window - this.#tail - 1;
    return `1-${head} and ${this.#total - this.#tail + 1}-${this.#total} of ${this.#total}`;
  }

  /** The title, with the counts of a change where they fit. */
  #title(room: number): readonly string[] {
    const lines = wrapText(visibleText(this.#question.title), room);
    const last = (lines.at(-1) ?? '') + this.#counts();
    return textWidth(last) <= room ? lines.with(-1, last) : lines;
  }

  /** How many lines a change adds and removes. */
  #counts(): string {
    const display = this.#question.kind === 'select' ? this.#question.about?.display : undefined;
    if (display?.kind !== 'diff') return '';
    const text = changeText(countChanges(display), this.#look);
    return text === '' ? '' : ` ${this.#look.glyphs.separator} ${text}`;
  }

  get #isCommand(): boolean {
    const about = this.#question.kind === 'select' ? this.#question.about : undefined;
    return about?.access[0]?.kind === 'run';
  }

  #hunks(): readonly number[] {
    return (this.#drawn?.subject.hunks ?? []).map((start) => start + this.#titleRows);
  }

  #parts(width: number): TextParts {
    if (this.#drawn?.width !== width)
      this.#drawn = { width, subject: drawSubject(this.#question, { look: this.#look, width }) };
    const { subject } = this.#drawn;
    const room = Math.max(1, width - 2);
    const isDangerous = this.#question.kind === 'select' && this.#question.about?.dangers !== undefined;
    const title = this.#title(room)
      .map((line) => ` ${bold(line)}`)
      .map((line) => (isDangerous ? this.#look.paint('error', line) : line));
    const reason = subject.reason === '' ? [] : wrapText(visibleText(subject.reason), room);
    return {
      title,
      lines: subject.lines,
      reason: reason.map((line) => ` ${this.#look.paint(isDangerous ? 'error' : 'muted', line)}`),
    };
  }
}

interface TextParts {
  readonly title: readonly string[];
  readonly lines: Rows;
  readonly reason: readonly string[];
}

interface WholeText {
  readonly head: readonly string[];
  readonly all: Rows;
  readonly foot: readonly string[];
  readonly spare: number;
}

function blankAnd(lines: Rows): number {
  return lines.length === 0 ? 0 : lines.length + 1;
}

/** Rows one below the other, still painted only when they are asked for. */
function joinRows(parts: readonly Rows[]): Rows {
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    slice: (start, end) => {
      let offset = 0;
      return parts.flatMap((part) => {
        const from = Math.max(0, start - offset);
        const to = Math.min(part.length, end - offset);
        offset += part.length;
        return from < to ? part.slice(from, to) : [];
      });
    },
  };
}
