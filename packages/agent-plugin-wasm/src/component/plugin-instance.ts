import { errorMessage } from '@robota-sdk/agent-core';
import type {
  HostAnswer,
  HostRequest,
  WorkerAnswer,
  WorkerCall,
  WorkerMessage,
  WorkerStart,
} from '../worker/worker-messages.ts';
import type { HostServices } from './host-services.ts';
import { limitModules } from './limit-modules.ts';
import type { PluginLimits } from './plugin-manifest.ts';
import type { TranspiledComponent } from './transpile-component.ts';
import { WorkerProcess } from './worker-process.ts';

export interface PluginInstanceOptions {
  /** Reads the component; called when the plugin is first used, and again after it broke. */
  load(signal: AbortSignal): Promise<TranspiledComponent>;
  readonly limits: PluginLimits;
  readonly services: HostServices;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of what the plugin prints meanwhile. */
  onPrint?(text: string): void;
}

/** Maximum result of one call; the agent cuts longer text. */
const maxTextBytes = 4 * 1024 * 1024;
/** Memory of the worker, besides that of the component. */
const heapMegabytes = 192;
/** A file to be written is the largest thing a plugin has to say. */
const maxMessageBytes = 32 * 1024 * 1024;
/** How long a plugin may take to be there. */
const startMs = 20_000;
const pagesPerMegabyte = 16;

/** An error that the plugin itself returned. */
export class PluginError extends Error {}

/**
 * A plugin in a worker process that starts with the first call. Calls run one at a time. A trap, a timeout or
 * a cancel ends the worker; the next call starts another.
 */
export class PluginInstance {
  readonly #options: PluginInstanceOptions;
  readonly #ending = new AbortController();
  #worker: PluginWorker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PluginInstanceOptions) {
    this.#options = options;
  }

  /** Calls a function of the plugin. Throws `PluginError` with its own words, and other errors where it broke. */
  call(call: WorkerCall, options: CallOptions = {}): Promise<unknown> {
    const made = this.#last.then(() => this.#make(call, options));
    this.#last = made.catch(() => {});
    return made;
  }

  /** Ends the worker, whatever it does. */
  dispose(): void {
    this.#ending.abort(new Error('it is not loaded any more'));
    this.#worker?.end('it is not loaded any more');
  }

  async #make(call: WorkerCall, options: CallOptions): Promise<unknown> {
    const signal = AbortSignal.any([this.#ending.signal, ...(options.signal ? [options.signal] : [])]);
    signal.throwIfAborted();
    const worker = this.#worker?.isOver === false ? this.#worker : await this.#start(signal);
    const maximumMs = this.#options.limits.seconds * 1000;
    const answer = await worker.ask(call, { ...options, signal, maximumMs });
    if (answer.kind === 'value') return answer.value;
    if (answer.kind === 'failed') throw new PluginError(String(answer.error));
    signal.throwIfAborted();
    throw new Error(answer.kind === 'broken' ? answer.reason : 'it gave no answer');
  }

  async #start(signal: AbortSignal): Promise<PluginWorker> {
    const { load, limits, services } = this.#options;
    const { files, imports } = await load(signal);
    const script = files.get('plugin.js');
    if (!script) throw new Error('its script is missing');
    const modules = new Map([...files].filter(([name]) => name.endsWith('.wasm')));
    const start: WorkerStart = {
      script: Buffer.from(script).toString('utf8'),
      modules: limitModules(modules, { memoryPages: Math.floor(limits.memoryMegabytes * pagesPerMegabyte) }),
      imports,
      maxTextBytes,
      environment: services.environment(),
    };
    const worker = new PluginWorker(services);
    this.#worker = worker;
    const answer = await worker.begin(start, { signal, maximumMs: startMs });
    signal.throwIfAborted();
    if (answer.kind === 'broken') throw new Error(`it could not be started: ${answer.reason}`);
    return worker;
  }
}

interface WaitOptions extends CallOptions {
  readonly maximumMs: number;
}

/** A process for one plugin, and what it says. */
class PluginWorker {
  readonly #services: HostServices;
  readonly #asking = new AbortController();
  #process: WorkerProcess | undefined;
  #settle: ((answer: WorkerAnswer) => void) | undefined;
  #onPrint: ((text: string) => void) | undefined;
  isOver = false;

  constructor(services: HostServices) {
    this.#services = services;
  }

  async begin(start: WorkerStart, options: WaitOptions): Promise<WorkerAnswer> {
    this.#process = await WorkerProcess.start({
      name: 'plugin-worker',
      heapMegabytes,
      maxMessageBytes,
      isConfined: true,
      onMessage: (message) => this.#hear(message as WorkerMessage),
      onEnd: (reason) => this.#finish(reason),
    });
    return this.#next(start, options);
  }

  ask(call: WorkerCall, options: WaitOptions): Promise<WorkerAnswer> {
    return this.#next(call, options);
  }

  end(reason: string): void {
    this.#process?.kill(reason);
    this.#finish(reason);
  }

  /** Sends a message and waits for the answer; one that is late or not wanted any more ends the worker. */
  async #next(message: WorkerStart | WorkerCall, options: WaitOptions): Promise<WorkerAnswer> {
    const { maximumMs, signal, onPrint } = options;
    if (this.isOver || signal?.aborted) {
      this.end('it was interrupted');
      return { kind: 'broken', reason: 'its process ended' };
    }
    const late = `it was not done after ${maximumMs / 1000} seconds and was stopped`;
    const timer = setTimeout(() => this.end(late), maximumMs);
    const onAbort = () => this.end('it was interrupted');
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#onPrint = onPrint;
    this.#process?.hold(true);
    try {
      const answer = await new Promise<WorkerAnswer>((resolve) => {
        this.#settle = resolve;
        this.#process?.send(message);
      });
      if (answer.kind === 'broken') this.end(answer.reason);
      return answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#onPrint = undefined;
      this.#process?.hold(false);
    }
  }

  #hear(message: WorkerMessage): void {
    if (message.kind === 'log') return this.#onPrint?.(message.text);
    if (message.kind === 'ask') return void this.#serve(message);
    this.#settle?.(message);
  }

  async #serve({ name, args }: HostRequest): Promise<void> {
    const answer = await this.#services.serve(name, args, this.#asking.signal).then(
      (value): HostAnswer => ({ kind: 'value', value }),
      (thrown: unknown): HostAnswer => ({ kind: 'refused', reason: errorMessage(thrown) }),
    );
    this.#process?.send(answer);
  }

  #finish(reason: string): void {
    this.isOver = true;
    this.#asking.abort();
    this.#settle?.({ kind: 'broken', reason });
  }
}
