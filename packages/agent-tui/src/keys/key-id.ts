import type { KeyEvent } from './key-event.ts';

/** Modifier keys that are held. */
export interface Modifiers {
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
  readonly super?: boolean;
}

const modifierOrder = ['ctrl', 'alt', 'shift', 'super'] as const;
const namedKeys =
  'escape enter tab space backspace delete insert clear home end pageUp pageDown up down left right'.split(
    ' ',
  );
const aliases: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  ' ': 'space',
};
const modifierAliases: Readonly<Record<string, (typeof modifierOrder)[number]>> = {
  control: 'ctrl',
  option: 'alt',
  meta: 'alt',
  cmd: 'super',
};
const functionKey = /^f(?:[1-9]|[12]\d|3[0-5])$/;

/** The canonical id of a key with its modifiers: `ctrl+alt+shift+super+key`. */
export function composeKeyId(key: string, modifiers: Modifiers = {}): string {
  const held = modifierOrder.filter((name) => modifiers[name]);
  return [...held, key].join('+');
}

/** The canonical form of an id such as `Shift+Ctrl+P`, `esc` or `pageup`; undefined if it names no key. */
export function normalizeKeyId(written: string): string | undefined {
  const lower = written.trim().toLowerCase();
  // In `ctrl++` the last plus is the key.
  const cut = lower.length < 2 ? -1 : lower.lastIndexOf('+', lower.length - 2);
  const key = normalizeKey(lower.slice(cut + 1));
  if (key === undefined) return undefined;
  const modifiers: Record<string, boolean> = {};
  for (const word of cut < 0 ? [] : lower.slice(0, cut).split('+')) {
    const name = modifierAliases[word] ?? modifierOrder.find((modifier) => modifier === word);
    if (name === undefined) return undefined;
    modifiers[name] = true;
  }
  return composeKeyId(key, modifiers);
}

function normalizeKey(lower: string): string | undefined {
  const name = aliases[lower] ?? lower;
  const known = namedKeys.find((key) => key.toLowerCase() === name);
  if (known !== undefined) return known;
  if (functionKey.test(name)) return name;
  const isOneCharacter = name.length > 0 && [...name].length === 1;
  return isOneCharacter ? name : undefined;
}

/** True if an event is a press of a key such as `ctrl+shift+p`. Releases never match. */
export function matchesKey(event: KeyEvent, id: string): boolean {
  if (event.action === 'release') return false;
  const wanted = normalizeKeyId(id);
  return wanted !== undefined && (event.id === wanted || event.otherIds.includes(wanted));
}
