import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  atExit,
  embeddedWorkerWords,
  errorMessage,
  guarded,
  isSingleExecutable,
  startGroupWatchdog,
} from '@robota-sdk/agent-core';
import { FrameReader, frameOf } from '../worker/frames.ts';
import { workerFile } from '../worker/worker-file.ts';

export interface WorkerProcessOptions {
  readonly name: 'plugin-worker' | 'transpile-worker';
  /** Heap limit of JavaScript; excludes the memory of a component. */
  readonly heapMegabytes: number;
  /** More than any message of a worker that does what it should. */
  readonly maxMessageBytes: number;
  /** True if it may read nothing but its own code, and start nothing. */
  readonly isConfined: boolean;
  onMessage(message: unknown): void;
  /** Called once, when nothing more will come. */
  onEnd(reason: string): void;
}

/**
 * A process of Node that runs one of our workers, without environment, and speaks to it through two pipes. A thread would be lighter, but one that runs out of memory takes the whole program along.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #letGo: () => void;
  readonly #onEnd: (reason: string) => void;
  #isOver = false;

  static async start(options: WorkerProcessOptions): Promise<WorkerProcess> {
    const watchdog = await startGroupWatchdog();
    const { command, env } = commandOf(options);
    const [file = '', ...args] = watchdog ? guarded(command) : command;
    const child = spawn(file, args, {
      cwd: '/',
      env,
      detached: watchdog !== undefined,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'ignore', watchdog?.channel ?? 'ignore'],
    });
    const letGo = child.pid === undefined ? undefined : watchdog?.guard(child.pid);
    return new WorkerProcess(child, options, letGo);
  }

  constructor(child: ChildProcess, options: WorkerProcessOptions, letGo = () => {}) {
    const { onMessage, onEnd, maxMessageBytes } = options;
    this.#child = child;
    this.#onEnd = onEnd;
    const forgetExit = atExit(() => this.#child.kill('SIGKILL'));
    this.#letGo = () => {
      letGo();
      forgetExit();
    };
    const reader = new FrameReader({ maxBytes: maxMessageBytes });
    child.stdout?.on('data', (piece: Buffer) => {
      if (this.#isOver) return;
      try {
        for (const message of reader.push(piece)) onMessage(message);
      } catch (thrown) {
        this.kill(errorMessage(thrown));
      }
    });
    child.stdin?.on('error', () => {});
    child.once('error', (thrown) => this.#finish(`its process could not be started: ${thrown.message}`));
    child.once('close', (code, signal) => this.#finish(reasonOf(code, signal)));
  }

  send(message: unknown): void {
    if (!this.#isOver) this.#child.stdin?.write(frameOf(message));
  }

  /** Ends it at once, whatever it does. */
  kill(reason: string): void {
    this.#child.kill('SIGKILL');
    this.#finish(reason);
  }

  /** True if this program stays open for it. */
  hold(isNeeded: boolean): void {
    const parts = [this.#child, this.#child.stdin, this.#child.stdout] as readonly (Reference | null)[];
    for (const part of parts) isNeeded ? part?.ref?.() : part?.unref?.();
  }

  #finish(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#letGo();
    this.#onEnd(reason);
  }
}

/** The single executable takes flags of Node by its environment alone, and reads no file to start. */
function commandOf({ name, heapMegabytes, isConfined }: WorkerProcessOptions) {
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--no-warnings'];
  if (isSingleExecutable()) {
    if (isConfined) flags.push(permissionFlag());
    const command = [process.execPath, ...embeddedWorkerWords(name)];
    return { command, env: { NODE_OPTIONS: flags.join(' ') } };
  }
  const path = fileURLToPath(workerFile(name));
  if (isConfined) flags.push(permissionFlag(), `--allow-fs-read=${dirname(path)}/`);
  return { command: [process.execPath, ...flags, path], env: {} };
}

/** Should a component ever reach the script around it, that has little more rights than the component. */
function permissionFlag(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
}

/** Pipes are sockets, though their types do not say so. */
type Reference = (ChildProcess | Readable | Writable) & { ref?(): void; unref?(): void };

function reasonOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134)
    return 'it used up its memory and was stopped';
  return `its process ended (${signal ?? code})`;
}
