import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { SnapshotFile } from './snapshot-file.ts';
import type { KnownFile } from './workspace-snapshot.ts';

const known: KnownFile = {
  stamp: '1:2:3',
  seenAt: 10,
  changedAt: 5,
  madeAt: 0,
  inode: 7,
  state: { kind: 'file', mode: 0o644, size: 1, hash: 'abc' },
  source: 'store',
};

let directory: string;
let file: SnapshotFile;
beforeEach(async () => {
  directory = await temporaryDirectory();
  file = new SnapshotFile(directory);
});

describe('a snapshot on disk', () => {
  it('gives another process what was saved last, by root', () => {
    const link: KnownFile = { ...known, state: { kind: 'symlink', target: 'a' }, blob: 'f00' };
    file.save(
      '/one',
      new Map([
        ['a', known],
        ['b', link],
      ]),
    );
    file.save('/two', new Map([['c', known]]));
    file.save('/one', new Map([['b', link]]));
    const loaded = new SnapshotFile(directory);
    expect(loaded.load('/one')).toEqual(new Map([['b', link]]));
    expect(loaded.load('/two')).toEqual(new Map([['c', known]]));
    expect(loaded.load('/three').size).toBe(0);
  });

  it('is empty where there is no file', () => {
    expect(file.load('/one').size).toBe(0);
  });

  it('skips lines that are cut off or do not say what is known of a file', () => {
    file.save('/one', new Map([['a', known]]));
    const bad = [
      '{"root":"/one","pa',
      'null',
      '[]',
      { root: '/one' },
      { root: '/one', path: 3, known },
      { root: '/one', path: 'b', known: {} },
      { root: '/one', path: 'b', known: { ...known, state: { kind: 'file' } } },
      { root: '/one', path: 'b', known: { ...known, state: { kind: 'other thing' } } },
      { root: '/one', path: 'a', known: 'gone' },
    ];
    const lines = bad.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    appendFileSync(join(directory, 'snapshot.jsonl'), `${lines.join('\n')}\n`);
    expect(new SnapshotFile(directory).load('/one')).toEqual(new Map([['a', known]]));
  });
});
