const cleanups = new Set<() => void>();

const runAll = () => {
  for (const cleanup of cleanups) cleanup();
};

/**
 * Runs a function when the process ends, unless the returned function is called before. All share one listener, so that
 * Node does not warn of a leak with many sessions.
 */
export function atExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) process.once('exit', runAll);
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
    if (cleanups.size === 0) process.off('exit', runAll);
  };
}
