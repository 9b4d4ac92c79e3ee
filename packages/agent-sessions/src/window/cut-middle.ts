/** Shortens a text in its middle, never inside a character. */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const head = Math.floor(maxCharacters / 3);
  const tail = maxCharacters - head;
  const left = text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '');
  const right = text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/, '');
  return `${left}\n[… ${text.length - left.length - right.length} characters left out …]\n${right}`;
}
