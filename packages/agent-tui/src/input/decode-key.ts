import type { KeyEvent } from '../keys/key-event.ts';
import { composeKeyId, type Modifiers } from '../keys/key-id.ts';
import {
  firstKeypadCode,
  isPrivateCode,
  keypadByLetter,
  keypadCharacters,
  keysByCode,
  keysByLetter,
  keysByNumber,
} from './key-tables.ts';
import { characterKey, keyEvent } from './text-key.ts';

/** The key of a `CSI parameters final` sequence; nothing if it is none that we know. */
export function decodeCsiKey(parameters: string, final: string): KeyEvent | undefined {
  const fields = parameters.split(';').map((field) => field.split(':').map(Number));
  const [[number = 0] = [], [held = 1, action = 1] = []] = fields;
  const parts = { modifiers: modifiersOf(held), action: actionOf(action) };
  switch (final) {
    case 'u':
      return codeKey(fields);
    case '~': {
      if (number === 27 && fields.length >= 3) return codeKey([fields[2] ?? [], [held]]);
      const key = keysByNumber[number];
      return key === undefined ? undefined : keyEvent(key, parts);
    }
    case 'Z':
      return keyEvent('tab', { ...parts, modifiers: { ...parts.modifiers, shift: true } });
    case '$':
    case '^':
    case '@':
      return rxvtKey(keysByNumber[number], final);
    case 'a':
    case 'b':
    case 'c':
    case 'd':
      return rxvtKey(keysByLetter[final.toUpperCase()], '$');
    default: {
      const key = keysByLetter[final];
      return key === undefined ? undefined : keyEvent(key, parts);
    }
  }
}

/** The key of `SS3 final`: application cursor keys, the first function keys, the keypad, and rxvt's with control. */
export function decodeSs3Key(parameters: string, final: string): KeyEvent | undefined {
  const modifiers = modifiersOf(Number(parameters.split(';').at(-1)) || 1);
  const key = keysByLetter[final];
  if (key !== undefined) return keyEvent(key, { modifiers });
  const keypad = keypadByLetter[final];
  if (keypad !== undefined)
    return keypad === 'enter' ? keyEvent(keypad, { modifiers }) : characterKey(keypad);
  return 'abcd'.includes(final) ? rxvtKey(keysByLetter[final.toUpperCase()], '^') : undefined;
}

/** The function keys of the Linux console, `CSI [ A` to `CSI [ E`. */
export function decodeLinuxKey(letter: string): KeyEvent | undefined {
  const number = 'ABCDE'.indexOf(letter) + 1;
  return number === 0 ? undefined : keyEvent(`f${number}`);
}

/** A key by its code point, with what the keyboard protocol tells besides: shifted key, key of the basic layout, text. */
function codeKey(fields: readonly (readonly number[])[]): KeyEvent | undefined {
  const [[code = 0, shifted = 0, basic = 0] = [], [held = 1, eventType = 1] = [], typed = []] = fields;
  const modifiers = modifiersOf(held);
  const action = actionOf(eventType);
  const typedText = typed
    .filter(isCharacter)
    .map((point) => String.fromCodePoint(point))
    .join('');
  const named = keysByCode[code];
  if (named !== undefined) {
    const isTyped = named === 'space' && action !== 'release' && !isCommand(modifiers);
    return keyEvent(named, { modifiers, action, text: isTyped ? ' ' : '' });
  }
  const functionKey = code >= 57376 && code <= 57398 ? `f${code - 57376 + 13}` : undefined;
  if (functionKey !== undefined) return keyEvent(functionKey, { modifiers, action });
  const character = keypadCharacters[code - firstKeypadCode] ?? '';
  if (character === '' && (isPrivateCode(code) || !isCharacter(code))) return undefined;
  const key = character === '' ? String.fromCodePoint(code) : character;
  return printableKey({ key, shifted, basic, modifiers, action, typedText });
}

interface Printable {
  readonly key: string;
  readonly shifted: number;
  readonly basic: number;
  readonly modifiers: Modifiers;
  readonly action: KeyEvent['action'];
  readonly typedText: string;
}

function printableKey({ key, shifted, basic, modifiers, action, typedText }: Printable): KeyEvent {
  const lower = key.toLowerCase();
  const held = lower === key ? modifiers : { ...modifiers, shift: true };
  const shiftedKey = isCharacter(shifted) ? String.fromCodePoint(shifted) : key.toUpperCase();
  const { shift: _, ...unshifted } = held;
  const otherIds = [
    ...(isCharacter(shifted) && held.shift ? [composeKeyId(shiftedKey.toLowerCase(), unshifted)] : []),
    ...(isCharacter(basic) ? [composeKeyId(String.fromCodePoint(basic), held)] : []),
  ];
  const isTyping = action !== 'release' && !isCommand(held);
  const text = isTyping ? typedText || (held.shift ? shiftedKey : key) : '';
  const id = composeKeyId(lower, held);
  return { type: 'key', id, otherIds: otherIds.filter((other) => other !== id), text, action };
}

function rxvtKey(key: string | undefined, sign: string): KeyEvent | undefined {
  if (key === undefined) return undefined;
  return keyEvent(key, { modifiers: { shift: sign !== '^', ctrl: sign !== '$' } });
}

function modifiersOf(written: number): Modifiers {
  const bits = Math.max(0, written - 1);
  return {
    shift: (bits & 1) !== 0,
    // Meta, which few keyboards have, is what older programs call alt.
    alt: (bits & (2 | 32)) !== 0,
    ctrl: (bits & 4) !== 0,
    super: (bits & 8) !== 0,
  };
}

function actionOf(eventType: number): KeyEvent['action'] {
  if (eventType === 3) return 'release';
  return eventType === 2 ? 'repeat' : 'press';
}

function isCommand(modifiers: Modifiers): boolean {
  return Boolean(modifiers.ctrl || modifiers.alt || modifiers.super);
}

function isCharacter(code: number): boolean {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return Number.isInteger(code) && code >= 0x20 && code !== 0x7f && code <= 0x10ffff && !isSurrogate;
}
