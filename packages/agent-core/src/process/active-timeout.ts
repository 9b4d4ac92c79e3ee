const stepMs = 1_000;

/**
 * Calls back after a time in which this process was running: time for which it was stopped (Ctrl+Z), or the machine
 * asleep, does not count. What arrived meanwhile is heard first. Returns how to cancel it.
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
