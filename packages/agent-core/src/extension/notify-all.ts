/** Calls every listener; a promise only if one of them wants to be waited for. */
export function notifyAll<T>(listeners: Iterable<(value: T) => unknown>, value: T): void | Promise<void> {
  let waiting: Promise<unknown>[] | undefined;
  for (const listener of listeners) {
    const answer = listener(value);
    if (!(answer instanceof Promise)) continue;
    waiting ??= [];
    waiting.push(answer);
  }
  if (waiting) return Promise.all(waiting).then(() => {});
}
