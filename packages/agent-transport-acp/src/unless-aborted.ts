/**
 * The answer to a request; undefined once the signal aborts, because an editor may never answer. The editor is not sent
 * `$/cancel_request`: the protocol has no capability that announces it, and older clients report it as an error.
 */
export function unlessAborted<T>(
  answer: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
