const cleanups = new Set<() => void>();

const runAll = () => {
  for (const cleanup of cleanups) cleanup();
};

/**
 * Has something done when the process ends, until the returned function is called. However many ask for it there is one
 * listener, so that Node has no reason to warn of a leak where many sessions run side by side.
 */
export function atExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) process.once('exit', runAll);
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
    if (cleanups.size === 0) process.off('exit', runAll);
  };
}
