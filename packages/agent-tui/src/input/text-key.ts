import type { KeyEvent } from '../keys/key-event.ts';
import { composeKeyId, type Modifiers } from '../keys/key-id.ts';

/** The fields of a key event; the rest has the values of a plain press. */
export interface KeyDescription {
  readonly modifiers?: Modifiers;
  readonly otherIds?: readonly string[];
  readonly text?: string;
  readonly action?: KeyEvent['action'];
}

/** A key event of a key by its name. */
export function keyEvent(key: string, parts: KeyDescription = {}): KeyEvent {
  const { modifiers = {}, otherIds = [], text = '', action = 'press' } = parts;
  return { type: 'key', id: composeKeyId(key, modifiers), otherIds, text, action };
}

/** The key for one character of input, as terminals without a keyboard protocol send it. */
export function characterKey(character: string, modifiers: Modifiers = {}): KeyEvent {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return controlKey(code, modifiers);
  const isTyping = !modifiers.ctrl && !modifiers.alt && !modifiers.super;
  const text = isTyping ? character : '';
  if (character === ' ') return keyEvent('space', { modifiers, text });
  const lower = character.toLowerCase();
  if (lower === character) return keyEvent(character, { modifiers, text });
  return keyEvent(lower, { modifiers: { ...modifiers, shift: true }, text });
}

const controlNames: Readonly<Record<number, readonly [name: string, ...others: string[]]>> = {
  0: ['space', '@', '2'],
  28: ['\\', '4'],
  29: [']', '5'],
  30: ['^', '6'],
  31: ['-', '_', '/', '7'],
};

const plainControls: Readonly<Record<number, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

function controlKey(code: number, modifiers: Modifiers): KeyEvent {
  const plain = plainControls[code];
  if (plain !== undefined) return keyEvent(plain, { modifiers });
  const [key = '', ...others] = controlNames[code] ?? [String.fromCharCode(code + 0x60)];
  const held = { ...modifiers, ctrl: true };
  return keyEvent(key, { modifiers: held, otherIds: others.map((other) => composeKeyId(other, held)) });
}
