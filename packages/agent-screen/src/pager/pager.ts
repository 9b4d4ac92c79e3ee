import { pluralize } from '@robota-sdk/agent-sdk/front-end';
import {
  filterEscapes,
  Input,
  type InputEvent,
  type KeyEvent,
  plainText,
  truncateText,
} from '@robota-sdk/agent-tui';
import type { ShownItem } from '../items/fold-reads.ts';
import { leadOf, type renderItem } from '../items/render-item.ts';
import type { Panel, Stage } from '../stage/stage.ts';
import { ItemLines } from './item-lines.ts';
import { highlightMarks, ItemSearch } from './item-search.ts';
import { itemText } from './item-text.ts';
import { renderPagerHead, renderPagerHints } from './render-pager-bars.ts';
import { lettersBefore, lineOfLetter } from './same-place.ts';
import { type ItemLine, Viewport, type ViewRow } from './viewport.ts';

export interface PagerOptions {
  readonly items: readonly ShownItem[];
  readonly stage: Pick<Stage, 'look' | 'keys' | 'copy' | 'refresh' | 'format'>;
  readonly isThinkingHidden?: boolean;
  readonly render?: typeof renderItem;
  onClose(): void;
}

interface Size {
  readonly columns: number;
  readonly height: number;
}

/** The history: every item, to expand, search and copy. */
export class Pager implements Panel {
  rows = 24;
  readonly #options: PagerOptions;
  readonly #items: ShownItem[];
  readonly #lines: ItemLines;
  readonly #viewport: Viewport;
  readonly #typed: ReadonlyMap<string, () => void>;
  #selected: number;
  #search: ItemSearch | undefined;
  /** The position of the last match. */
  #hit: ItemLine | undefined;
  /** The search input. */
  #input: Input | undefined;
  /** The character that stays at the top when the size changes, until the user scrolls. */
  #anchor: { readonly top: ItemLine; readonly letters: number } | undefined;
  #status = '';
  #isOpened = false;

