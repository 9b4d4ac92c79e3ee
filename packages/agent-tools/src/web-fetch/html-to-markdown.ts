import { Worker } from 'node:worker_threads';

/** What a page may take before it is given up. */
export interface ConversionLimits {
  readonly timeoutMs: number;
  readonly heapMegabytes: number;
}

const usualLimits: ConversionLimits = { timeoutMs: 3_000, heapMegabytes: 512 };

/**
 * Makes Markdown of a page in a thread of its own, so that no page can block the program. Undefined where the page is
 * too complex for the limits.
 */
export function htmlToMarkdown(
  html: string,
  signal: AbortSignal,
  limits: ConversionLimits = usualLimits,
): Promise<string | undefined> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), {
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
    // Out of memory or of stack: the page is at fault.
    worker.once('error', () => settle(() => resolve(undefined)));
  });
}

/** Not every Node reads TypeScript: from the sources, the built file is run. */
function workerFile(): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL('../../dist/web-fetch/html-worker.js', here);
  return new URL(`./html-worker${here.slice(here.lastIndexOf('.'))}`, here);
}
