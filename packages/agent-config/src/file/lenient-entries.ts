import type { JsonObject, JsonValue } from '@robota-sdk/agent-core';
import { plainScalar } from './plain-yaml.ts';

/** Front matter that is no YAML, read line by line. */
export interface LenientEntries {
  readonly data: JsonObject;
  /** Set where lines had to be guessed to belong to the text above them, or belong to nothing. */
  readonly isGuessed: boolean;
}

/** Fields whose text may have any lines in it, also some that look like a field: `user: "…"`. */
const textFields = new Set(['description', 'when_to_use', 'when-to-use', 'whenToUse', 'examples', 'prompt']);

/** Fields of skills, commands and agents that are one word; names with a hyphen or a capital inside are always fields. */
const fieldNames = new Set(
  (
    'name description tools model color agent context invocation effort hooks shell paths arguments license ' +
    'compatibility metadata version author tags category isolation skills memory background id title mode type'
  ).split(' '),
);

/**
 * Reads lines of the form `key: value` as their authors meant them: a value may hold colons, a list may be on
 * its line or below it, and a description extends to the next field. Undefined if there is no field at all.
 */
export function lenientEntries(head: string): LenientEntries | undefined {
  const entries: Entry[] = [];
  let isGuessed = false;
  for (const line of head.split(/\r?\n/)) {
    const last = entries.at(-1);
    const [, key, value = ''] = /^([A-Za-z][\w-]*):(?=[ \t]|$)(.*)$/s.exec(line) ?? [];
    const inText = last !== undefined && textFields.has(last.key);
    if (key !== undefined && (!inText || isField(key))) entries.push({ key, value: value.trim(), below: [] });
    else if (last === undefined) isGuessed ||= line.trim() !== '' && !line.startsWith('#');
    else {
      const belongs = inText || /^\s|^- |^$/.test(line);
      isGuessed ||= line.trim() !== '' && (!belongs || key !== undefined || (inText && !/^\s/.test(line)));
      if (belongs) last.below.push(line);
    }
  }
  if (entries.length === 0) return undefined;
  // The first one of a name is that of the file; a later one may stand in an example.
  const first = entries.filter(({ key }, index) => entries.findIndex((other) => other.key === key) === index);
  return { data: Object.fromEntries(first.map((entry) => [entry.key, readValue(entry)])), isGuessed };
}

/** `[file] [line]` is a hint and no list. */
const isHint = /^argument[-_]?hint$/i;

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly below: string[];
}

function isField(key: string): boolean {
  return fieldNames.has(key) || /[-_]|[a-z][A-Z]/.test(key);
}

function readValue({ key, value, below }: Entry): JsonValue {
  const lines = below.filter((line) => line.trim() !== '');
  const isText = textFields.has(key);
  if (/^[|>][-+]?$/.test(value))
    return lines.map((line) => line.trim()).join(value.startsWith('|') ? '\n' : ' ');
  if (!isText && value === '' && lines.length > 0 && lines.every((line) => /^\s*- /.test(line)))
    return lines.map((line) => unquoted(line.trim().slice(2)));
  const whole = [value, ...lines.map((line) => line.trim())].filter(Boolean).join(isText ? '\n' : ' ');
  if (isText || isHint.test(key)) return plainScalar(whole) ?? unquoted(whole);
  // One that is never closed is still meant as a list, or as a quoted text.
  if (whole.startsWith('[')) return itemsOf(whole.slice(1).replace(/\]$/, ''));
  return plainScalar(whole) ?? unquoted(whole.replace(/^(["'])(?!.*\1)/s, ''));
}

/** The items between commas that stand neither in quotes nor in parentheses. */
function itemsOf(text: string): string[] {
  const items = text.match(/(?:"[^"]*"|'[^']*'|\([^()]*\)|[^,])+/g) ?? [];
  return items.map(unquoted).filter((item) => item !== '');
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')$/.exec(trimmed) ?? [];
  return double ?? single ?? trimmed;
}
