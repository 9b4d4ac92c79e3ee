import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AgentError,
  bashAdvice,
  bashWords,
  descendantsOf,
  endSentence,
  errorMessage,
  type GroupLeader,
  type GroupWatchdog,
  groupOptions,
  guarded,
  isGroupAlive,
  ownShells,
  signalGroup,
  signalProcesses,
  startGroupWatchdog,
} from '@robota-sdk/agent-core';
import { ProcessOutput, quietMs } from '../process/process-output.ts';
import { bashReporter } from './bash-reporter.ts';
import { openSharedPipe } from './shared-pipe.ts';

export interface ShellOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Turns the shell's command line into one that runs it inside a sandbox. */
  readonly wrap?: ((argv: readonly string[]) => readonly string[]) | undefined;
  /** Receives stdout and stderr in order; a returned promise pauses the command's output. */
  onOutput(chunk: Uint8Array): Promise<void> | undefined;
}

/** How the shell itself ended. */
export interface ShellExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const killDelay = 2000;
const momentLength = 4;

/** A shell command as a process: leader of a new process group, without input. */
export class ShellProcess {
  readonly pid: number;
  /** Settles when the shell exits, even if other processes hold its output open. */
  readonly exited: Promise<ShellExit>;
  /** Settles when all processes have closed the output. */
  readonly closed: Promise<void>;
  readonly #child: ChildProcess;
  readonly #outputs: readonly Readable[];
  readonly #output: ProcessOutput;
  readonly #isEnclosed: boolean;
  /** Tells the watchdog that all processes of the command have ended. */
  readonly #letGo: () => void;
  readonly #startedAt = performance.now();
  #reapedAt: number | undefined;
  /** True if no process was left at the last check after the shell's exit. */
  #isOver = false;
  #termination: Promise<void> | undefined;

