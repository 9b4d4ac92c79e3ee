import { nestedRuns } from './nested-runs.ts';
import type { SimpleCommand } from './shell-script.ts';
import { wordOf } from './shell-word.ts';

/**
 * Cuts a text that can't be parsed at everything that might separate commands, quotes or not. The result is only
 * good for refusing: it may name commands that would not run, but leaves none out.
 */
export function splitRoughly(source: string): SimpleCommand[] {
  return source
    .replaceAll('\\\n', '')
    .split(/[;&|\n(){}`]+/)
    .flatMap((part) => roughCommand(part.replaceAll(/["'\\]/g, '')));
}

function roughCommand(text: string): SimpleCommand[] {
  const words = text
    .replace(/^[\s$!]+/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  while (words.length > 0 && (isKeyword(words[0] ?? '') || /^[A-Za-z_]\w*=/.test(words[0] ?? '')))
    words.shift();
  if (words.length === 0) return [];
  const command = {
    words: words.map(wordOf),
    assignments: [],
    redirections: [],
    expandsInput: false,
    runs: [],
  };
  return [{ ...command, runs: nestedRuns(command, []).commands }];
}

function isKeyword(word: string): boolean {
  return [
    'if',
    'then',
    'else',
    'elif',
    'do',
    'while',
    'until',
    'time',
    'case',
    'in',
    'for',
    'function',
  ].includes(word);
}
