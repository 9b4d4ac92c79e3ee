import { Worker } from 'node:worker_threads';
import { errorMessage } from '@robota-sdk/agent-core';
import type { TranspileAnswer, TranspileStart } from './worker/transpile-worker.ts';
import { workerFile } from './worker/worker-file.ts';

/** A component made ready to run: a script, its core modules, and what they need and offer. */
export interface TranspiledComponent {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly imports: readonly string[];
  readonly exports: readonly string[];
}

/** Even a large component takes some seconds. */
const maximumMs = 120_000;

/** Makes a component ready in a thread of its own: it takes seconds, and a hostile one might take forever. */
export async function transpileComponent(
  start: TranspileStart,
  signal?: AbortSignal,
): Promise<TranspiledComponent> {
  signal?.throwIfAborted();
  const worker = new Worker(workerFile('transpile-worker'), {
    workerData: start,
    env: {},
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<TranspileAnswer>((resolve, reject) => {
      const fail = (reason: string) => reject(new Error(reason));
      timer = setTimeout(() => fail(`it was not ready after ${maximumMs / 1000} seconds`), maximumMs);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.once('message', resolve);
      worker.once('error', (thrown) => fail(errorMessage(thrown)));
      worker.once('exit', () => fail('the toolchain ended without a result'));
    });
    if (answer.kind === 'made') return answer;
    throw new Error(firstLine(answer.reason));
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
