/**
 * Calls every listener; returns a promise only if a listener is asynchronous. Rethrows the first error after all were
 * called.
 */
export function notifyAll<T>(listeners: Iterable<(value: T) => unknown>, value: T): void | Promise<void> {
  let waiting: Promise<unknown>[] | undefined;
  let failure: { readonly reason: unknown } | undefined;
  for (const listener of listeners) {
    try {
      const answer = listener(value);
      if (!(answer instanceof Promise)) continue;
      waiting ??= [];
      waiting.push(answer);
    } catch (thrown) {
      failure ??= { reason: thrown };
    }
  }
  const all = waiting && Promise.all(waiting).then(() => {});
  if (!failure) return all;
  // Only the first error is reported.
  all?.catch(() => {});
  throw failure.reason;
}
