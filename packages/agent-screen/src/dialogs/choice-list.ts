import {
  type Component,
  fuzzyMatch,
  Input,
  type InputEvent,
  type KeyEvent,
  matchesKey,
  textWidth,
  truncateText,
} from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { renderChoice } from './render-choice.ts';

/** Something that can be chosen. */
export interface Choice {
  readonly label: string;
  readonly description: string;
}

/** Options and callbacks of a list of choices. */
export interface ChoiceListOptions {
  readonly choices: readonly Choice[];
  readonly look: AppStyle;
  readonly keys: AppKeybindings;
  /** Several may be chosen: they are marked first, then taken together. */
  readonly isMultiple: boolean;
  /** Typing narrows the list; else the choices are numbered. */
  readonly hasSearch: boolean;
  /** The notes begin at a fixed column if the width allows it, and are left out where it is narrow. */
  readonly hasFixedNotes?: boolean;
  /** The last choice stays, whatever is searched for. */
  readonly keepsLast: boolean;
  /** These were taken, by index. */
  onTake(indexes: readonly number[]): void;
}

/** The column of notes, and the width that it leaves to numbered labels. */
const notesColumn = 50;
const notesWidth = notesColumn - 8;
/** In a narrower terminal, notes at a fixed column would take the rows of what is asked about. */
const narrowWidth = 60;

/** The number of a choice, as it stands before its label. */
export function numberOf(index: number): string {
  return index < 9 ? `${index + 1}  ` : '   ';
}

/** Choices of which none is cut: long ones take several rows. They are chosen by arrows, or found by typing. */
export class ChoiceList implements Component {
  /** How many rows it may take. */
  rows = 10;
  /** Keys choose now, so one choice is marked as selected. */
  isActive = true;
  /** The row of a choice while text is typed into it. */
  written: { readonly index: number; readonly row: string } | undefined;
  readonly #options: ChoiceListOptions;
  readonly #search: Input | undefined;
  readonly #marked = new Set<number>();
  #found: readonly number[];
  #selected = 0;
  #isTooFew = false;

  constructor(options: ChoiceListOptions) {
    this.#options = options;
    this.#found = options.choices.map((_, index) => index);
    if (!options.hasSearch) return;
    this.#search = new Input({ look: options.look, keybindings: options.keys, prompt: 'Search: ' });
    this.#search.isFocused = true;
  }

  /** The search text. */
  get query(): string {
    return this.#search?.value.trim() ?? '';
  }

  /** How many choices there are, whatever is searched for. */
  get count(): number {
    return this.#options.choices.length;
  }

  /** The choice that enter would take. */
  get selected(): number | undefined {
    return this.#found[this.#selected];
  }

  /** How many rows show all of it. */
  wantedRows(width: number): number {
    return this.#blocks(width).flat().length + (this.#search ? 1 : 0);
  }

