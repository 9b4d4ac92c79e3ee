import { MessageChannel, Worker } from 'node:worker_threads';
import { errorMessage } from '@robota-sdk/agent-core';
import type { HostServices } from './host-services.ts';
import { limitModules } from './limit-modules.ts';
import type { PluginLimits } from './plugin-manifest.ts';
import type { TranspiledComponent } from './transpile-component.ts';
import { workerFile } from './worker/worker-file.ts';
import type {
  HostAnswer,
  HostRequest,
  WorkerAnswer,
  WorkerCall,
  WorkerStart,
} from './worker/worker-messages.ts';

export interface PluginInstanceOptions {
  /** Reads the component; called when the plugin is first used, and again after it broke. */
  load(): Promise<TranspiledComponent>;
  readonly limits: PluginLimits;
  readonly services: HostServices;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of what the plugin prints meanwhile. */
  onPrint?(text: string): void;
}

/** What a plugin may give back in one call; the agent cuts what is longer than a model can use. */
const maxTextBytes = 4 * 1024 * 1024;
/** What the thread needs beside the memory of the component. */
const heapMegabytes = 128;
/** How long a plugin may take to be there. */
const startMs = 20_000;
const pagesPerMegabyte = 16;

/** An error that the plugin itself returned. */
export class PluginError extends Error {}

/**
 * A plugin in a thread of its own, which is started by the first call. Calls are made one after the other. One that traps,
 * takes too long or is not wanted any more ends the thread, and the next call starts another.
 */
export class PluginInstance {
  readonly #options: PluginInstanceOptions;
  #thread: Promise<PluginThread> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(options: PluginInstanceOptions) {
    this.#options = options;
  }

  /** Calls a function of the plugin. Throws `PluginError` with its own words, and other errors where it broke. */
  call(call: WorkerCall, options: CallOptions = {}): Promise<unknown> {
    const made = this.#last.then(() => this.#make(call, options));
    this.#last = made.catch(() => {});
    return made;
  }

  /** Ends the thread, whatever it does. */
  async dispose(): Promise<void> {
    this.#isOver = true;
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.end();
  }

  async #make(call: WorkerCall, options: CallOptions): Promise<unknown> {
    options.signal?.throwIfAborted();
    if (this.#isOver) throw new Error('it is not loaded any more');
    const { seconds } = this.#options.limits;
    const thread = await this.#started();
    const answer = await thread.ask(call, { ...options, maximumMs: seconds * 1000 });
    if (thread.isOver) this.#thread = undefined;
    if (answer.kind === 'value') return answer.value;
    if (answer.kind === 'failed') throw new PluginError(String(answer.error));
    options.signal?.throwIfAborted();
    throw new Error(answer.kind === 'broken' ? answer.reason : 'it gave no answer');
  }

  async #started(): Promise<PluginThread> {
    this.#thread ??= startThread(this.#options);
    try {
      return await this.#thread;
    } catch (thrown) {
      this.#thread = undefined;
      throw thrown;
    }
  }
}

async function startThread({ load, limits, services }: PluginInstanceOptions): Promise<PluginThread> {
  const { files, imports } = await load();
  const script = files.get('plugin.js');
  if (!script) throw new Error('its script is missing');
  const modules = new Map([...files].filter(([name]) => name.endsWith('.wasm')));
  const thread = new PluginThread(services, {
    script: Buffer.from(script).toString('utf8'),
    modules: limitModules(modules, { memoryPages: Math.floor(limits.memoryMegabytes * pagesPerMegabyte) }),
    imports,
    maxTextBytes,
    environment: services.environment(),
  });
  const answer = await thread.first(startMs);
  if (answer.kind === 'broken') throw new Error(`it could not be started: ${answer.reason}`);
  return thread;
}

/** A worker and the line on which the plugin asks its host. */
class PluginThread {
  readonly #worker: Worker;
  #settle: ((answer: WorkerAnswer) => void) | undefined;
  #onPrint: ((text: string) => void) | undefined;
  #abort = new AbortController();
  isOver = false;

  constructor(services: HostServices, start: Omit<WorkerStart, 'port' | 'answered'>) {
    const { port1, port2 } = new MessageChannel();
    const answered = new SharedArrayBuffer(4);
    this.#worker = new Worker(workerFile('plugin-worker'), {
      workerData: { ...start, port: port2, answered } satisfies WorkerStart,
      transferList: [port2],
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    this.#worker.on('message', (answer: WorkerAnswer) => this.#hear(answer));
    this.#worker.on('error', (thrown) => this.#finish(errorMessage(thrown)));
    this.#worker.on('exit', () => this.#finish('its thread ended'));
    port1.on('message', async (request: HostRequest) => {
      const answer = await answerOf(services, request, this.#abort.signal);
      port1.postMessage(answer);
      const count = new Int32Array(answered);
      Atomics.add(count, 0, 1);
      Atomics.notify(count, 0);
    });
    port1.unref();
  }

  /** Waits for the thread to be ready. */
  first(maximumMs: number): Promise<WorkerAnswer> {
    return this.#next({ maximumMs });
  }

  ask(call: WorkerCall, options: CallOptions & { readonly maximumMs: number }): Promise<WorkerAnswer> {
    if (this.isOver) return Promise.resolve({ kind: 'broken', reason: 'its thread ended' });
    this.#worker.postMessage(call);
    return this.#next(options);
  }

  async end(): Promise<void> {
    this.#finish('it was ended');
    await this.#worker.terminate();
  }

  /** The next answer; one that is late or not wanted any more ends the thread. */
  async #next({ maximumMs, signal, onPrint }: CallOptions & { maximumMs: number }): Promise<WorkerAnswer> {
    const late = `it was not done after ${maximumMs / 1000} seconds and was stopped`;
    const timer = setTimeout(() => void this.#stop(late), maximumMs);
    const onAbort = () => void this.#stop('it was interrupted');
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#onPrint = onPrint;
    // Nobody's program stays open for a plugin that has nothing to do.
    this.#worker.ref();
    try {
      const answer = await new Promise<WorkerAnswer>((resolve) => {
        this.#settle = resolve;
      });
      if (answer.kind === 'broken') await this.end();
      return answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#onPrint = undefined;
      this.#worker.unref();
    }
  }

  #hear(answer: WorkerAnswer): void {
    if (answer.kind === 'log') return this.#onPrint?.(answer.text);
    this.#settle?.(answer);
  }

  async #stop(reason: string): Promise<void> {
    this.#finish(reason);
    await this.#worker.terminate();
  }

  #finish(reason: string): void {
    this.isOver = true;
    this.#abort.abort();
    this.#settle?.({ kind: 'broken', reason });
  }
}

async function answerOf(
  services: HostServices,
  { name, args }: HostRequest,
  signal: AbortSignal,
): Promise<HostAnswer> {
  try {
    return { kind: 'value', value: await services.serve(name, args, signal) };
  } catch (thrown) {
    return { kind: 'refused', reason: errorMessage(thrown) };
  }
}
