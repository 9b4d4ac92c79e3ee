/** AWS refuses signatures that are five minutes old or early. */
const toleranceMs = 4 * 60_000;

/** The time as the servers of AWS have it: a machine whose clock is wrong could sign no request that they accept. */
export class ServerClock {
  #ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  /** Takes the `date` header of a refusal; true if our time was so wrong that another attempt is worth it. */
  learn(date: string | null): boolean {
    const told = Date.parse(date ?? '');
    if (Number.isNaN(told) || Math.abs(told - this.now().getTime()) < toleranceMs) return false;
    this.#ahead = told - Date.now();
    return true;
  }
}
