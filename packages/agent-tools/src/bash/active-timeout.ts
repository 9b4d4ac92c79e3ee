const stepMs = 1_000;

/**
 * Calls back after a time in which this process was running: time while it was stopped (Ctrl+Z) or the machine was
 * asleep does not count. Data that arrived meanwhile is handled first. Returns a function to cancel it.
 */
export function activeTimeout(callback: () => void, milliseconds: number): () => void {
  let remaining = milliseconds;
  let isCancelled = false;
  let timer: NodeJS.Timeout | undefined;
  const expire = () => {
    if (!isCancelled) callback();
  };
  const wait = () => {
    const step = Math.min(remaining, stepMs);
    timer = setTimeout(() => {
      remaining -= step;
      if (remaining > 0) wait();
      else setImmediate(expire);
    }, step);
  };
  wait();
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}
