import type { Redactor } from '@robota-sdk/agent-core';

/** Redacts a value but for the data of its images, in which what looks like a key is chance. */
export function redactKeepingImages<T>(value: T, redact: Redactor): T {
  return restored(value, redact(value)) as T;
}

/** Redaction keeps the shape, so both are walked side by side. */
function restored(original: unknown, redacted: unknown): unknown {
  if (typeof original !== 'object' || original === null) return redacted;
  if (typeof redacted !== 'object' || redacted === null) return redacted;
  if (Array.isArray(original)) {
    const items: readonly unknown[] = Array.isArray(redacted) ? redacted : [];
    return original.map((item, index) => restored(item, items[index]));
  }
  const names = Object.keys(redacted);
  const values = Object.values(redacted);
  const items = Object.values(original);
  // Two names that became one by redaction hide what belongs together: then nothing is put back.
  if (names.length !== items.length) return redacted;
  const entries = names.map((name, index): [string, unknown] => [
    name,
    restored(items[index], values[index]),
  ]);
  return Object.fromEntries(isImage(original) ? [...entries, ['data', original.data]] : entries);
}

function isImage(value: object): value is { readonly data: string } {
  const { type, kind, data } = value as { type?: unknown; kind?: unknown; data?: unknown };
  return (type === 'image' || kind === 'image') && typeof data === 'string';
}
