import { Worker } from 'node:worker_threads';
import { embeddedWorker } from '@robota-sdk/agent-core';

/** Limits of converting a page. */
export interface ConversionLimits {
  readonly timeoutMs: number;
  readonly heapMegabytes: number;
}

const usualLimits: ConversionLimits = { timeoutMs: 3_000, heapMegabytes: 512 };

/**
 * Converts a page to Markdown in a worker thread, so that no page can block the program. Undefined if the
 * page exceeds the limits.
 */
export function htmlToMarkdown(
  html: string,
  signal: AbortSignal,
  limits: ConversionLimits = usualLimits,
): Promise<string | undefined> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const embedded = embeddedWorker('html-worker');
    const worker = new Worker(embedded ?? workerFile(), {
      eval: embedded !== undefined,
      workerData: html,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
    });
    const stop = () => settle(() => reject(signal.reason));
    const timer = setTimeout(() => settle(() => resolve(undefined)), limits.timeoutMs);
    const settle = (answer: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      void worker.terminate();
      answer();
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (markdown: string) => settle(() => resolve(markdown)));
    // Out of memory or stack: the page is the cause.
    worker.once('error', () => settle(() => resolve(undefined)));
  });
}

/** Not every Node runs TypeScript: from the sources, the built file is used. */
function workerFile(): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL('../../dist/web-fetch/html-worker.js', here);
  return new URL(`./html-worker${here.slice(here.lastIndexOf('.'))}`, here);
}
