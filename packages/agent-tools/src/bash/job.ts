import type { Sandbox } from '../sandbox/enter-sandbox.ts';
import { CommandText, type TextSink } from './command-text.ts';
import { type ShellExit, ShellProcess } from './shell-process.ts';

/** Why a command was ended early. */
export type JobEndReason = 'timeout' | 'aborted' | 'output-limit' | 'killed' | 'planting';

export interface JobOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sink: TextSink;
  /** The sandbox of the command, if any. */
  readonly sandbox?: Sandbox | undefined;
}

/** Bytes a command may print before it is killed as a runaway. */
export const printLimit = 256 * 1024 * 1024;

/** A command is ended after it has planted repositories this many times. */
const mostUndone = 3;

/** A running or ended command, whose output goes to one sink as plain text. */
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
  #stopped: JobEndReason | undefined;
  #undone = 0;

  private constructor(options: JobOptions) {
    this.command = options.command;
    this.sink = options.sink;
    this.sandbox = options.sandbox;
  }

  /** Starts the command; if that fails, its sandbox is ended. */
  static async start(options: JobOptions): Promise<Job> {
    const job = new Job(options);
    const { command, cwd, sandbox } = options;
    try {
      job.#process = await ShellProcess.start({
        command,
        cwd,
        env: { ...options.env, ...sandbox?.env },
        wrap: sandbox?.wrap,
        onOutput: (chunk) => job.#receive(chunk),
      });
    } catch (thrown) {
      sandbox?.end({ inBackground: false });
      throw thrown;
    }
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

  /** How the shell ended; undefined while it runs. */
  get exit(): ShellExit | undefined {
    return this.#exit;
  }

  get stopped(): JobEndReason | undefined {
    return this.#stopped;
  }

  get elapsedMs(): number {
    return (this.#endedAt ?? Date.now()) - this.startedAt;
  }

  /**
   * Reverts repositories that the command plants while it runs, and reports them. A command that keeps planting them is
   * ended: each time the user's git could run one for a moment.
   */
  watch(command: { readonly inBackground: boolean }, onUndone: (remarks: readonly string[]) => void): void {
    this.sandbox?.watch(command, (remarks) => {
      onUndone(remarks);
      this.#undone += 1;
      if (this.#undone === mostUndone) void this.stop('planting');
    });
  }

  /** Ends all processes of the command; resolves when they are gone. */
  async stop(reason: JobEndReason): Promise<void> {
    // A command that has ended meanwhile did not time out.
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
