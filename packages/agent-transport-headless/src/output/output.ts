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

/** Wraps a stream such as `process.stdout`. */
export function streamOutput(
  stream: NodeJS.WritableStream,
  { clean = (text) => text, colour = false }: Partial<Pick<Output, 'clean' | 'colour'>> = {},
): Output {
  const closed = closingOf(stream);
  return withSay({
    clean,
    colour,
    closed,
    write: (text) => {
      if (closed.aborted || stream.write(text)) return;
      return untilClosed(closed, (done) => {
        stream.once('drain', done);
        return () => stream.off('drain', done);
      });
    },
    flush: async () => {
      if (!closed.aborted) await untilClosed(closed, (done) => void stream.write('', () => done()));
    },
  });
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

/** Waits for something that a closed stream would never do. `begin` may return how to stop waiting for it. */
function untilClosed(
  closed: AbortSignal,
  begin: (done: () => void) => (() => void) | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      closed.removeEventListener('abort', done);
      stop?.();
      resolve();
    };
    closed.addEventListener('abort', done, { once: true });
    const stop = begin(done);
  });
}
