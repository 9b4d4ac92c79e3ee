/** Shortens a text to a number of characters, with an ellipsis for the rest. Never splits a character. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** Replaces line breaks and other white space by spaces. */
export function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Shortens a text to one line, for lists. */
export function shortLine(text: string, length: number): string {
  return shorten(singleLine(text), length);
}

/** The first line of a text that is not blank. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trimEnd() ?? '';
}

/** Formats a byte count: `312 bytes`, `4.2 kB`, `1.5 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats a time as `2026-01-31 14:05`, in local time. */
export function localTime(timestamp: number): string {
  const local = new Date(timestamp - new Date(timestamp).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
