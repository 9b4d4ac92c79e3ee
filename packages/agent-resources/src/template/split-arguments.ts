/**
 * Splits the text after a command's name into arguments. Quotes keep blanks together; a quote inside a word, as in
 * "don't", or an unclosed one is an ordinary character. A backslash escapes a quote, a blank or a backslash.
 */
export function splitArguments(text: string): string[] {
  const list: string[] = [];
  let current: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === '\\' && /["'\s\\]/.test(next)) {
      current = (current ?? '') + next;
      index++;
    } else if (/\s/.test(character)) {
      if (current !== undefined) list.push(current);
      current = undefined;
    } else {
      const quoted = /\w$/.test(current ?? '') ? undefined : quotedAt(text, index);
      current = (current ?? '') + (quoted?.text ?? character);
      index = quoted?.end ?? index;
    }
  }
  return current === undefined ? list : [...list, current];
}

interface Quoted {
  readonly text: string;
  /** The index of its closing quote. */
  readonly end: number;
}

function quotedAt(text: string, start: number): Quoted | undefined {
  const quote = text.charAt(start);
  if (quote !== '"' && quote !== "'") return undefined;
  let content = '';
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === quote) return { text: content, end: index };
    const isEscape = quote === '"' && character === '\\' && (next === '"' || next === '\\');
    if (isEscape) index++;
    content += isEscape ? next : character;
  }
  return undefined;
}
