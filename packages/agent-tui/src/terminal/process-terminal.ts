import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { awaitQuietInput, hasDeviceAttributes } from './await-quiet-input.ts';
import { ProcessSignals } from './process-signals.ts';
import type { Terminal, TerminalListener } from './terminal.ts';
import { ModeLedger, type TerminalMode } from './terminal-modes.ts';
import { TypedAhead } from './typed-ahead.ts';

/** The streams of a terminal, and which modes it gets from the start. */
export interface ProcessTerminalOptions {
  readonly stdin?: ReadStream;
  readonly stdout?: OutputStream;
  /** Bracketed paste and the Kitty keyboard protocol by default. */
  readonly modes?: readonly TerminalMode[];
}

/** Node does not document these: terminals are written to synchronously, unless the handle is set otherwise. */
type OutputStream = WriteStream & {
  readonly fd: number;
  /** Asks the system for the size, and emits `resize` if it is another one. */
  _refreshSize?(): void;
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
};

const shutdownMs = 500;

/**
 * The terminal of this process. Whatever ends the process or stops it, signals and crashes included, the terminal is as
 * it was found.
 */
export class ProcessTerminal implements Terminal {
  readonly #stdin: ReadStream;
  readonly #stdout: OutputStream;
  /** The stream's own, whatever others put in its place later. */
  readonly #writeText: (text: string, written: () => void) => boolean;
  readonly #firstModes: readonly TerminalMode[];
  readonly #modes = new ModeLedger();
  readonly #signals: ProcessSignals;
  readonly #typedAhead = new TypedAhead();
  #listener: TerminalListener | undefined;
  /** True if raw input and modes are on just now. */
  #isTaken = false;
  #isGone = false;
  /** True if a change of size was told whose signal is still to come. */
  #isResizeSignalDue = false;
  #writesUnderWay = 0;
  /** True if the terminal has answered a question about what it is. */
  #answers = false;

  constructor(options: ProcessTerminalOptions = {}) {
    this.#stdin = options.stdin ?? process.stdin;
    this.#stdout = options.stdout ?? process.stdout;
    this.#writeText = this.#stdout.write.bind(this.#stdout);
    this.#firstModes = options.modes ?? ['bracketedPaste', 'kittyKeyboard'];
    this.#signals = new ProcessSignals({
      end: () => this.#giveBack(),
      stop: () => this.suspend(),
      continue: () => this.#continue(),
    });
  }

  get columns(): number {
    return this.#stdout.columns || Number(process.env['COLUMNS']) || 80;
  }

  get rows(): number {
    return this.#stdout.rows || Number(process.env['LINES']) || 24;
  }

  start(listener: TerminalListener): void {
    this.#listener = listener;
    this.#setBlocking(false);
    this.#stdin.on('data', this.#onData);
    this.#stdin.on('end', this.#onGone);
    this.#stdin.on('error', this.#onGone);
    this.#stdout.on('error', this.#onGone);
    this.#stdout.on('resize', this.#onResize);
    process.on('SIGWINCH', this.#onWindowSignal);
    this.#signals.listen();
    this.#take();
    for (const mode of this.#firstModes) this.enable(mode);
    this.#stdin.resume();
  }

  refreshSize(): void {
    if (!this.#isGone && this.#stdout._handle) this.#stdout._refreshSize?.();
  }

  write(text: string): boolean {
    if (this.#isGone) return true;
    // Node's own answer allows for many frames on their way; for keys to be echoed at once, there is only one.
    this.#writesUnderWay++;
    this.#writeText(text, this.#onWritten);
    return false;
  }

  enable(mode: TerminalMode): void {
    this.#writeSome(this.#modes.enable(mode));
  }

  disable(mode: TerminalMode): void {
    this.#writeSome(this.#modes.disable(mode));
  }

  suspend(): void {
    if (!this.#listener) return;
    this.#giveBack();
    this.#signals.stopProcess();
  }

  async stop(): Promise<void> {
    if (!this.#listener) return;
    this.#listener = undefined;
    await this.#finishWrites();
    if (this.#isTaken && !this.#isGone) {
      this.#writeNow(this.#modes.allOff);
      const ask = (query: string) => this.#writeNow(query);
      await (this.#answers ? awaitQuietInput(this.#stdin, ask) : awaitQuietInput(this.#stdin));
    }
    this.#release();
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#answers ||= hasDeviceAttributes(bytes);
    this.#listener?.input(this.#typedAhead.restore(bytes));
  };
  readonly #onResize = (): void => {
    this.#isResizeSignalDue = true;
    this.#listener?.resize();
  };
  /** Node says nothing of a signal after which the size is the same: several steps came before the first was seen. */
  readonly #onWindowSignal = (): void => {
    const isDue = this.#isResizeSignalDue;
    this.#isResizeSignalDue = false;
    if (!isDue) this.#listener?.resize();
  };
  readonly #onWritten = (): void => {
    this.#writesUnderWay--;
    if (this.#writesUnderWay === 0) this.#listener?.drain();
  };
  readonly #onGone = (): void => {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#listener?.close();
  };

  /** Raw input, and the modes that were on when the terminal was given away. */
  #take(): void {
    this.#isTaken = true;
    this.#setRaw(true);
    this.#typedAhead.begin();
    this.#writeSome(this.#modes.allOn);
  }

  /** Leaves the terminal as it was found, at once: there may be no later. */
  #giveBack(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#writeNow(this.#modes.allOff);
    this.#setRaw(false);
  }

  #continue(): void {
    if (!this.#listener) return;
    // The shell may have set the terminal otherwise without Node knowing, so raw input is turned off first.
    this.#setRaw(false);
    this.#take();
    this.#listener.resume();
  }

  #release(): void {
    this.#isTaken = false;
    this.#setRaw(false);
    this.#signals.ignore();
    this.#stdin.off('data', this.#onData);
    this.#stdin.off('end', this.#onGone);
    this.#stdin.off('error', this.#onGone);
    this.#stdout.off('resize', this.#onResize);
    process.off('SIGWINCH', this.#onWindowSignal);
    this.#setBlocking(true);
    this.#stdin.pause();
  }

  async #finishWrites(): Promise<void> {
    if (this.#isGone || this.#stdout.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, shutdownMs);
      this.#writeText('', () => {
        clearTimeout(patience);
        resolve();
      });
    });
  }

  #setRaw(isRaw: boolean): void {
    try {
      this.#stdin.setRawMode?.(isRaw);
    } catch {
      // A terminal that is gone has no state to keep.
    }
  }

  /** A slow terminal must not keep keys and streams waiting. */
  #setBlocking(isBlocking: boolean): void {
    this.#stdout._handle?.setBlocking?.(isBlocking);
  }

  #writeSome(text: string): void {
    if (text !== '' && this.#isTaken) this.write(text);
  }

  #writeNow(text: string): void {
    try {
      writeSync(this.#stdout.fd, text);
    } catch {
      // The terminal is gone or blocked: there is no way to report it.
    }
  }
}
