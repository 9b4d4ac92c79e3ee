/** Time limit of each step at start-up, while the user waits. */
const startMs = 10_000;
/** Time limit of a hook, which a run waits for. */
export const hookMs = 60_000;

/** Waits for something an extension does, but not forever. */
export async function inTime<T>(work: T | Promise<T>, what: string, maximumMs = startMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`${what} did not finish within ${maximumMs / 1000} seconds`));
    timer = setTimeout(fail, maximumMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
