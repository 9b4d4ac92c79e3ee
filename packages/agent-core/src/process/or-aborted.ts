/** Waits for work no longer than until a signal is aborted: work that ignores the signal holds up no caller. */
export async function orAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  if (!(work instanceof Promise)) return work;
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true, signal: settled.signal });
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}
