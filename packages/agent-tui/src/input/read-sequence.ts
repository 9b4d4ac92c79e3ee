import type { KeyEvent } from '../keys/key-event.ts';
import { decodeCsiKey, decodeLinuxKey, decodeSs3Key } from './decode-key.ts';
import { decodeCsiResponse, decodeStringResponse } from './decode-response.ts';
import type { InputEvent } from './input-event.ts';
import { characterKey, keyEvent } from './text-key.ts';

/** A sequence that was read: the position after it, and its event, if any. */
export interface ReadSequence {
  readonly end: number;
  readonly event?: InputEvent | undefined;
  /** The kind of input that follows: a paste, or the rest of a string that is too long to be an answer. */
  readonly opens?: 'paste' | 'noise';
}

const escapeCharacter = '\x1b';
/** No answer and no key is as long; what is longer is noise. */
const stringLimit = 8192;
const parametersLimit = 64;
type Range = readonly [low: string, high: string];
const parameterRange: Range = ['0', '?'];
const intermediateRange: Range = [' ', '/'];
const finalRange: Range = ['@', '~'];
const digitRange: Range = ['0', ';'];
/** The starts of a terminal's answers; anything else after these letters is a key with alt. */
const answers: Readonly<Record<string, RegExp>> = {
  ']': /^\d/,
  P: /^[\d>!+$]/,
  _: /^G/,
};

/** Reads the sequence that begins with the escape at `start`; nothing if its end has not arrived yet. */
export function readSequence(text: string, start: number): ReadSequence | undefined {
  const opener = text[start + 1];
  if (opener === undefined) return undefined;
  if (opener === '[') return readCsi(text, start);
  if (opener === 'O') return readSs3(text, start);
  if (opener === escapeCharacter) return readDoubleEscape(text, start);
  if (answers[opener]) return readString(text, start, opener);
  return altKey(text, start);
}

/** Alt and a character: an escape before it. */
function altKey(text: string, start: number): ReadSequence {
  const character = String.fromCodePoint(text.codePointAt(start + 1) ?? 0);
  return { end: start + 1 + character.length, event: characterKey(character, { alt: true }) };
}

function readCsi(text: string, start: number): ReadSequence | undefined {
  let position = start + 2;
  if (text[position] === '[') {
    const letter = text[position + 1];
    return letter === undefined ? undefined : { end: position + 2, event: decodeLinuxKey(letter) };
  }
  if (text[position] === 'M') return text.length < position + 4 ? undefined : { end: position + 4 };
  const limit = position + parametersLimit;
  while (position < limit && isIn(parameterRange, text[position])) position++;
  if (position === limit) return { end: position };
  const parameters = text.slice(start + 2, position);
  // rxvt ends keys with shift in a dollar sign, which elsewhere comes before the last letter.
  if (text[position] === '$' && /^\d+$/.test(parameters))
    return { end: position + 1, event: decodeCsiKey(parameters, '$') };
  const finalStart = position;
  while (position < limit && isIn(intermediateRange, text[position])) position++;
  if (position >= text.length) return undefined;
  if (!isIn(finalRange, text[position]))
    return position === start + 2 ? altKey(text, start) : { end: position };
  return csiResult(parameters, text.slice(finalStart, position + 1), position + 1);
}

function csiResult(parameters: string, final: string, end: number): ReadSequence {
  if (parameters === '200' && final === '~') return { end, opens: 'paste' };
  const isPlain = /^[\d;:]*$/.test(parameters);
  // A third shift+f3 looks like the report of a cursor in the first row; we never ask for that.
  const isReport = final === 'R' && !/^(1;\d+)?$/.test(parameters);
  const event = isPlain && !isReport ? decodeCsiKey(parameters, final) : undefined;
  return { end, event: event ?? decodeCsiResponse(parameters, final) };
}

function readSs3(text: string, start: number): ReadSequence | undefined {
  let position = start + 2;
  const limit = position + parametersLimit;
  while (position < limit && isIn(digitRange, text[position])) position++;
  const final = text[position];
  if (final === undefined) return undefined;
  const event = decodeSs3Key(text.slice(start + 2, position), final);
  return event ? { end: position + 1, event } : altKey(text, start);
}

/** Two escapes: alt and a key as rxvt sends it, else the escape key and then something else. */
function readDoubleEscape(text: string, start: number): ReadSequence | undefined {
  const third = text[start + 2];
  if (third === undefined) return undefined;
  const single = { end: start + 1, event: keyEvent('escape') };
  if (third !== '[' && third !== 'O') return single;
  const inner = readSequence(text, start + 1);
  if (!inner) return undefined;
  return inner.event?.type === 'key' ? { end: inner.end, event: withAlt(inner.event) } : single;
}

function withAlt(event: KeyEvent): KeyEvent {
  if (/(^|\+)alt\+/.test(event.id)) return event;
  const id = event.id.startsWith('ctrl+') ? event.id.replace('ctrl+', 'ctrl+alt+') : `alt+${event.id}`;
  return { ...event, id, otherIds: [], text: '' };
}

function readString(text: string, start: number, opener: string): ReadSequence | undefined {
  const bodyStart = start + 2;
  if (bodyStart >= text.length) return undefined;
  if (!answers[opener]?.test(text.slice(bodyStart, bodyStart + 1))) return altKey(text, start);
  for (let position = bodyStart; position < text.length; position++) {
    if (position - bodyStart === stringLimit) return { end: position, opens: 'noise' };
    const code = text.charCodeAt(position);
    if (code >= 0x20 && code !== 0x9c) continue;
    const isEscape = code === 0x1b;
    if (isEscape && position + 1 >= text.length) return undefined;
    const isEnd = code === 0x07 || code === 0x9c || (isEscape && text[position + 1] === '\\');
    if (!isEnd) return { end: position };
    const event = decodeStringResponse(opener, text.slice(bodyStart, position));
    return { end: position + (isEscape ? 2 : 1), event };
  }
  return undefined;
}

function isIn([low, high]: Range, character: string | undefined): boolean {
  return character !== undefined && character >= low && character <= high;
}
