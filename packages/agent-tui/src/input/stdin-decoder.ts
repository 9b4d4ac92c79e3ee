import type { InputEvent } from './input-event.ts';
import { readSequence } from './read-sequence.ts';
import { characterKey, keyEvent } from './text-key.ts';

const escapeCharacter = '\x1b';
const pasteEnd = '\x1b[201~';
/** Every control character ends a string, in one way or another. */
const stringEnd = /[\p{Cc}]/u;
/** Sequences that may be a key by themselves or the start of a longer one. */
const ambiguous = new RegExp(`^${escapeCharacter}{1,2}[[O\\]P_]?$`);

/**
 * Makes events of a terminal's input. The bytes may be cut anywhere: the events are the same. Only time tells a lone
 * escape key from the beginning of a sequence, so the owner calls {@link flush} when no more came for a while.
 */
export class StdinDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  /** A sequence whose end has not arrived. */
  #pending = '';
  /** The pieces of a paste whose end has not arrived. */
  #paste: string[] | undefined;
  #isInNoise = false;

  /**
   * The state of the decoder: idle, waiting for the rest of a key, which comes at once if at all, or for the rest of
   * something longer.
   */
  get waiting(): 'nothing' | 'briefly' | 'long' {
    if (this.#paste || this.#pending === '') return 'nothing';
    return ambiguous.test(this.#pending) ? 'briefly' : 'long';
  }

  /** Takes the next bytes and tells what they say. */
  push(bytes: Uint8Array): InputEvent[] {
    return this.#read(this.#utf8.decode(bytes, { stream: true }));
  }

  /** Tells what an unfinished sequence means if nothing follows it. */
  flush(): InputEvent[] {
    if (this.#paste) return [];
    this.#isInNoise = false;
    const rest = this.#pending;
    this.#pending = '';
    if (!ambiguous.test(rest)) return [];
    const isDouble = rest.startsWith(escapeCharacter + escapeCharacter);
    const letter = rest.slice(isDouble ? 2 : 1);
    const last = letter === '' ? keyEvent('escape') : characterKey(letter, { alt: true });
    return isDouble ? [keyEvent('escape'), last] : [last];
  }

  #read(chunk: string): InputEvent[] {
    const text = this.#pending + chunk;
    this.#pending = '';
    const events: InputEvent[] = [];
    let position = 0;
    while (position < text.length) {
      if (this.#isInNoise) position = this.#skipNoise(text, position);
      else if (this.#paste) position = this.#readPaste(text, position, events);
      else if (text[position] === escapeCharacter) position = this.#readEscape(text, position, events);
      else position = readCharacter(text, position, events);
    }
    return events;
  }

  #readEscape(text: string, start: number, events: InputEvent[]): number {
    const found = readSequence(text, start);
    if (!found) {
      this.#pending = text.slice(start);
      return text.length;
    }
    if (found.event) events.push(found.event);
    if (found.opens === 'paste') this.#paste = [];
    this.#isInNoise = found.opens === 'noise';
    return found.end;
  }

  /** Leaves out the rest of an endless string, up to its end or to the next sequence. */
  #skipNoise(text: string, start: number): number {
    const length = text.slice(start).search(stringEnd);
    if (length < 0) return text.length;
    const end = start + length;
    if (text[end] === escapeCharacter && end + 1 >= text.length) {
      this.#pending = escapeCharacter;
      return text.length;
    }
    this.#isInNoise = false;
    if (text[end] !== escapeCharacter) return end + 1;
    return text[end + 1] === '\\' ? end + 2 : end;
  }

  #readPaste(text: string, start: number, events: InputEvent[]): number {
    const pieces = this.#paste ?? [];
    const end = text.indexOf(pasteEnd, start);
    if (end < 0) {
      const kept = text.length - partialEnd(text, start);
      pieces.push(text.slice(start, kept));
      this.#pending = text.slice(kept);
      return text.length;
    }
    pieces.push(text.slice(start, end));
    this.#paste = undefined;
    events.push({ type: 'paste', text: pieces.join('').replace(/\r\n?/g, '\n') });
    return end + pasteEnd.length;
  }
}

function readCharacter(text: string, position: number, events: InputEvent[]): number {
  const code = text.codePointAt(position) ?? 0;
  const character = String.fromCodePoint(code);
  // Eight-bit controls and broken UTF-8 are line noise, not typed keys.
  const isNoise = (code >= 0x80 && code < 0xa0) || code === 0xfffd;
  if (!isNoise) events.push(characterKey(character));
  return position + character.length;
}

/** How many characters at the end of a text may belong to the mark that ends a paste. */
function partialEnd(text: string, start: number): number {
  const most = Math.min(pasteEnd.length - 1, text.length - start);
  for (let length = most; length > 0; length--) {
    if (pasteEnd.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
