import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownCatalogue } from '@robota-sdk/agent-sdk/front-end';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it, vi } from 'vitest';
import { SessionsOnDisk } from './sessions-on-disk.ts';

/** A stored session that grows. */
async function growing(id: string) {
  const home = await temporaryDirectory();
  const store = new JsonlSessionStore({ home });
  const session = await store.create({ cwd: '/shop', id });
  const append = (text = '') => session.append({ type: 'custom', customType: 'note', data: { text } });
  await append();
  const [summary] = await store.list();
  const stored = new SessionsOnDisk(await ownCatalogue({ host: { env: { ROBOTA_HOME: home }, home } }));
  return { session, append, stored, file: summary?.path ?? '' };
}

describe('a stored session', () => {
  it('that several ask for at once is read once, to the end of its file at each question', async () => {
    const { session, append, stored, file } = await growing('one');
    for (let count = 1; count < 50; count++) await append();
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => stored.index(file)));
    expect(second).toBe(first);
    expect(third).toBe(first);
    expect(first?.length).toBe(50);
    const early = stored.index(file);
    await append();
    expect(await early).toBe(first);
    expect((await stored.index(file)).length).toBe(51);
    await session.close();
  });

  it('is read from the start when another file has taken its place, whatever its size', async () => {
    const { session, stored, file } = await growing('one');
    await session.close();
    const first = await stored.index(file);
    const lines = readFileSync(file, 'utf8').split('\n');
    const entry = (id: string) => (lines[1] ?? '').replace(/"id":"[^"]*"/, `"id":"${id}"`);
    for (const ids of [['aaaaaaaa'], ['bbbbbbbb', 'cccccccc'], ['dddddddd']]) {
      writeFileSync(`${file}.new`, [lines[0], ...ids.map(entry), ''].join('\n'));
      renameSync(`${file}.new`, file);
      const index = await stored.index(file);
      expect(index).not.toBe(first);
      expect([...index.tree.ids()]).toEqual(ids);
    }
  });

  it('is read later once, and is unread only until then', async () => {
    const { session, append, stored, file } = await growing('one');
    const told: string[] = [];
    expect(stored.unreadBytes(file)).toBeGreaterThan(0);
    stored.readLater(file, () => told.push('first'));
    stored.readLater(file, () => told.push('second'));
    stored.readLater(`${file}-gone`, () => told.push('gone'));
    stored.readLater(join(dirname(file), 'session.jsonl'), () => told.push('same'));
    await vi.waitFor(() => expect(told).toEqual(['first']));
    await append();
    expect(stored.unreadBytes(file)).toBe(0);
    await session.close();
  });

  it('of many megabytes is read in turns with other work', async () => {
    const { session, append, stored, file } = await growing('long');
    const text = 'word '.repeat(20_000);
    for (let count = 0; count < 50; count++) await append(text);
    let turns = 0;
    let isRead = false;
    const countTurn = () => {
      turns += 1;
      if (!isRead) setImmediate(countTurn);
    };
    countTurn();
    await stored.index(file);
    isRead = true;
    expect(turns).toBeGreaterThan(50);
    await session.close();
  });
});
