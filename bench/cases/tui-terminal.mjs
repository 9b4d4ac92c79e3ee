import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';

/** No measurement takes this long; a timeout prints the terminal's output. */
const patienceMs = 30_000;

/** A Node program in a pseudo-terminal of 120 × 40, seen from outside: what it writes, when, and what it uses. */
export class BenchTerminal {
  #child;
  #written = '';
  #isOver = false;
  /** @type {Set<() => void>} */ #watchers = new Set();
  /** How many bytes it has written. */
  bytes = 0;

  constructor(
    /** @type {import('../measure.mjs').Program} */ { command = process.execPath, args, cwd, env },
  ) {
    const options = { cols: 120, rows: 40, cwd, name: 'xterm-256color' };
    this.startedAt = performance.now();
    this.#child = spawn(command, args, { ...options, env: { ...env, TERM: 'xterm-256color' } });
    this.#child.onData((data) => {
      this.#written += data;
      this.bytes += Buffer.byteLength(data);
      this.#wake();
    });
    this.#child.onExit(() => {
      this.#isOver = true;
      this.#wake();
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /** Output since the last wait. */
  get written() {
    return this.#written;
  }

  /** Sends keys. */
  type(/** @type {string} */ keys) {
    this.#child.write(keys);
  }

  /** Waits until something is written that was not waited for before, and tells how long after `since` it came. */
  async shows(/** @type {string} */ text, since = performance.now()) {
    await this.#until(() => this.#written.includes(text), `show ${JSON.stringify(text)}`);
    this.#written = this.#written.slice(this.#written.indexOf(text) + text.length);
    return this.#wokenAt - since;
  }

  /** Waits until nothing has been written for a while. */
  async calm(milliseconds = 300) {
    const deadline = performance.now() + patienceMs;
    for (let seen = -1; seen !== this.bytes; ) {
      if (performance.now() > deadline) throw new Error('The terminal is written to without end.');
      seen = this.bytes;
      await sleep(milliseconds);
    }
    this.#written = '';
  }

  /** Waits for the end of the program, and tells how long after its start it came. */
  async ends() {
    await this.#until(() => this.#isOver, 'end', { mayEnd: true });
    return this.#wokenAt - this.startedAt;
  }

  /** CPU time in milliseconds, all threads together. */
  cpu() {
    const folder = `/proc/${this.pid}/task`;
    return readdirSync(folder).reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1e6;
    }, 0);
  }

  /** Resident bytes. */
  memory() {
    return this.#status('VmRSS') * 1024;
  }

  /** How often its main thread has waited for something. */
  wakeUps() {
    return this.#status('voluntary_ctxt_switches');
  }

  /** Holds it where it is, so that it uses nothing while it is looked at. There is no way back. */
  freeze() {
    process.kill(this.pid, 'SIGSTOP');
  }

  /** Ends it at once. */
  async kill() {
    if (this.#isOver) return;
    this.#child.kill('SIGKILL');
    await this.ends();
  }

  /** Exits like a user, so that it keeps its compiled code. */
  async leave() {
    this.type('\x04');
    await this.ends();
  }

  #wokenAt = 0;

  #wake() {
    this.#wokenAt = performance.now();
    for (const watcher of this.#watchers) watcher();
  }

  /**
   * @param {() => boolean} isThere
   * @param {string} what
   * @param {{ mayEnd?: boolean }} options
   */
  async #until(isThere, what, { mayEnd = false } = {}) {
    const { promise, resolve, reject } = promised();
    const problem = () =>
      new Error(`The program in the terminal did not ${what}:\n${this.#written.slice(-2000)}`);
    const look = () => {
      if (isThere()) resolve();
      else if (this.#isOver && !mayEnd) reject(problem());
    };
    const timer = setTimeout(() => reject(problem()), patienceMs);
    this.#watchers.add(look);
    try {
      look();
      await promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
  }

  #status(/** @type {string} */ field) {
    const text = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1]);
  }
}

const timed = 'TIMEFORMAT="%3R %3U %3S"; time "$0" "$@"';

/**
 * Resource usage of a program that exits by itself, from the kernel.
 * @param {import('../measure.mjs').Program} program
 */
export async function useOf({ args, ...place }) {
  const terminal = new BenchTerminal({
    ...place,
    command: 'bash',
    args: ['-c', timed, process.execPath, ...args],
  });
  await terminal.ends();
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = terminal.written
    .trim()
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
  return { wall, cpu: user + system };
}

/**
 * Runs a program in a terminal for as long as it is looked at, and ends it whatever happens.
 * @template Result
 * @param {import('../measure.mjs').Program} program
 * @param {(terminal: BenchTerminal) => Promise<Result>} look
 */
export async function inTerminal(program, look) {
  const terminal = new BenchTerminal(program);
  try {
    return await look(terminal);
  } finally {
    await terminal.kill();
  }
}

function promised() {
  /** @type {() => void} */ let resolve = () => {};
  /** @type {(error: Error) => void} */ let reject = () => {};
  const promise = new Promise((/** @type {(value?: undefined) => void} */ done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}
