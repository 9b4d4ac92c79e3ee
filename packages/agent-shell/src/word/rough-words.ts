/**
 * Splits a text at everything that might separate commands, ignoring quotes, and each part into words. Used only to
 * deny: it may name commands that would not run, but misses none.
 */
export function roughWords(source: string): string[][] {
  return source
    .replaceAll('\\\n', '')
    .split(/[;&|\n(){}`]+/)
    .map((part) => wordsOf(part.replaceAll(/["'\\]/g, '')))
    .filter((words) => words.length > 0);
}

function wordsOf(text: string): string[] {
  const words = text
    .replace(/^[\s$!]+/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  while (words.length > 0 && (isKeyword(words[0] ?? '') || /^[A-Za-z_]\w*=/.test(words[0] ?? '')))
    words.shift();
  return words;
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
