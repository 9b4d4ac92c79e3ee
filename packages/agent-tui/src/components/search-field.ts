import type { InputEvent } from '../input/input-event.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import { graphemesOf } from '../text/grapheme-width.ts';
import { cursorMark, textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { oneLine, type RenderStyle } from './render-style.ts';

/** A paste may be longer. */
const longestSearch = 200;

/** The text that narrows a list; it is edited at its end only. */
export class SearchField {
  readonly #keys: Keybindings;
  text = '';

  constructor(keys: Keybindings) {
    this.#keys = keys;
  }

  /** Takes a key or a paste; true if the text changed. */
  handleInput(event: InputEvent): boolean {
    const before = this.text;
    if (event.type === 'paste') this.text += oneLine(event.text.slice(0, longestSearch));
    else if (event.type === 'key') this.#press(event);
    this.text = this.text.slice(0, longestSearch);
    return this.text !== before;
  }

  /** One line with the text, and the caret if the field has the focus. */
  render(
    width: number,
    { look, isFocused }: { readonly look: RenderStyle; readonly isFocused: boolean },
  ): string {
    const label = 'Search: ';
    // The end stays visible, since typing continues there.
    const room = Math.max(1, width - label.length - 1);
    const characters = [...graphemesOf(this.text)];
    while (textWidth(characters.join('')) > room) characters.shift();
    const line = `${look.paint('muted', label)}${characters.join('')}`;
    return truncateText(line, width, '') + (isFocused ? cursorMark : '');
  }

  #press(event: KeyEvent): void {
    if (this.#keys.matches(event, 'tui.editor.deleteCharBackward')) {
      this.text = [...graphemesOf(this.text)].slice(0, -1).join('');
      return;
    }
    const isDeletion = this.#keys.find(event, [
      'tui.editor.deleteToLineStart',
      'tui.editor.deleteWordBackward',
    ]);
    if (isDeletion === 'tui.editor.deleteToLineStart') this.text = '';
    else if (isDeletion) this.text = this.text.trimEnd().replace(/(?<!\S)\S+$/u, '');
    else if (event.action !== 'release') this.text += oneLineKeepingBlanks(event.text);
  }
}

function oneLineKeepingBlanks(typed: string): string {
  return typed === ' ' ? ' ' : oneLine(typed);
}
