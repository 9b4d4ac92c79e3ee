import { Writable } from 'node:stream';

/** A sink for text that waits when its reader is slow and notices when the reader is gone. */
export interface Output {
  /** Takes out of a text whatever could control a terminal; leaves it alone where none is behind the output. */
  clean(text: string): string;
  /** Styling is welcome. */
  readonly colour: boolean;
  /** Resolves when more may be written. */
  write(text: string): Promise<void> | void;
  /** Writes a cleaned line. */
  say(text: string): Promise<void> | void;
  /** Resolves when every byte was handed over. */
  flush(): Promise<void>;
  /** Aborts when the reader went away. */
  readonly closed: AbortSignal;
}

type Write = (text: string) => unknown;

/** Wraps a stream such as `process.stdout`; `write` replaces its own. */
export function streamOutput(
  stream: NodeJS.WritableStream,
  {
    clean = (text) => text,
    colour = false,
    write = (text) => stream.write(text),
  }: Partial<Pick<Output, 'clean' | 'colour'>> & { readonly write?: Write } = {},
): Output {
  const closed = closingOf(stream);
  return withSay({
    clean,
    colour,
    closed,
    write: (text) => {
      if (closed.aborted) return;
      write(text);
      return whenDrained(stream, closed);
    },
    flush: () => whenTaken(stream, closed),
  });
}

/** Waits for a slow reader. The stream is asked, since a function in place of its `write` may answer anything. */
function whenDrained(stream: NodeJS.WritableStream, closed: AbortSignal): Promise<void> | undefined {
  if (!(stream instanceof Writable) || !stream.writableNeedDrain) return undefined;
  return unlessClosed(closed, (done) => stream.once('drain', done));
}

/** Resolves when a stream has handed over every byte, also where its `write` was replaced. */
export async function whenTaken(stream: NodeJS.WritableStream, closed = closingOf(stream)): Promise<void> {
  if (!(stream instanceof Writable) || stream.writableLength === 0) return;
  await unlessClosed(closed, (done) => void Writable.prototype.write.call(stream, '', 'utf8', done));
}

/** An output that lets no secret through, as far as `redact` knows it. */
export function redactedOutput(output: Output, redact: (text: string) => string): Output {
  return withSay({ ...output, write: (text) => output.write(redact(text)) });
}

function withSay(output: Omit<Output, 'say'>): Output {
  return { ...output, say: (text) => output.write(output.clean(`${text}\n`)) };
}

/** One signal for each stream, however often it is wrapped, so that listeners do not pile up. */
const closings = new WeakMap<NodeJS.WritableStream, AbortSignal>();

function closingOf(stream: NodeJS.WritableStream): AbortSignal {
  const known = closings.get(stream);
  if (known) return known;
  const gone = new AbortController();
  stream.on('error', () => gone.abort());
  stream.on('close', () => gone.abort());
  closings.set(stream, gone.signal);
  return gone.signal;
}

/** Waits for something that a closed stream would never do. */
async function unlessClosed(closed: AbortSignal, begin: (done: () => void) => void): Promise<void> {
  if (closed.aborted) return;
  const settled = new AbortController();
  await new Promise<void>((resolve) => {
    closed.addEventListener('abort', () => resolve(), { once: true, signal: settled.signal });
    begin(resolve);
  });
  settled.abort();
}
