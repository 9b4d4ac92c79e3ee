import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userMessage } from '@robota-sdk/agent-core';
import { expect, it, onTestFinished } from 'vitest';
import { copyInto } from './copy-into.ts';
import { JsonlSessionStore } from './jsonl-store.ts';

it('copies large entries a few at a time, whatever their number', async () => {
  const home = mkdtempSync(join(tmpdir(), 'robota-copy-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const store = new JsonlSessionStore({ home });
  const source = await store.create({ cwd: home });
  const texts = Array.from({ length: 12 }, (_, index) => `${index} ${'ü'.repeat(200_000)}`);
  for (const text of texts) await source.append({ type: 'message', message: userMessage(text) });
  const copy = await store.create({ cwd: home });
  const adopt = copy.adopt.bind(copy);
  const batches: number[] = [];
  copy.adopt = (entries, options) => {
    batches.push(entries.length);
    return adopt(entries, options);
  };
  await copyInto(copy, source, source.leafId);
  expect(Math.max(...batches)).toBeLessThanOrEqual(3);
  expect([...copy.entries()]).toEqual([...source.entries()]);
  await copy.close();
  await source.close();
});
