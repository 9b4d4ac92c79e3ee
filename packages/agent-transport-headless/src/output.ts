/** A sink for text that waits when its reader is slow and notices when the reader is gone. */
export interface Output {
  /** Takes out of a text whatever could control a terminal; leaves it alone where none is behind the output. */
  clean(text: string): string;
  /** Styling is welcome. */
  readonly colour: boolean;
  /** Resolves when more may be written. */
  write(text: string): Promise<void> | void;
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
  const gone = new AbortController();
  stream.on('error', () => gone.abort());
  const drained = () =>
    new Promise<void>((resolve) => {
      stream.once('drain', resolve);
      gone.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  return {
    clean,
    colour,
    closed: gone.signal,
    write: (text) => {
      if (gone.signal.aborted || stream.write(text)) return;
      return drained();
    },
    flush: () =>
      new Promise((resolve) => {
        if (gone.signal.aborted) return resolve();
        gone.signal.addEventListener('abort', () => resolve(), { once: true });
        stream.write('', () => resolve());
      }),
  };
}