  /** Goes to a choice, which marks it where several can be chosen. */
  pointAt(index: number): void {
    this.#isTooFew = false;
    this.#selected = Math.max(0, this.#found.indexOf(index));
    if (this.#options.isMultiple) this.#toggle(index);
  }

  render(width: number): readonly string[] {
    const head = [...(this.#search?.render(width) ?? []), ...this.#notes(width)];
    const room = Math.max(1, this.rows - head.length);
    const blocks = this.#blocks(width);
    const lines = blocks.flat();
    if (lines.length <= room) return [...head, ...lines];
    const height = Math.max(1, room - 1);
    const start = blocks.slice(0, this.#selected).flat().length;
    const end = start + (blocks[this.#selected]?.length ?? 1);
    const middle = Math.floor((start + end - height) / 2);
    const first = Math.max(0, Math.min(end - start > height ? start : middle, lines.length - height));
    return [...head, ...lines.slice(first, first + height), this.#position(width)].slice(0, this.rows);
  }

  handleInput(event: InputEvent): boolean {
    if (event.type === 'key' && event.action !== 'release' && this.#handleKey(event)) return true;
    if (!this.#search || (event.type !== 'key' && event.type !== 'paste')) return false;
    const before = this.#search.value;
    const isTaken = this.#search.handleInput(event);
    if (this.#search.value !== before) this.#narrow();
    return isTaken;
  }

  #handleKey(event: KeyEvent): boolean {
    this.#isTooFew = false;
    const isTaken = this.#options.keys.run(event, {
      'tui.select.up': () => this.#step(-1),
      'tui.select.down': () => this.#step(1),
      'tui.select.pageUp': () => this.#page(-this.rows),
      'tui.select.pageDown': () => this.#page(this.rows),
      'tui.select.confirm': () => this.#take(),
    });
    return isTaken || this.#markKey(event);
  }

  #markKey(event: KeyEvent): boolean {
    if (!this.#options.isMultiple) return false;
    const isMark = matchesKey(event, 'tab') || (matchesKey(event, 'space') && this.query === '');
    const index = this.#found[this.#selected];
    if (!isMark || index === undefined) return false;
    this.#toggle(index);
    return true;
  }

  #toggle(index: number): void {
    if (this.#isKept(index)) return;
    if (!this.#marked.delete(index)) this.#marked.add(index);
  }

  #take(): void {
    const index = this.#found[this.#selected];
    if (index === undefined) return;
    if (!this.#options.isMultiple || this.#isKept(index)) return this.#options.onTake([index]);
    const marked = [...this.#marked].sort((a, b) => a - b);
    if (marked.length > 0) return this.#options.onTake(marked);
    this.#isTooFew = true;
  }

  #step(direction: 1 | -1): void {
    const count = Math.max(1, this.#found.length);
    const next = this.#selected + direction;
    // Denials are last, approvals first: one step too far down must not end at an approval.
    const isStopped = this.#search === undefined && next === count;
    this.#selected = isStopped ? count - 1 : (next + count) % count;
  }

  #page(distance: number): void {
    this.#selected = Math.max(0, Math.min(this.#found.length - 1, this.#selected + distance));
  }

  #narrow(): void {
    const { query } = this;
    const { choices } = this.#options;
    this.#found = choices
      .map(({ label, description }, index) => ({
        index,
        score: this.#isKept(index) ? Number.MAX_VALUE : fuzzyMatch(query, `${label} ${description}`),
      }))
      .filter(({ score }) => score !== undefined)
      .sort((a, b) => (a.score ?? 0) - (b.score ?? 0))
      .map(({ index }) => index);
    this.#selected = 0;
  }

  /** True if it is the choice to write something else, which is none to be marked or searched for. */
  #isKept(index: number): boolean {
    return this.#options.keepsLast && index === this.#options.choices.length - 1;
  }

  #blocks(width: number): readonly (readonly string[])[] {
    const { choices, look, isMultiple, hasSearch, hasFixedNotes } = this.#options;
    const shown = this.#found.flatMap((index) => {
      const choice = choices[index];
      if (choice === undefined) return [];
      return [
        { index, choice: hasFixedNotes && width < narrowWidth ? { ...choice, description: '' } : choice },
      ];
    });
    const described = shown.filter(({ choice }) => choice.description !== '');
    const widest = Math.max(0, ...described.map(({ choice }) => textWidth(choice.label)));
    const note = Math.max(0, ...described.map(({ choice }) => textWidth(choice.description)));
    const isFixed = hasFixedNotes && width >= notesColumn + note;
    const labelWidth = isFixed ? Math.max(notesWidth, widest) : widest;
    return shown.map(({ choice, index }, place) => {
      if (this.written?.index === index) return [this.written.row];
      const hasMark = isMultiple && !this.#isKept(index);
      const box = this.#marked.has(index) ? look.glyphs.taskDone : look.glyphs.taskOpen;
      const mark = `${hasSearch ? '' : numberOf(index)}${hasMark ? `${box} ` : ''}`;
      const isSelected = this.isActive && place === this.#selected;
      return renderChoice(choice, { look, width, labelWidth, isSelected, mark });
    });
  }

  #notes(width: number): readonly string[] {
    const { look } = this.#options;
    if (this.#isTooFew) return [look.paint('warning', truncateText('Mark at least one with space.', width))];
    return this.#found.length > 0 ? [] : [look.paint('dim', truncateText('Nothing found', width))];
  }

  #position(width: number): string {
    const text = `  ${this.#selected + 1}/${this.#found.length}`;
    return this.#options.look.paint('dim', truncateText(text, width));
  }
}
