import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { user } from '../fixtures/messages.ts';
import { copyInto } from './copy-into.ts';
import { JsonlSessionStore } from './jsonl-store.ts';

it('copies large entries a few at a time, whatever their number', async () => {
  const home = await temporaryDirectory('robota-home');
  const store = new JsonlSessionStore({ home });
  const source = await store.create({ cwd: home });
  const texts = Array.from({ length: 12 }, (_, index) => `${index} ${'ü'.repeat(200_000)}`);
  for (const text of texts) await source.append({ type: 'message', message: user(text) });
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
