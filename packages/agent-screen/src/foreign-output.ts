import { writeSync } from 'node:fs';

type Write = NodeJS.WriteStream['write'];

/** Until then what was taken may not have been painted. */
const paintedMs = 100;

/**
 * Keeps what others write to the terminal out of the picture, such as `console.log` of an extension: it is told as
 * lines. Where the process ends before they were painted, they are written as they are.
 */
export class ForeignOutput {
  readonly #tell: (text: string) => void;
  readonly #originals = new Map<NodeJS.WriteStream, Write>();
  #rest = '';
  #untold: string[] = [];

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  start(): void {
    for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) this.#take(stream);
    process.on('exit', this.#onExit);
  }

  stop(): void {
    for (const [stream, write] of this.#originals) stream.write = write;
    this.#originals.clear();
    process.off('exit', this.#onExit);
    if (this.#rest !== '') process.stderr.write(this.#rest);
    this.#rest = '';
  }

  #take(stream: NodeJS.WriteStream): void {
    this.#originals.set(stream, stream.write);
    const take = (chunk: string | Uint8Array, ...more: readonly unknown[]): boolean => {
      this.#push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      const done = more.at(-1);
      if (typeof done === 'function') process.nextTick(done as () => void);
      return true;
    };
    stream.write = take as Write;
  }

  #push(text: string): void {
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      this.#rest += text;
      return;
    }
    const told = (this.#rest + text.slice(0, end)).trimEnd();
    this.#rest = text.slice(end + 1);
    if (told === '') return;
    this.#untold.push(told);
    setTimeout(() => this.#untold.shift(), paintedMs).unref();
    this.#tell(told);
  }

  readonly #onExit = (): void => {
    const text = [...this.#untold, this.#rest].join('\n').trimEnd();
    if (text === '') return;
    try {
      writeSync(process.stderr.fd, `\r\n\x1b[J${text}\r\n`);
    } catch {
      // The terminal is gone: nothing can be shown.
    }
  };
}
