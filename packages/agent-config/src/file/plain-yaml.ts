import { type JsonObject, type JsonValue, parseJson } from '@robota-sdk/agent-core';

/**
 * Reads the YAML subset of almost all front matters: simple values, quoted text, lists, multi-line text.
 * Undefined for anything else, which the library reads.
 */
export function plainEntries(head: string): JsonObject | undefined {
  const lines = head.split(/\r?\n/);
  const entries = new Map<string, JsonValue>();
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? '';
    if (/^ *$/.test(line) || line.startsWith('#')) {
      index++;
      continue;
    }
    const [, key, rest = ''] = entryPattern.exec(line) ?? [];
    const value = trimBlanks(rest);
    if (key === undefined || entries.has(key)) return undefined;
    let end = index + 1;
    while (end < lines.length && belongsBelow.test(lines[end] ?? '')) end++;
    const read = entryValue(value, lines.slice(index + 1, end));
    if (read === undefined) return undefined;
    entries.set(key, read);
    index = end;
  }
  return Object.fromEntries(entries);
}

const entryPattern = /^([A-Za-z][\w-]*):(?![^ \t])(.*)$/s;

/** A value without the blanks around it that YAML ignores. */
export function trimBlanks(value: string): string {
  return value.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
}

/** Blank lines, indented ones, and those of a list. */
const belongsBelow = /^\s|^$|^-(?: |$)/;

/** A value on one line that means the same to YAML and to us; nothing where YAML may see more in it. */
export function plainScalar(text: string): JsonValue | undefined {
  if (text === '' || text === '~' || text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (doubleQuoted.test(text)) return parseJson(text);
  if (singleQuoted.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  const isSpecial = /^[-?:,[\]{}#&*!|>'"%@`~.+\d]|: |:$| #|^(?:yes|no|on|off|null|true|false)$/i.test(text);
  return isSpecial ? undefined : text;
}

/** With no other escapes than those that mean the same in JSON. */
const doubleQuoted = /^"(?:[^"\\\p{Cc}]|\\["\\/bfnrt])*"$/u;
const singleQuoted = /^'(?:[^']|'')*'$/;

/**
 * A text that is no YAML for the colon in it, although many write it: it is taken as it is. Nothing where it could be
 * something else.
 */
export function colonText(text: string): string | undefined {
  const isText = /^[^-?:,[\]{}#&*!|>'"%@`~.+\d\s][^#]*$/.test(text);
  return isText && text.includes(': ') ? text : undefined;
}

function entryValue(value: string, below: readonly string[]): JsonValue | undefined {
  if (below.some((line) => /^ *\t|^ +$/.test(line))) return undefined;
  const last = below.findLastIndex((line) => line.trim() !== '');
  const rest = below.slice(0, last + 1);
  if (rest.length === 0) return value.startsWith('[') ? flowList(value) : plainScalar(value);
  if (/^[|>]-?$/.test(value)) return blockText(value, rest);
  if (value !== '') return undefined;
  return /^ *-/.test(rest[0] ?? '') ? blockList(rest) : nested(rest);
}

/** `[a, "b"]`, without anything inside of anything. */
function flowList(text: string): JsonValue | undefined {
  const inner = /^\[([^[\]{}]*)\]$/.exec(text)?.[1]?.trim();
  if (inner === undefined) return undefined;
  if (inner === '') return [];
  const items = inner.split(',').map((item) => plainScalar(item.trim()));
  return items.every((item): item is JsonValue => item !== undefined && item !== null) ? items : undefined;
}

function blockList(lines: readonly string[]): JsonValue | undefined {
  const indent = indentOf(lines[0] ?? '');
  const items = lines.map((line) => {
    const isItem = indentOf(line) === indent && line.startsWith('- ', indent);
    return isItem ? plainScalar(line.slice(indent + 2).trim()) : undefined;
  });
  return items.every((item): item is JsonValue => item !== undefined && item !== null) ? items : undefined;
}

function nested(lines: readonly string[]): JsonObject | undefined {
  const indent = indentOf(lines[0] ?? '');
  const isOdd = (line: string) =>
    line !== '' && (indentOf(line) < indent || line.trimStart().startsWith('#'));
  if (indent === 0 || lines.some(isOdd)) return undefined;
  return plainEntries(lines.map((line) => line.slice(indent)).join('\n'));
}

function blockText(mark: string, lines: readonly string[]): string | undefined {
  const indent = indentOf(lines[0] ?? '');
  if (indent === 0 || lines[0] === '') return undefined;
  const isOdd = (line: string) => line !== '' && indentOf(line) < indent;
  const texts = lines.map((line) => line.slice(indent));
  const isFolded = mark.startsWith('>');
  // How blank and further indented lines are folded is best left to those who know.
  if (lines.some(isOdd) || (isFolded && texts.some((text) => text === '' || /^\s/.test(text))))
    return undefined;
  return `${texts.join(isFolded ? ' ' : '\n')}${mark.endsWith('-') ? '' : '\n'}`;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
