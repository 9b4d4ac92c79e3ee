import type { DiffLine } from '@robota-sdk/agent-diff';
import type { Display } from './display.ts';

/**
 * True if a value from a file has the shape its kind claims. A guard and not a `Shape`: it runs for every result of a resumed
 * session, and copies nothing.
 */
export function isDisplay(value: unknown): value is Display {
  if (!isObject(value)) return false;
  const shape =
    typeof value.kind === 'string' && Object.hasOwn(shapes, value.kind) ? shapes[value.kind] : null;
  return shape?.(value) ?? false;
}

type Fields = Readonly<Record<string, unknown>>;

const shapes: Readonly<Record<string, (value: Fields) => boolean>> = {
  text: ({ text, brief = '', task = '', calls = 0, cost = 0, matches = 0 }) =>
    [text, brief, task].every(isString) && [calls, cost, matches].every(isCount),
  diff: ({ path, lines, added = 0, removed = 0, more = 0 }) =>
    isString(path) && isListOf(lines, isDiffLine) && [added, removed, more].every(isCount),
  file: ({ path, text, firstLine }) => isString(path) && isString(text) && typeof firstLine === 'number',
  terminal: ({ command, output, exitCode }) =>
    isString(command) && isString(output) && (exitCode === null || typeof exitCode === 'number'),
  list: ({ items, total }) => isListOf(items, isString) && typeof total === 'number',
  todos: ({ items }) =>
    isListOf(items, (item) => isObject(item) && isString(item.text) && isString(item.status)),
  plan: ({ text }) => isString(text),
  image: ({ mimeType, data }) => isString(mimeType) && isString(data),
};

function isDiffLine(value: unknown): value is DiffLine {
  if (!isObject(value) || !isString(value.text)) return false;
  const { line = 1, hidden = 1 } = value;
  if (!isCount(line) || !isCount(hidden)) return false;
  return (
    value.kind === 'added' || value.kind === 'removed' || value.kind === 'context' || value.kind === 'gap'
  );
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
