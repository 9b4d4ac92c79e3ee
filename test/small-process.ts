import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll } from 'vitest';

/** The system copies the map of a process's memory for each program that it starts: 10 ms for each 250 MB. */
const largeBytes = 250_000_000;

afterAll(() => {
  if (process.memoryUsage().heapTotal > largeBytes) collectGarbage();
});

/** Returns the memory to the system, which V8 would keep for what comes next. */
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = vm.runInNewContext('gc');
  v8.setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' });
}