  constructor(options: PagerOptions) {
    this.#options = options;
    this.#items = [...options.items];
    const { look, format } = options.stage;
    this.#lines = new ItemLines({
      items: this.#items,
      look,
      format,
      ...(options.render && { render: options.render }),
    });
    this.#lines.isThinkingHidden = options.isThinkingHidden ?? false;
    const items = this.#items;
    this.#viewport = new Viewport({
      get count() {
        return items.length;
      },
      linesOf: (item) => this.#lines.at(item),
    });
    this.#selected = Math.max(0, items.length - 1);
    this.#typed = this.#typedKeys();
  }

  /** How many items are drawn at present. */
  get drawn(): number {
    return this.#lines.kept;
  }

  /** Adds later items; at the end, the view follows. */
  show(items: readonly ShownItem[]): void {
    const isAtEnd = this.#viewport.isFollowing && this.#selected >= this.#items.length - 1;
    this.#items.splice(0, this.#items.length, ...items);
    this.#lines.clear();
    const last = Math.max(0, items.length - 1);
    this.#selected = isAtEnd ? last : Math.min(this.#selected, last);
    if (this.#isOpened) this.#viewport.settle();
  }

  cancel(): void {
    this.#options.onClose();
  }

  invalidate(): void {
    this.#lines.clear();
  }

  handleInput(event: InputEvent): boolean {
    if (this.#input) return this.#input.handleInput(event);
    if (event.type !== 'key' || event.action === 'release') return false;
    this.#status = '';
    return this.#handleAction(event) || this.#handleTyped(event);
  }

  render(width: number): readonly string[] {
    const height = Math.max(1, this.rows - 2);
    const columns = Math.max(1, width - 1);
    if (!this.#isOpened) this.#open({ columns, height });
    else if (this.#lines.columns !== columns || this.#viewport.height !== height)
      this.#resize({ columns, height });
    const rows = this.#viewport.rows();
    const pointer = this.#pointerIn(rows);
    const body = rows.map((row) => this.#drawRow(row, { isPointed: row === pointer, width }));
    const blank = Array.from({ length: height - body.length }, () => '');
    const { stage } = this.#options;
    const head = renderPagerHead({
      stage,
      width,
      place: this.#selected + 1,
      count: this.#items.length,
      search: this.#search,
    });
    return [head, ...body, ...blank, ...this.#foot(width)].slice(0, Math.max(1, this.rows));
  }

  #foot(width: number): readonly string[] {
    const { stage } = this.#options;
    if (this.#input) return this.#input.render(width);
    if (this.#status === '') return [renderPagerHints({ stage, width, search: this.#search })];
    return [truncateText(` ${filterEscapes(this.#status)}`, width, stage.look.glyphs.ellipsis)];
  }

  #open({ columns, height }: Size): void {
    this.#isOpened = true;
    this.#lines.columns = columns;
    this.#viewport.settle(height);
    this.#viewport.toEnd();
  }

  /** The top item stays at the top, though its lines are wrapped differently. */
  #resize({ columns, height }: Size): void {
    const { top } = this.#viewport;
    const hit = this.#hit;
    // The same letter again and again, else each size would lead a little further away.
    const isUnmoved = this.#anchor?.top === top;
    const letters = isUnmoved ? this.#anchor?.letters : lettersBefore(this.#lines.at(top.item), top.line);
    const hitLetters = hit ? lettersBefore(this.#lines.at(hit.item), hit.line) : 0;
    this.#lines.columns = columns;
    const line = top.line === 0 ? 0 : lineOfLetter(this.#lines.at(top.item), letters ?? 0);
    if (hit) this.#hit = { ...hit, line: lineOfLetter(this.#lines.at(hit.item), hitLetters) };
    this.#viewport.resize(height, { item: top.item, line });
    this.#anchor = { top: this.#viewport.top, letters: letters ?? 0 };
  }

  #handleAction(event: KeyEvent): boolean {
    const { keys } = this.#options.stage;
    const page = Math.max(1, this.#viewport.height - 1);
    if (keys.matches(event, 'app.thinking.toggle')) return this.#toggleThinking();
    return keys.run(event, {
      'tui.select.up': () => this.#step(-1),
      'tui.select.down': () => this.#step(1),
      'tui.select.pageUp': () => this.#scroll(-page),
      'tui.select.pageDown': () => this.#scroll(page),
      'tui.select.confirm': () => this.#turn(),
      'tui.select.cancel': () => {
        if (!this.#search) this.#options.onClose();
        this.#search = undefined;
      },
      'app.tools.expand': () => this.#options.onClose(),
      'tui.editor.cursorLineStart': () => this.#goTo('start'),
      'tui.editor.cursorLineEnd': () => this.#goTo('end'),
    });
  }

  #handleTyped(event: KeyEvent): boolean {
    const handler = this.#typed.get(event.text);
    handler?.();
    return handler !== undefined;
  }

  #typedKeys(): ReadonlyMap<string, () => void> {
    const page = () => Math.max(1, this.#viewport.height - 1);
    return new Map([
      ['q', () => this.#options.onClose()],
      ['j', () => this.#step(1)],
      ['k', () => this.#step(-1)],
      [' ', () => this.#scroll(page())],
      ['b', () => this.#scroll(-page())],
      ['g', () => this.#goTo('start')],
      ['G', () => this.#goTo('end')],
      ['[', () => this.#jump(-1)],
      [']', () => this.#jump(1)],
      ['e', () => this.#turnAll()],
      ['y', () => this.#copy()],
      ['/', () => this.#askWords()],
      ['n', () => this.#find(1)],
      ['N', () => this.#find(-1)],
    ]);
  }

  #goTo(end: 'start' | 'end'): void {
    if (end === 'start') this.#viewport.toStart();
    else this.#viewport.toEnd();
    this.#selected = end === 'start' ? 0 : Math.max(0, this.#items.length - 1);
  }

  #scroll(rows: number): void {
    this.#viewport.scroll(rows);
    this.#selectInSight();
  }

  /** Goes through a long item line by line, and then to the next one. */
  #step(direction: 1 | -1): void {
    const lines = this.#lines.at(this.#selected);
    const edge = { item: this.#selected, line: direction > 0 ? lines.length - 1 : 0 };
    if (lines.length > 0 && !this.#isInSight(edge)) return this.#viewport.scroll(direction);
    const next = this.#nextShown(this.#selected, direction);
    if (next !== undefined) this.#select(next);
  }

  /** Items may have nothing to show, such as the end of a run in another program. */
  #nextShown(from: number, direction: 1 | -1): number | undefined {
    for (let index = from + direction; index >= 0 && index < this.#items.length; index += direction)
      if (this.#lines.at(index).length > 0) return index;
    return undefined;
  }

  #select(index: number): void {
    this.#selected = index;
    this.#viewport.reveal({ item: index, line: Math.max(0, this.#lines.at(index).length - 1) });
    this.#viewport.reveal({ item: index, line: 0 });
  }

  #isInSight(place: ItemLine): boolean {
    return this.#viewport.rows().some(({ item, line }) => item === place.item && line === place.line);
  }

  #selectInSight(): void {
    const rows = this.#viewport.rows();
    if (rows.some(({ item }) => item === this.#selected)) return;
    const begun = rows.find(({ line }) => line === 0) ?? rows[0];
    if (begun) this.#selected = begun.item;
  }

  /** To the prompt before or behind. */
  #jump(direction: 1 | -1): void {
    const isPrompt = (index: number) => this.#items[index]?.kind === 'user';
    for (
      let index = this.#selected + direction;
      index >= 0 && index < this.#items.length;
      index += direction
    ) {
      if (!isPrompt(index)) continue;
      this.#selected = index;
      return this.#viewport.show({ item: index, line: Math.min(this.#leadOf(index), this.#lastLine(index)) });
    }
    this.#status = direction > 0 ? 'No later prompt.' : 'No earlier prompt.';
  }

  /** Calls, commands and long prompts have more to show than they do at first. */
  #turn(): void {
    const before = this.#lines.at(this.#selected);
    this.#lines.turn(this.#selected);
    if (this.#lines.at(this.#selected).join('\n') === before.join('\n')) {
      this.#lines.turn(this.#selected);
      this.#status = 'Already shown in full.';
      return;
    }
    this.#viewport.settle();
    this.#viewport.reveal({
      item: this.#selected,
      line: Math.min(this.#leadOf(this.#selected), this.#lastLine(this.#selected)),
    });
  }

  #turnAll(): void {
    this.#lines.turnAll();
    this.#viewport.settle();
    this.#select(this.#selected);
  }

  #toggleThinking(): boolean {
    this.#lines.isThinkingHidden = !this.#lines.isThinkingHidden;
    this.#lines.clear();
    this.#viewport.settle();
    return true;
  }

  #copy(): void {
    const item = this.#items[this.#selected];
    const text = item ? filterEscapes(itemText(item)) : '';
    if (text === '') {
      this.#status = 'Nothing to copy here.';
      return;
    }
    void this.#options.stage.copy(text);
    this.#status = `Copied ${pluralize(text.split('\n').length, 'line')}.`;
  }

  #askWords(): void {
    const { keys, look } = this.#options.stage;
    const input = new Input({
      keybindings: keys,
      look,
      prompt: '/',
      onSubmit: (words) => {
        this.#input = undefined;
        this.#search = words === '' ? undefined : new ItemSearch(this.#items, words);
        this.#hit = undefined;
        if (words !== '') this.#findFirst();
      },
      onCancel: () => {
        this.#input = undefined;
      },
    });
    input.isFocused = true;
    this.#input = input;
  }

  /** The first match at or after the top comes first. */
  #findFirst(): void {
    const search = this.#search;
    if (!search) return;
    const { item } = this.#viewport.top;
    const first = search.hits.find((index) => index >= item) ?? search.hits[0];
    if (first === undefined) this.#status = `"${search.query}" was not found.`;
    else this.#showHit(first, 1);
  }

  #find(direction: 1 | -1): void {
    const search = this.#search;
    if (!search) return this.#askWords();
    const { item, line } = this.#hit ?? { item: this.#selected, line: -1 };
    const lines = search.linesIn(this.#lines.at(item));
    const further = direction > 0 ? lines.find((at) => at > line) : lines.findLast((at) => at < line);
    if (this.#hit && further !== undefined) return this.#showLine({ item, line: further });
    const next = search.next(item, direction);
    if (next === undefined) this.#status = `"${search.query}" was not found.`;
    else this.#showHit(next, direction);
  }

  /** A hit in what is folded unfolds it. */
  #showHit(index: number, direction: 1 | -1): void {
    const search = this.#search;
    if (!search) return;
    let lines = search.linesIn(this.#lines.at(index));
    if (lines.length === 0 && !this.#lines.isWhole(index)) {
      this.#lines.turn(index);
      lines = search.linesIn(this.#lines.at(index));
    }
    this.#showLine({ item: index, line: (direction > 0 ? lines[0] : lines.at(-1)) ?? 0 });
  }

  #showLine(place: ItemLine): void {
    this.#hit = place;
    this.#selected = place.item;
    this.#viewport.settle();
    this.#viewport.reveal(place);
  }

  #leadOf(index: number): number {
    const item = this.#items[index];
    if (!item) return 0;
    const { look, format } = this.#options.stage;
    const previous = this.#items[index - 1];
    return leadOf(item, { look, format, columns: this.#lines.columns, previous }).length;
  }

  #lastLine(index: number): number {
    return Math.max(0, this.#lines.at(index).length - 1);
  }

  /** The row that the pointer stands at: the first of the selected item that is not only there for its section. */
  #pointerIn(rows: readonly ViewRow[]): ViewRow | undefined {
    const own = rows.filter(({ item }) => item === this.#selected);
    const lead = this.#leadOf(this.#selected);
    return own.find(({ line }) => line >= lead) ?? own[0];
  }

  #drawRow(row: ViewRow, { isPointed, width }: { isPointed: boolean; width: number }): string {
    const { look } = this.#options.stage;
    const { glyphs, paint } = look;
    const isOwn = row.item === this.#selected && row.line >= this.#leadOf(row.item);
    const gutter = isPointed ? paint('accent', glyphs.submenu) : isOwn ? paint('dim', glyphs.vertical) : ' ';
    const marks = this.#search?.marksIn(plainText(row.text)) ?? [];
    const text = marks.length === 0 ? row.text : highlightMarks(row.text, marks);
    return truncateText(gutter + text, width, glyphs.ellipsis);
  }
}
