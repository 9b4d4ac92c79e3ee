import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterEach, expect } from 'vitest';
import { user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';

const real = { writeSync: fs.writeSync, ftruncateSync: fs.ftruncateSync };

/** Replaces functions of `node:fs`, also for modules that import them by name, until the test ends. */
function replace(functions: Partial<typeof real>): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}
afterEach(() => replace(real));

stillOpen('knows where its lines are after a write that failed half-way and could not be taken back', {
  observe: async () => {
    const home = await temporaryDirectory('robota-disk');
    const store = new JsonlSessionStore({ home });
    const handle = await store.create({ cwd: home });
    await handle.append({ type: 'message', message: user('first') }, { durable: true });
    const full = (code: string) => Object.assign(new Error(`${code}: no space left on device`), { code });
    let writes = 0;
    replace({
      // Half of the next line fits on the disk; the rest fails, and so does taking the half back.
      writeSync: ((fd: number, bytes: Buffer, offset: number) => {
        if (++writes > 1) throw full('ENOSPC');
        return real.writeSync(fd, bytes, offset, 20);
      }) as typeof real.writeSync,
      ftruncateSync: () => {
        throw full('EIO');
      },
    });
    await handle.append({ type: 'message', message: user('second') });
    replace(real);
    // The disk is fine again. Entries beyond 256 KB are read from their places in the file.
    for (let count = 0; count < 4; count++)
      await handle.append({ type: 'message', message: user('x'.repeat(200_000)) });
    await handle.append({ type: 'message', message: user('last') }, { durable: true });
    const found = handle.path().length;
    const problems = handle.problems.map(({ code }) => code);
    await handle.close();
    return { found, problems };
  },
  today: { found: 4, problems: ['lost-line'] },
  wanted: ({ found, problems }) => {
    expect(found).toBe(6);
    expect(problems).not.toContain('lost-line');
  },
});
