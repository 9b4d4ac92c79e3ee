import { hash } from 'node:crypto';

/** The same UUID for the same words, on every machine. */
export function stableUuid(...words: readonly string[]): string {
  const hex = hash('sha256', words.join('\0'));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
