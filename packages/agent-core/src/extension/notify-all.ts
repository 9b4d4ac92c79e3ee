/**
 * Calls every listener; a promise only if one of them wants to be waited for. What the first failing one throws is
 * thrown on when all have heard.
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
  // Their failures are not told: one is enough.
  all?.catch(() => {});
  throw failure.reason;
}
