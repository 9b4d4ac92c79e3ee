import type { KeyEvent } from '../keys/key-event.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import type { HistoryMatch, InputHistory } from './input-history.ts';
import { previousColumn } from './text/cluster.ts';

const searchActions = [
  'tui.editor.historySearch',
  'tui.select.up',
  'tui.select.down',
  'tui.editor.deleteCharBackward',
  'tui.select.cancel',
  'tui.select.confirm',
  'tui.input.tab',
] as const;

/** A search through what was sent before, narrowed with every letter. */
export class HistorySearch {
  readonly #history: InputHistory;
  #query = '';
  #match: HistoryMatch | undefined;
  #isFailed = false;

  constructor(history: InputHistory) {
    this.#history = history;
  }

  get query(): string {
    return this.#query;
  }

  /** The last match; it stays while a longer query finds nothing. */
  get match(): HistoryMatch | undefined {
    return this.#match;
  }

  /** True if nothing was found for the query as it is. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** The effect of a key: the search continues, its match is taken or dropped, or the key is passed on to the match. */
  handleKey(event: KeyEvent, keybindings: Keybindings): 'stay' | 'take' | 'leave' | 'pass' {
    const action = keybindings.find(event, searchActions);
    if (action === 'tui.select.cancel') return 'leave';
    if (action === 'tui.select.confirm' || action === 'tui.input.tab') return 'take';
    if (action === 'tui.editor.historySearch' || action === 'tui.select.up') this.older();
    else if (action === 'tui.select.down') this.newer();
    else if (action === 'tui.editor.deleteCharBackward') this.erase();
    else if (event.text === '') return 'pass';
    else this.type(event.text);
    return 'stay';
  }

  type(text: string): void {
    this.#query += text.replace(/\s+/g, ' ');
    this.#find(this.#history.search(this.#query, this.#match && this.#match.index + 1));
  }

  erase(): void {
    this.#query = this.#query.slice(0, previousColumn(this.#query, this.#query.length));
    this.#match = undefined;
    this.#isFailed = false;
    if (this.#query !== '') this.#find(this.#history.search(this.#query));
  }

  older(): void {
    this.#find(this.#history.search(this.#query, this.#match?.index));
  }

  newer(): void {
    this.#find(this.#match && this.#history.searchNewer(this.#query, this.#match.index));
  }

  #find(match: HistoryMatch | undefined): void {
    this.#isFailed = match === undefined;
    if (match) this.#match = match;
  }
}
