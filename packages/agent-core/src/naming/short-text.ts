/** Shortens a text to a number of characters, with an ellipsis instead of the rest. No character is cut in two. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** A text with blanks instead of line breaks and other white space. */
export function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A text in one short line, for lists. */
export function shortLine(text: string, length: number): string {
  return shorten(singleLine(text), length);
}

/** The first line of a text that says something. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trimEnd() ?? '';
}

/** A number of bytes as `312 bytes`, `4.2 kB` or `1.5 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
