import type { TranspileAnswer, TranspileStart } from '../worker/transpile-worker.ts';
import { WorkerProcess } from './worker-process.ts';

/** A component made ready to run: a script, its core modules, and what they need and offer. */
export interface TranspiledComponent {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly imports: readonly string[];
  readonly exports: readonly string[];
}

/** Even a large component takes some seconds. */
const maximumMs = 120_000;
const heapMegabytes = 1024;
const maxMessageBytes = 256 * 1024 * 1024;

/** Transpiles a component in a separate process: it takes seconds, and a hostile one might never end. */
export async function transpileComponent(
  start: TranspileStart,
  signal?: AbortSignal,
): Promise<TranspiledComponent> {
  signal?.throwIfAborted();
  const { promise, resolve } = settled<TranspileAnswer>();
  const fail = (reason: string) => resolve({ kind: 'failed', reason });
  const worker = await WorkerProcess.start({
    name: 'transpile-worker',
    heapMegabytes,
    maxMessageBytes,
    isConfined: false,
    onMessage: (message) => resolve(message as TranspileAnswer),
    onEnd: fail,
  });
  const timer = setTimeout(() => fail(`it was not ready after ${maximumMs / 1000} seconds`), maximumMs);
  const onAbort = () => fail('it was interrupted');
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    worker.send(start);
    const answer = await promise;
    signal?.throwIfAborted();
    if (answer.kind === 'made') return answer;
    throw new Error(answer.reason.split('\n')[0]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    worker.kill('it is done');
  }
}

function settled<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
