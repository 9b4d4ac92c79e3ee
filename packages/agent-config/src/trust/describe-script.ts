import { stat } from 'node:fs/promises';
import { pluralize, readRegularFile } from '@robota-sdk/agent-core';
import { escapedLine } from '../file/escaped-line.ts';

/** Limit of text in a dialog. */
const longestText = 1_000_000;
const shownLines = 12;
const longestLine = 200;

/** Describes a file that would run with an item: its path as it is shown, length, version and beginning. */
export async function describeScript(
  [shown, sum]: readonly [string, string],
  path: string,
): Promise<string[]> {
  const version = `sha256 ${sum.slice(0, 12)}`;
  const text = sum === 'unreadable' ? undefined : await textOf(path).catch(() => undefined);
  if (text === undefined) return [`    with ${escapedLine(shown)}  (cannot be shown, ${version})`];
  if (text.includes('\0')) return [`    with ${escapedLine(shown)}  (no text, ${version})`];
  const lines = text.trimEnd().split('\n');
  const rest = lines.length - shownLines;
  return [
    `    with ${escapedLine(shown)}  (${pluralize(lines.length, 'line')}, ${version}):`,
    ...lines.slice(0, shownLines).map((line) => `      | ${escapedLine(line.slice(0, longestLine))}`),
    ...(rest > 0 ? [`      | … ${pluralize(rest, 'more line')}`] : []),
  ];
}

async function textOf(path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  return size > longestText ? undefined : (await readRegularFile(path)).toString();
}
