import { type AskedCall, countChanges, type Question } from '@robota-sdk/agent-sdk/front-end';
import {
  bold,
  type Component,
  changeText,
  type InputEvent,
  matchesKey,
  renderTitleRule,
  textWidth,
  truncateText,
  visibleText,
  wrapText,
} from '@robota-sdk/agent-tui';
import { describeSteps } from '../items/plan-steps.ts';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { DrawnSubject, LazyRows } from './draw-subject.ts';

/** In fewer rows the beginning needs all of them. */
const leastSplit = 4;
/** Of more rows the hint names the key to their end. */
const longScroll = 200;

/** Options of the text of a question. */
export interface QuestionTextOptions {
  readonly look: AppStyle;
  readonly keys: AppKeybindings;
  /** Draws the subject in a width. */
  draw(width: number): DrawnSubject;
}

/** The text above the answers of a question: a ruled title, its full subject, its risks and the reason. */
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
  /** All of a long command is shown. */
  #isUnfolded = false;
  /** How far the keys of pages go. */
  #page = 1;
  /** How many rows of the end stand below those of the beginning. */
  #tail = 0;
  #hasShownEnd = false;

  /** A row of the subject that is to be in sight. */
  #wanted: number | undefined;
  readonly #draw: (width: number) => DrawnSubject;

  constructor(question: Question, { look, keys, draw }: QuestionTextOptions) {
    this.#question = question;
    this.#draw = draw;
    this.#look = look;
    this.#keys = keys;
  }

  get #isScrollable(): boolean {
    return this.#total > this.#window;
  }

  /** True if some of it was never in sight: it is folded, or its end was not scrolled to. */
  get isUnread(): boolean {
    return this.isFolded || (this.#isScrollable && !this.#hasShownEnd);
  }

  /** Some rows can be unfolded or folded again. */
  get hasFold(): boolean {
    return this.#drawn?.subject.folded !== undefined;
  }

  /** Scrolls to a row of the subject when it is drawn next. */
  reveal(row: number): void {
    this.#wanted = row;
  }

  /** Shows all of a long command, or folds it again. */
  toggleFold(): void {
    this.#isUnfolded = !this.#isUnfolded;
    this.#top = 0;
  }

  /** True if rows are folded now. */
  get isFolded(): boolean {
    return this.hasFold && !this.#isUnfolded;
  }

  /** Unfolds a folded command, else scrolls on by what is in sight. */
  readOn(): void {
    if (this.isFolded) return this.toggleFold();
    this.#top = Math.max(0, Math.min(this.#total - this.#window, this.#top + this.#page));
  }

  /** How many rows show all of it. */
  wantedRows(width: number): number {
    const { head, lines, foot } = this.#parts(width);
    return 1 + head.length + blankAnd(lines) + blankAnd(foot.whole);
  }

  render(width: number): readonly string[] {
    const { rule, head: whole, lines, foot: all } = this.#parts(width);
    const rows = Math.max(3, this.rows) - 1;
    const head = whole.slice(0, Math.floor(rows / 3));
    const foot = this.#fitFoot(all, { most: Math.max(1, Math.floor(rows / 2)), width });
    this.#titleRows = whole.length - head.length;
    const body = joinRows([whole.slice(head.length), lines]);
    const spare = rows - head.length - body.length - foot.length;
    if (spare >= 0) return [rule, ...this.#whole({ head, body, foot, spare })];
    const hasBlanks = rows >= 12;
    const taken = head.length + foot.length + 1 + (hasBlanks ? 1 : 0);
    const shown = this.#windowOf(body, Math.max(1, rows - taken));
    const blank = hasBlanks ? [''] : [];
    return [rule, ...head, ...shown, this.#position(width), ...blank, ...foot].slice(0, rows + 1);
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

  #whole({ head, body, foot, spare }: WholeText): readonly string[] {
    this.#top = 0;
    this.#window = body.length;
    this.#total = body.length;
    const before = head.length > 0 && body.length > 0 && spare > 0 ? [''] : [];
    const after = foot.length > 0 && body.length > 0 && spare > before.length ? [''] : [];
    return [...head, ...before, ...body.slice(0, body.length), ...after, ...foot];
  }

  #windowOf(all: LazyRows, count: number): readonly string[] {
    this.#window = count;
    this.#total = all.length;
    const wanted = this.#wanted === undefined ? undefined : this.#wanted + this.#titleRows;
    this.#wanted = undefined;
    if (wanted !== undefined) this.#top = Math.max(wanted - count + 1, Math.min(this.#top, wanted));
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
    const gap = `${glyphs.ellipsis} ${hidden} more line${hidden === 1 ? '' : 's'}`;
    const cut = truncateText(gap, this.#drawn?.width ?? 80, glyphs.ellipsis);
    return [...head, paint('warning', cut), ...all.slice(all.length - this.#tail, all.length)];
  }

  #position(width: number): string {
    const { glyphs, paint } = this.#look;
    const hunks = this.#hunks();
    const hunk = hunks.filter((start) => start <= this.#top + this.#window - 1).length;
    const parts = [
      this.#shownRange(),
      width < 40 ? 'pgup/pgdn' : 'pgup/pgdn scroll',
      ...(this.#total > longScroll && width >= 40 ? ['end last page'] : []),
      ...(hunks.length > 1 ? [`hunk ${Math.max(1, hunk)} of ${hunks.length}`] : []),
    ];
    const text = parts.join(width < 40 ? ' ' : ` ${glyphs.separator} `);
    return paint('dim', truncateText(text, width, glyphs.ellipsis));
  }

  #shownRange(): string {
    if (this.#tail === 0) return `${this.#top + 1}-${this.#top + this.#window} of ${this.#total}`;
    const head = this.#window - this.#tail - 1;
    return `1-${head} and ${this.#total - this.#tail + 1}-${this.#total} of ${this.#total}`;
  }

  /** Numbers at the right of the title: dangers, changed lines, lines of a script, other questions. */
  #note(about: AskedCall | undefined): string {
    const { paint, glyphs } = this.#look;
    const dangers = about?.dangers?.length ?? 0;
    const [first] = about?.access ?? [];
    const lines = about?.program && first?.kind === 'run' ? first.command.trim().split('\n').length : 0;
    const { display, waiting = 0, asked = 0 } = about ?? {};
    const given = this.#question.kind === 'select' ? (this.#question.note ?? '') : '';
    return [
      given === '' ? '' : paint('dim', visibleText(given)),
      dangers === 0 ? '' : paint('error', `${dangers} danger${dangers === 1 ? '' : 's'}`),
      display?.kind === 'diff' ? changeText(countChanges(display), this.#look) : '',
      lines === 0 ? '' : paint('dim', `${lines} lines`),
      display?.kind === 'plan' ? paint('dim', describeSteps(display.text)) : '',
      waiting + asked === 0 ? '' : paint('dim', `${asked + 1} of ${asked + 1 + waiting}`),
    ]
      .filter(Boolean)
      .join(` ${glyphs.separator} `);
  }

  get #isCommand(): boolean {
    const about = this.#question.kind === 'select' ? this.#question.about : undefined;
    return about?.access[0]?.kind === 'run';
  }

  #hunks(): readonly number[] {
    return (this.#drawn?.subject.hunks ?? []).map((start) => start + this.#titleRows);
  }

  #parts(width: number): QuestionRows {
    if (this.#drawn?.width !== width) this.#drawn = { width, subject: this.#draw(width) };
    const { lines, folded } = this.#drawn.subject;
    const about = this.#question.kind === 'select' ? this.#question.about : undefined;
    const colour = about?.dangers ? 'error' : 'accent';
    const paint = (text: string) => this.#look.paint(colour, text);
    const title = visibleText(this.#question.title);
    const note = this.#note(about);
    // A title that does not fit into the rule stands below it.
    const isRuled = !title.includes('\n') && textWidth(title) + textWidth(note) + 14 <= Math.max(width, 60);
    const shown = isRuled ? paint(bold(title)) : '';
    const { paint: plain } = this.#look;
    return {
      rule:
        shown === '' && note === ''
          ? paint(this.#look.glyphs.horizontal.repeat(width))
          : renderTitleRule({ title: shown, note, rule: paint }, width, this.#look),
      head: [
        ...(isRuled ? [] : wrapText(title, width).map((line) => bold(line))),
        ...wrapText(descriptionOf(about), width)
          .filter((line) => line !== '')
          .map((line) => plain('muted', line)),
      ],
      lines: this.#isUnfolded ? lines : (folded ?? lines),
      foot: about && about.display?.kind !== 'plan' ? this.#foot(about, width) : { whole: [], short: [] },
    };
  }

  /** The risks, one line each with their effects at one column, and the reason. */
  #foot(about: AskedCall, width: number): Foot {
    const { paint, glyphs } = this.#look;
    const { dangers = [], cautions = [] } = about;
    const risks = [
      ...dangers.map((risk) => ({ ...risk, colour: 'error' as const })),
      ...cautions.map((risk) => ({ ...risk, colour: 'warning' as const })),
    ];
    const part = (text: string) =>
      truncateText(
        visibleText(text).replaceAll(/\s+/g, ' ').replaceAll('…', glyphs.ellipsis),
        Math.max(8, Math.floor(width * 0.4)),
        glyphs.ellipsis,
      );
    const column = Math.max(0, ...risks.map((risk) => textWidth(part(risk.part)))) + 3;
    const lines = risks.flatMap(({ colour, effect, ...risk }) => {
      const lead = part(risk.part);
      const rows = wrapText(visibleText(effect), Math.max(10, width - 2 - column));
      return rows.map((row, index) =>
        index === 0
          ? `${paint(colour, '!')} ${paint(colour, lead)}${' '.repeat(column - textWidth(lead))}${row}`
          : ' '.repeat(2 + column) + row,
      );
    });
    const why = `Why you're asked: ${this.#prose(visibleText(about.reason))}`;
    const list = lines.map((line) => truncateText(line, width, glyphs.ellipsis));
    const whole = [...list, ...wrapText(why, width).map((line) => paint('muted', line))];
    return { whole, short: [...list, paint('muted', truncateText(why, width, glyphs.ellipsis))] };
  }

  /** As in answers, code has backticks only where there are no colours. */
  #prose(text: string): string {
    return this.#look.paint('mdCode', 'x') === 'x' ? text : text.replaceAll(/`([^`]+)`/g, '$1');
  }

  /** The foot in a few rows: first the reason gets a single one, then the last risks are only counted. */
  #fitFoot(
    { whole, short }: Foot,
    { most, width }: { readonly most: number; readonly width: number },
  ): readonly string[] {
    if (whole.length <= most) return whole;
    if (short.length <= most) return short;
    const { paint, glyphs } = this.#look;
    const hidden = short.length - most + 1;
    const text = `${glyphs.ellipsis} ${hidden} more line${hidden === 1 ? '' : 's'}`;
    return [...short.slice(0, most - 1), paint('dim', truncateText(text, width))];
  }
}

/** The model's description of a command. */
function descriptionOf(about: AskedCall | undefined): string {
  const [first] = about?.access ?? [];
  const input = about?.call.input;
  if (first?.kind !== 'run' || typeof input !== 'object' || input === null) return '';
  const description = 'description' in input ? input['description'] : undefined;
  return typeof description === 'string' ? visibleText(description).replaceAll(/\s+/g, ' ').trim() : '';
}

interface QuestionRows {
  readonly rule: string;
  readonly head: readonly string[];
  readonly lines: LazyRows;
  readonly foot: Foot;
}

/** The rows below the subject: with the reason in full, and in a single row. */
interface Foot {
  readonly whole: readonly string[];
  readonly short: readonly string[];
}

interface WholeText {
  readonly head: readonly string[];
  readonly body: LazyRows;
  readonly foot: readonly string[];
  readonly spare: number;
}

function blankAnd(lines: LazyRows): number {
  return lines.length === 0 ? 0 : lines.length + 1;
}

/** Rows one below the other, still painted only when they are asked for. */
function joinRows(parts: readonly LazyRows[]): LazyRows {
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
