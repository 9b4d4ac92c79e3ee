import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EntryTree } from '../entry/tree.ts';
import { assistant, user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';

const long = (number: number) => `${number} ${'ä€𝄞 '.repeat(20_000)}`;

function openStore() {
  const home = mkdtempSync(join(tmpdir(), 'robota-released-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, store: new JsonlSessionStore({ home, onProblem: () => {} }) };
}

describe('a session longer than what is held in memory', () => {
  it('gives every entry back as it was appended, one by one, together and beside facts', async () => {
    const { home, store } = openStore();
    const handle = await store.create({ cwd: home });
    await handle.append({ type: 'model_change', provider: 'a', modelId: 'b' });
    for (let number = 0; number < 40; number += 4) {
      await handle.append({ type: 'message', message: user(long(number)) }, { durable: number % 8 === 0 });
      await handle.setName(`name ${number}`);
      await handle.appendAll([
        { type: 'message', message: assistant(long(number + 1)) },
        { type: 'message', message: user(long(number + 2)) },
      ]);
      await handle.atOnce(async () => {
        await handle.append({ type: 'message', message: assistant(long(number + 3)) });
      });
    }
    const texts = () =>
      [...handle.entries()].flatMap((entry) =>
        entry.type === 'message' && 'content' in entry.message ? JSON.stringify(entry.message.content) : [],
      );
    const expected = Array.from({ length: 40 }, (_, number) =>
      JSON.stringify([{ type: 'text', text: long(number) }]),
    );
    expect(texts()).toEqual(expected);
    rmSync(dirname(handle.file ?? ''), { recursive: true });
    await handle.flush();
    await handle.append({ type: 'message', message: user(long(40)) });
    expect(texts().slice(0, 40)).toEqual(expected);
    await handle.close();
    expect(texts().slice(0, 40)).toEqual(expected);
    expect(handle.problems).toEqual([]);
  });

  it('is copied with all it holds', async () => {
    const { home, store } = openStore();
    const handle = await store.create({ cwd: home });
    for (let number = 0; number < 30; number++)
      await handle.append({ type: 'message', message: user(long(number)) });
    await handle.close();
    const copy = await store.fork(handle.id, { cwd: home });
    const ids = [...copy.entries()].map(({ id }) => id);
    expect(ids).toEqual([...handle.ids()]);
    await copy.close();
  });
});

describe('EntryTree', () => {
  it('holds only the latest of the entries that were written', () => {
    const read: number[] = [];
    const tree = new EntryTree();
    tree.readPlacedBy(({ offset }) => {
      read.push(offset);
      return undefined;
    });
    for (let number = 0; number < 6; number++) {
      const base = { id: `${number}`, parentId: null, timestamp: '' };
      tree.addEntry({ ...base, type: 'message', message: user('x') }, { bytes: 64 * 1024 });
      tree.place(`${number}`, 1000 + number);
    }
    for (let number = 0; number < 6; number++) tree.entry(`${number}`);
    expect(read).toEqual([1000, 1001]);
  });
});
