import type { Sandbox } from '../sandbox/enter-sandbox.ts';
import { CommandText, type TextSink } from './command-text.ts';
import { type ShellExit, ShellProcess } from './shell-process.ts';

/** Why a command was ended before its time. */
export type StopReason = 'timeout' | 'aborted' | 'output-limit' | 'killed' | 'planting';

export interface JobOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sink: TextSink;
  /** The sandbox of the command, if any. */
  readonly sandbox?: Sandbox | undefined;
}

/** A command may print this many bytes before it is taken for a runaway and killed. */
export const printLimit = 256 * 1024 * 1024;

/** A command is ended when it has planted repositories this many times. */
const mostUndone = 3;

/** A command that runs or ran, with what it prints going to one sink as plain text. */
export class Job {
  readonly command: string;
  readonly sandbox: Sandbox | undefined;
  readonly startedAt = Date.now();
  readonly text = new CommandText();
  /** Receives the output; may be replaced while the command runs. */
  sink: TextSink;
  #process: ShellProcess | undefined;
  #exit: ShellExit | undefined;
  #endedAt: number | undefined;
  #stopped: StopReason | undefined;
  #undone = 0;

  private constructor(options: JobOptions) {
    this.command = options.command;
    this.sink = options.sink;
    this.sandbox = options.sandbox;
  }

  static async start(options: JobOptions): Promise<Job> {
    const job = new Job(options);
    const { command, cwd, sandbox } = options;
    job.#process = await ShellProcess.start({
      command,
      cwd,
      env: { ...options.env, ...sandbox?.env },
      wrap: sandbox?.wrap,
      onOutput: (chunk) => job.#receive(chunk),
    });
    void job.#process.exited.then((exit) => {
      job.#exit = exit;
      job.#endedAt = Date.now();
    });
    return job;
  }

  get process(): ShellProcess {
    if (this.#process === undefined) throw new Error('The job has no process yet.');
    return this.#process;
  }

  /** How the shell ended, once it has. */
  get exit(): ShellExit | undefined {
    return this.#exit;
  }

  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  get elapsedMs(): number {
    return (this.#endedAt ?? Date.now()) - this.startedAt;
  }

  /**
   * Undoes what the command plants while it runs, and passes on what was undone. A command that puts it back again is
   * ended: each time there is a moment in which the user's git could run it.
   */
  watch(command: { readonly inBackground: boolean }, onUndone: (remarks: readonly string[]) => void): void {
    this.sandbox?.watch(command, (remarks) => {
      onUndone(remarks);
      this.#undone += 1;
      if (this.#undone === mostUndone) void this.stop('planting');
    });
  }

  /** Ends everything the command started; resolves when it is gone. */
  async stop(reason: StopReason): Promise<void> {
    // A command that has ended meanwhile was in time.
    if (reason === 'timeout' && this.#exit !== undefined && this.#stopped === undefined) return;
    this.#stopped ??= reason;
    await this.process.terminate();
    this.process.release();
  }

  #receive(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#stopped === 'output-limit') return undefined;
    if (this.text.bytes + chunk.length > printLimit) {
      this.#stopped ??= 'output-limit';
      this.process.kill();
    }
    return this.sink(this.text.write(chunk));
  }
}