  private constructor(child: Started, outputs: readonly Readable[], options: GuardedOptions) {
    this.pid = child.pid;
    this.#letGo = options.watchdog?.guard(child.pid) ?? (() => {});
    this.#child = child;
    this.#outputs = outputs;
    this.#isEnclosed = options.wrap !== undefined;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#reapedAt = performance.now();
        resolve({ code, signal });
      });
    });
    this.#output = new ProcessOutput(outputs);
    this.closed = this.#output.closed;
    for (const output of outputs) this.#forward(output, options.onOutput);
  }

  /** Starts the command; throws if there is no shell or no working directory. */
  static async start(options: ShellOptions): Promise<ShellProcess> {
    const [{ spawn }, { Socket }, pipe, watchdog] = await Promise.all([
      import('node:child_process'),
      import('node:net'),
      openSharedPipe(),
      startGroupWatchdog(),
    ]);
    try {
      const { argv, env, channels } = launchOf(options, watchdog);
      const [file = '', ...args] = argv;
      const outlet = pipe?.writeEnd ?? 'pipe';
      const child = spawn(file, args, {
        cwd: options.cwd,
        env,
        ...groupOptions(),
        stdio: ['ignore', outlet, outlet, ...channels],
      });
      if (!isStarted(child)) throw await new Promise((resolve) => child.once('error', resolve));
      const reader = pipe && new Socket({ fd: pipe.readEnd, readable: true, writable: false });
      const outputs = [reader, child.stdout, child.stderr].filter((output) => output != null);
      return new ShellProcess(child, outputs, { ...options, watchdog });
    } catch (thrown) {
      if (pipe) closeSync(pipe.readEnd);
      throw startFailure(thrown, options);
    } finally {
      if (pipe) closeSync(pipe.writeEnd);
    }
  }

  /** True if processes that the shell started outlive it. */
  get isRunning(): boolean {
    // A process group without leader and members stays empty.
    this.#isOver ||= !isGroupAlive(this.#leader);
    return !this.#isOver;
  }

  /**
   * Waits for the shell and its last output, briefly longer if other processes hold the output open. Resolves
   * to true if processes it started still run.
   */
  async settle(): Promise<boolean> {
    await this.exited;
    await this.#output.quiet();
    if (!this.isRunning) return this.#end();
    // Processes that are just ending still count as running for a moment.
    if (this.#output.isClosed) await pause(quietMs);
    return this.isRunning || this.#end();
  }

  /** Ends all processes of the shell: asks first, and kills them after two seconds. */
  terminate(): Promise<void> {
    this.#termination ??= this.#terminate();
    return this.#termination;
  }

  /** Kills at once, without waiting. */
  kill(): void {
    signalGroup(this.#leader, 'SIGKILL');
  }

  /** Stops reading the output. */
  release(): void {
    this.#output.release();
  }

  /** Lets this process exit while the command or its processes still run. */
  unref(): void {
    this.#child.unref();
    for (const output of this.#outputs) (output as Partial<Socket>).unref?.();
  }

  get #leader(): GroupLeader {
    const reapedAt = this.#reapedAt;
    const isReaped = reapedAt !== undefined;
    return { pid: this.pid, startedAt: this.#startedAt, reapedAt, isReaped, isEnclosure: this.#isEnclosed };
  }

  /** Always false: nothing keeps running. */
  #end(): false {
    this.#letGo();
    return false;
  }

  async #terminate(): Promise<void> {
    // Processes that called `setsid` left the group, but are found through their parent while it lives.
    const strays = this.#reapedAt === undefined ? descendantsOf(this.pid) : [];
    signalGroup(this.#leader, 'SIGTERM');
    signalProcesses(strays, 'SIGTERM');
    const isGoneWithin = (milliseconds: number) =>
      this.#isGoneWithin(milliseconds, () => signalProcesses(strays, 0));
    let isGone = await isGoneWithin(killDelay);
    if (!isGone) {
      this.kill();
      signalProcesses(strays, 'SIGKILL');
      isGone = await isGoneWithin(killDelay);
    }
    if (isGone) this.#letGo();
    await this.#output.quiet();
  }

  async #isGoneWithin(milliseconds: number, isAnyLeft: () => boolean): Promise<boolean> {
    const deadline = Date.now() + milliseconds;
    for (let wait = 5; this.isRunning || isAnyLeft(); wait = Math.min(100, wait * 2)) {
      if (Date.now() >= deadline) return false;
      await Promise.race([pause(wait), ...(this.#reapedAt === undefined ? [this.exited] : [])]);
      await sharedMoment();
    }
    return true;
  }

  #forward(output: Readable, onOutput: ShellOptions['onOutput']): void {
    output.on('data', (chunk: Uint8Array) => {
      const wait = onOutput(chunk);
      if (wait === undefined) return;
      output.pause();
      void wait.finally(() => output.resume());
    });
  }
}

type GuardedOptions = ShellOptions & { readonly watchdog: GroupWatchdog | undefined };

type Started = ChildProcess & { readonly pid: number };

function isStarted(child: ChildProcess): child is Started {
  return child.pid !== undefined;
}

/** Keeps commands from waiting for input or drawing on a screen. */
const quietEnvironment = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  // A read-only git command must not write the index.
  GIT_OPTIONAL_LOCKS: '0',
};

/** The program to start, and its extra file descriptors. */
interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors from 3 on, for reports to the watchdog. */
  readonly channels: readonly (Writable | number)[];
}

function launchOf(options: ShellOptions, watchdog: GroupWatchdog | undefined): Launch {
  const env = { ...options.env, ...quietEnvironment };
  const argv = commandLine(options);
  if (watchdog === undefined) return { argv, env, channels: [] };
  const reporter = options.wrap ? undefined : bashReporter(argv[0] ?? '', env);
  if (reporter === undefined) return { argv: guarded(argv), env, channels: [watchdog.channel] };
  return { argv, env: { ...env, ...reporter.env }, channels: [watchdog.channel, reporter.file] };
}

function commandLine({ command, cwd, env, wrap }: ShellOptions): readonly string[] {
  const argv = bashWords(command, { ...ownShells, cwd, env });
  if (argv === undefined) throw new Error(`bash not found. ${bashAdvice()}`);
  return wrap ? wrap(argv) : argv;
}

function startFailure(cause: unknown, options: ShellOptions): AgentError {
  if (!existsSync(options.cwd)) {
    const advice = 'The working directory must exist: restore it, or start again in another one.';
    return new AgentError('tool', `The command was not started: ${options.cwd} is gone. ${advice}`, {
      cause,
    });
  }
  const message = errorMessage(cause);
  const isTooLong = (cause as NodeJS.ErrnoException).code === 'E2BIG';
  const advice = isTooLong ? ' The command is too long: put it into a script file.' : '';
  return new AgentError('tool', `The command was not started: ${endSentence(message)}${advice}`, { cause });
}

let moment: Promise<void> | undefined;

/** Lets commands that end together check for leftover processes at the same moment, with one scan. */
function sharedMoment(): Promise<void> {
  moment ??= pause(momentLength).then(() => {
    moment = undefined;
  });
  return moment;
}
