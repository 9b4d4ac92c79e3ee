import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { readCassette } from './read-cassette.ts';

const model = {
  vendor: 'anthropic',
  id: 'claude-x',
  api: 'anthropic',
  name: 'Claude X',
  contextWindow: 1000,
  maxOutput: 100,
  images: true,
  thinking: 'none',
};
const header = {
  type: 'recording',
  version: 1,
  created: '2026-01-01T00:00:00Z',
  cwd: '/work',
  home: '/home',
  models: [model],
  history: [],
};
const exchange = {
  type: 'model',
  model: 'claude-x',
  system: 'hash',
  tools: ['Read hash'],
  shared: 0,
  messages: ['hash'],
  events: [{ type: 'text-start', index: 0 }],
};
const call = {
  type: 'tool',
  id: 'c1',
  name: 'Read',
  input: null,
  status: 'success',
  output: { content: [{ type: 'text', text: 'x' }] },
};

let file: string;
beforeEach(async () => {
  file = join(await temporaryDirectory(), 'run.jsonl');
});

async function read(...lines: readonly (string | JsonValue)[]) {
  const written = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, `${written.join('\n')}\n`);
  return readCassette(file);
}

describe('a recording', () => {
  it('is read with every kind of line, whatever fields a later version adds', async () => {
    const lines = [
      exchange,
      { ...call, durationMs: 3 },
      { type: 'prompt', text: 'hi' },
      { type: 'attachments', content: [] },
      { type: 'hook', point: 'input', result: { context: 'more' } },
      { type: 'end', status: 'failed', error: { code: 'internal', message: 'x' } },
    ];
    expect(await read(header, ...lines)).toEqual({ header, lines });
  });

  it('is refused by name where its header lacks what a replay needs', async () => {
    for (const change of [
      { models: [] },
      { models: ['claude-x'] },
      { history: 'none' },
      { cwd: 3 },
      { type: 'message' },
    ])
      await expect(read({ ...header, ...change })).rejects.toThrow(
        `${file} is not a recording. Make one with --record FILE.`,
      );
    for (const first of ['', '[]', 'null'])
      await expect(read(first, exchange)).rejects.toThrow('is not a recording');
  });

  it('names its version before anything else of it is judged', async () => {
    await expect(read({ type: 'recording', version: 2 })).rejects.toThrow(
      'a recording of version 2, and 1 is',
    );
  });

  it('names the damaged line', async () => {
    await expect(read('no JSON')).rejects.toThrow(`${file}:1 is damaged.`);
    for (const line of [
      '{"type":"mod',
      { type: 'other' },
      { ...exchange, events: 'none' },
      { ...exchange, messages: [1] },
      { ...call, output: {} },
      { ...call, status: 'fine' },
      { type: 'hook', point: 'nowhere', result: {} },
      { type: 'prompt' },
    ])
      await expect(read(header, exchange, '', line)).rejects.toThrow(`${file}:4 is damaged.`);
  });

  it('that is missing or a directory is reported with the reason', async () => {
    await expect(readCassette(file)).rejects.toThrow('No such file. --record FILE writes one.');
    await mkdir(file);
    await expect(readCassette(file)).rejects.toThrow(
      `The recording ${file} cannot be read: illegal operation on a directory`,
    );
  });

  it('fails with an error for the user on any line', async () => {
    const line = fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom('model', 'tool', 'hook') }));
    await fc.assert(
      fc.asyncProperty(line, async (value) => {
        await expect(read(header, JSON.stringify(value))).rejects.toMatchObject({ code: 'usage' });
      }),
      { numRuns: 50 },
    );
  });
});
