/** Callbacks for the end, the stop and the continuation of the process. */
export interface SignalReactions {
  end(): void;
  stop(): void;
  continue(): void;
}

const endings = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;
/** Closing the console window counts as SIGHUP, ctrl+break as SIGBREAK. */
const windowsEndings = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGBREAK'] as const;
/** Without a shell that could resume it, a process is not stopped at all; it continues after this time. */
const stoppingMs = 100;

/** Tells of every way in which a process ends or stops, without changing that it does. */
export class ProcessSignals {
  readonly #reactions: SignalReactions;
  readonly #handlers = new Map<NodeJS.Signals, () => void>();
  readonly #canStop: boolean;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(reactions: SignalReactions, platform: NodeJS.Platform = process.platform) {
    this.#reactions = reactions;
    this.#canStop = platform !== 'win32';
    for (const signal of this.#canStop ? endings : windowsEndings)
      this.#handlers.set(signal, () => this.#end(signal));
    if (!this.#canStop) return;
    this.#handlers.set('SIGTSTP', () => this.#reactions.stop());
    this.#handlers.set('SIGCONT', () => this.#goOn());
  }

  listen(): void {
    for (const [signal, handler] of this.#handlers) process.on(signal, handler);
    process.on('exit', this.#onExit);
    process.on('uncaughtExceptionMonitor', this.#onMistake);
  }

  ignore(): void {
    clearTimeout(this.#timer);
    for (const [signal, handler] of this.#handlers) process.off(signal, handler);
    process.off('exit', this.#onExit);
    process.off('uncaughtExceptionMonitor', this.#onMistake);
  }

  /** Stops the process and those it shares its job with, until the shell continues them; Windows cannot. */
  stopProcess(): void {
    if (!this.#canStop) return this.#goOn();
    const handler = this.#handlers.get('SIGTSTP');
    if (handler) process.off('SIGTSTP', handler);
    this.#isStopping = true;
    // The timer also expires while the process is stopped, and fires just before the signal that continues it is seen.
    this.#timer = setTimeout(() => setImmediate(() => this.#isStopping && this.#goOn()), stoppingMs);
    process.kill(0, 'SIGTSTP');
  }

  readonly #onExit = (): void => this.#reactions.end();

  /** With others listening it need not be the end. */
  readonly #onMistake = (): void => {
    if (process.listenerCount('uncaughtException') === 0) this.#reactions.end();
  };

  #goOn(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStopping = false;
    const handler = this.#handlers.get('SIGTSTP');
    if (handler && !process.listeners('SIGTSTP').includes(handler)) process.on('SIGTSTP', handler);
    this.#reactions.continue();
  }

  #end(signal: NodeJS.Signals): void {
    this.#reactions.end();
    // If others listen, they end the process; if not, it ends as if there were no listener.
    if (process.listenerCount(signal) > 1) return;
    this.ignore();
    process.kill(process.pid, signal);
  }
}
