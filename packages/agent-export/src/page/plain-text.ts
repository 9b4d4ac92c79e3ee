import { plainTerminalText } from '../view/terminal-text.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const suspicious = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Text as it is, but for what would hide or reorder it; most text has nothing of the kind. */
export function plainText(text: string): string {
  return text.search(suspicious) < 0 ? text : plainTerminalText(text);
}
