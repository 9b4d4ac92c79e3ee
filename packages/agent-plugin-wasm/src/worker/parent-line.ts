import { readSync, writeSync } from 'node:fs';
import { frameContent, frameOf, lengthOf } from './frames.ts';

const requests = 0;
const answers = 1;

/** The next message of the program that started this process, which waits for it; without that program it ends. */
export function hearParent(): unknown {
  return frameContent(readWhole(lengthOf(readWhole(4))));
}

/** Sends a message to that program; waits until it is on its way. */
export function tellParent(value: unknown): void {
  const bytes = frameOf(value);
  for (let at = 0; at < bytes.length; ) at += patiently(() => writeSync(answers, bytes, at));
}

function readWhole(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    const read = patiently(() => readSync(requests, bytes, at, count - at, null));
    if (read === 0) process.exit(0);
    at += read;
  }
  return bytes;
}

/** A pipe that does not block says so when there is nothing to do. */
function patiently(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === 'EOF' || code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
