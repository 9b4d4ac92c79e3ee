import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { matchGlob, openGlob } from '@robota-sdk/agent-core';

const mostWords = 200;
const mostMatches = 500;

/** The words that braces make of one: `tools/{a,b}.sh`, `run{1..3}`. Nothing where they are too many. */
export function expandBraces(word: string): readonly string[] | undefined {
  let words = [word];
  for (let round = 0; round < mostWords; round += 1) {
    const next = words.flatMap((each) => innermost(each) ?? [each]);
    if (next.length > mostWords) return undefined;
    if (next.length === words.length && next.every((each, index) => each === words[index])) return words;
    words = next;
  }
  return undefined;
}

function innermost(word: string): string[] | undefined {
  const match = /\{([^{}]*)\}/.exec(word);
  const inner = match?.[1] ?? '';
  if (!match) return undefined;
  const [head, tail] = [word.slice(0, match.index), word.slice(match.index + match[0].length)];
  const around = (part: string) => head + part + tail;
  const [, from, to] = /^(-?\d{1,4}|[A-Za-z])\.\.(-?\d{1,4}|[A-Za-z])(?:\.\.-?\d+)?$/.exec(inner) ?? [];
  if (from !== undefined && to !== undefined) return sequence(from, to).map(around);
  return inner.split(',').map(around);
}

function sequence(from: string, to: string): string[] {
  const isNumber = /\d/.test(from);
  const [first, last] = [from, to].map((end) => (isNumber ? Number(end) : end.charCodeAt(0))) as [
    number,
    number,
  ];
  const length = Math.min(Math.abs(last - first) + 1, mostWords + 1);
  const lowest = Math.min(first, last);
  return Array.from({ length }, (_, index) =>
    isNumber ? String(lowest + index) : String.fromCharCode(lowest + index),
  );
}

/** True if the shell would look for files that fit a word. */
export function isPattern(word: string): boolean {
  return /[*?[]/.test(word);
}

/** The paths that fit a pattern; nothing where they are too many. */
export function expandPattern(pattern: string, base: string): readonly string[] | undefined {
  const parts = pattern.split('/');
  let found = [pattern.startsWith('/') ? '/' : base];
  for (const part of parts.filter((each) => each !== '')) {
    found = found.flatMap((directory) =>
      isPattern(part) ? fitting(directory, part) : [resolve(directory, part)],
    );
    if (found.length > mostMatches) return undefined;
  }
  return found;
}

function fitting(directory: string, part: string): string[] {
  // Wider than the shell's meaning where that is not plain, never narrower.
  const pattern = openGlob(part);
  try {
    const names = readdirSync(directory).filter((name) => matchGlob(pattern, name));
    return names.slice(0, mostMatches + 1).map((name) => join(directory, name));
  } catch {
    return [];
  }
}
