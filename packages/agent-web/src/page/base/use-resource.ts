import { useCallback, useEffect, useState } from 'preact/hooks';
import { get, messageOf } from './api.ts';

/** State of something that is read from the server. */
export interface Resource<T> {
  readonly value: T | undefined;
  /** A message with its hint; the last value stays beside it. */
  readonly error: string | undefined;
  readonly reload: () => void;
}

/** Reads an address of the server, again whenever it changes or `reload` is called. */
export function useResource<T>(path: `/api/${string}`): Resource<T> {
  const [state, setState] = useState<{ readonly path: string; readonly value?: T; readonly error?: string }>({
    path,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    get<T>(path, stop.signal).then(
      (value) => setState({ path, value }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setState((last) => ({ ...(last.path === path ? last : {}), path, error: messageOf(error) }));
      },
    );
    return () => stop.abort();
  }, [path, attempt]);
  const reload = useCallback(() => setAttempt((last) => last + 1), []);
  return state.path === path
    ? { value: state.value, error: state.error, reload }
    : { value: undefined, error: undefined, reload };
}
