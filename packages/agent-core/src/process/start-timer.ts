/** Node fires a timer that waits longer than this at once. */
const longestMs = 2 ** 31 - 1;

/** A timer that runs. */
export interface LongTimer {
  cancel(): void;
  /** Begins the time again. */
  refresh(): void;
}

/** Calls back after a time of any length, also one that a user gave. Does not keep the program alive. */
export function startTimer(milliseconds: number, done: () => void): LongTimer {
  let remaining = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const step = Math.min(remaining, longestMs);
    remaining -= step;
    timer = setTimeout(() => (remaining > 0 ? wait() : done()), step).unref();
  };
  const start = () => {
    clearTimeout(timer);
    remaining = milliseconds;
    wait();
  };
  start();
  return {
    cancel: () => clearTimeout(timer),
    refresh: () => (milliseconds > longestMs ? start() : timer?.refresh()),
  };
}
