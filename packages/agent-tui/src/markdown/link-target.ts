/** No address is longer; what is longer is text. */
const addressLimit = 2048;
const nestingLimit = 8;
const autolink = /<((?:https?|ftp|mailto):[^\s<>]{1,2048})>/iy;
/** Blanks end an address, and so do the scripts whose particles follow it directly. */
const bareAddress = /https?:\/\/[^\s<>"`[\]\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]{1,2048}/iy;

/** Reads `(address "title")` after the text of a link. Without an `end` the text ends inside it. */
export function readLinkTarget(
  text: string,
  start: number,
): { readonly address: string; readonly end: number | undefined } | undefined {
  if (text[start] !== '(') return undefined;
  const isBracketed = text[start + 1] === '<';
  const from = start + (isBracketed ? 2 : 1);
  const end = isBracketed ? endOfBracketed(text, from) : endOfAddress(text, from);
  if (end === undefined) return undefined;
  const address = text.slice(from, end);
  if (end >= text.length) return { address, end: undefined };
  const closing = endOfTarget(text, isBracketed ? end + 1 : end);
  return closing === undefined ? undefined : { address, end: closing };
}

/** Reads `<https://…>`. */
export function readAutolink(text: string, start: number): string | undefined {
  autolink.lastIndex = start;
  return autolink.exec(text)?.[1];
}

/** Reads a bare address, without the punctuation after it. */
export function readBareAddress(text: string, start: number): string | undefined {
  bareAddress.lastIndex = start;
  const found = bareAddress.exec(text)?.[0];
  if (found === undefined) return undefined;
  let end = found.length;
  let unopened = count(found, ')') - count(found, '(');
  for (;;) {
    const last = found[end - 1] ?? '';
    if (last === ')' && unopened > 0) unopened--;
    else if (!/[.,;:!?'*_~|]/.test(last)) break;
    end--;
  }
  return end > 'https://'.length ? found.slice(0, end) : undefined;
}

function endOfBracketed(text: string, from: number): number | undefined {
  const limit = Math.min(text.length, from + addressLimit);
  for (let index = from; index < limit; index++) {
    if (text[index] === '>') return index;
    if (text[index] === '\n' || text[index] === '<') return undefined;
  }
  return limit === text.length ? limit : undefined;
}

function endOfAddress(text: string, from: number): number | undefined {
  const limit = Math.min(text.length, from + addressLimit);
  let depth = 0;
  for (let index = from; index < limit; index++) {
    const character = text[index] ?? '';
    if (character === '(' && ++depth > nestingLimit) return undefined;
    if (character === ')' && depth-- === 0) return index;
    if (/\s/.test(character)) return depth === 0 ? index : undefined;
  }
  return limit === text.length ? limit : undefined;
}

function endOfTarget(text: string, start: number): number | undefined {
  const rest = text.slice(start, start + 512);
  const found = /^\s*(?:(?:"[^"]*"|'[^']*')\s*)?\)/.exec(rest);
  return found ? start + found[0].length : undefined;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
