import { appendFileSync, mkdtempSync, readdirSync, realpathSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hashOf } from './file-state.ts';
import { ObjectStore } from './object-store.ts';

function emptyStore(): { store: ObjectStore; directory: string } {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'robota-objects-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return { store: new ObjectStore(directory), directory };
}

/** Content that does not get smaller. */
function content(seed: number): Buffer {
  return Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7919 + seed * 104729) & 255));
}

it('removes what nothing refers to, then the oldest until it fits', () => {
  const { store } = emptyStore();
  const hashes = [0, 1, 2, 3].map((seed) => {
    const bytes = content(seed);
    store.keep(hashOf(bytes), bytes);
    return hashOf(bytes);
  });
  const [unused = '', oldest = '', used = '', newest = ''] = hashes;
  store.shrink([used, oldest, used, newest], 2500);
  expect([unused, oldest, used, newest].map((hash) => store.has(hash))).toEqual([false, false, true, true]);
  expect(store.read(newest)).toEqual(content(3));
});

it('takes a damaged content for none', () => {
  const { store, directory } = emptyStore();
  const bytes = Buffer.from('text\n'.repeat(10_000));
  store.keep(hashOf(bytes), bytes);
  expect(store.read(hashOf(bytes))).toEqual(bytes);
  const [file] = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  truncateSync(join(file?.parentPath ?? '', file?.name ?? ''), 20);
  expect(store.read(hashOf(bytes))).toBeUndefined();
});

it('leaves what was staged to the next process, and nothing to the next session', () => {
  const { store, directory } = emptyStore();
  const contents = [Buffer.alloc(0), content(1), content(2)];
  for (const bytes of contents) store.stage(hashOf(bytes), bytes);
  store.flush();
  appendFileSync(join(directory, 'staged'), Buffer.alloc(50, 1));
  const next = new ObjectStore(directory);
  expect(next.has(hashOf(content(1)))).toBe(false);
  next.resume();
  next.stage(hashOf(content(3)), content(3));
  for (const bytes of [...contents, content(3)]) {
    expect(next.settle(hashOf(bytes))).toBe(true);
    expect(next.read(hashOf(bytes))).toEqual(bytes);
  }
  next.shrink([hashOf(content(2))], 1e6);
  expect(readdirSync(directory)).toEqual(['objects']);
  expect(contents.map((bytes) => next.has(hashOf(bytes)))).toEqual([false, false, true]);
});
