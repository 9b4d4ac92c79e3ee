/**
 * A copy of something that is shown, without secrets as far as `redact` knows them: in texts, in the arguments of calls and
 * in their results.
 */
export function redacted<T>(value: T, redact: (text: string) => string): T {
  return copyOf(value, redact) as T;
}

function copyOf(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((part) => copyOf(part, redact));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [redact(key), copyOf(part, redact)]));
}
