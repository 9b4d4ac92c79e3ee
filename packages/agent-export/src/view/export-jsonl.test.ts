import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '@robota-sdk/agent-core';
import type { SessionHandle } from '@robota-sdk/agent-sessions';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../../../agent-sessions/src/fixtures/messages.ts';
import { exportJsonl } from './export-jsonl.ts';

let home: string;
let store: JsonlSessionStore;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-export-'));
  store = new JsonlSessionStore({ home });
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const linesOf = (handle: SessionHandle, redact?: ReturnType<typeof createRedactor>) => [
  ...exportJsonl(handle, redact),
];

async function reopened(lines: readonly string[]): Promise<SessionHandle> {
  const file = join(home, 'exported.jsonl');
  writeFileSync(file, lines.join(''));
  return store.open(file, { mode: 'read' });
}

describe('an export to lines', () => {
  it('opens again as the same tree, with name, labels and leaf', async () => {
    proves('P-19', 'P-21');
    const handle = await store.create({ cwd: '/work' });
    await handle.appendAll(
      [user('one'), call('t1'), result('t1'), assistant('two')].map((message) => ({
        type: 'message',
        message,
      })),
    );
    const fork = [...handle.entries()][0]?.id ?? '';
    const other = handle.leafId;
    await handle.setLeaf(fork);
    await handle.append({ type: 'message', message: assistant('other way') });
    await handle.append({ type: 'custom', customType: 'mine', data: { a: 1 } });
    await handle.setLeaf(other);
    await handle.setName('A name');
    await handle.setLabel(fork, 'here');
    const again = await reopened(linesOf(handle));
    expect(again.header).toEqual(handle.header);
    expect([...again.entries()]).toEqual([...handle.entries()]);
    expect(again.path()).toEqual(handle.path());
    expect([again.name, again.leafId, [...again.labels]]).toEqual(['A name', other, [[fork, 'here']]]);
    expect(again.problems).toEqual([]);
    await handle.close();
  });

  it('keeps every byte of unknown lines', async () => {
    const strange =
      '{"zzz": 12345678901234567890,  "type":"future","id":"bbbbbbbb","parentId":null,"timestamp":"t","x":1.0}';
    const placeless = '{"type":"banner", "n":1e3}';
    const file = join(home, 'foreign.jsonl');
    const header =
      '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}';
    writeFileSync(file, `${header}\n${placeless}\n${strange}\n`);
    const handle = await store.open(file, { mode: 'read' });
    for (const redact of [undefined, createRedactor()]) {
      const lines = linesOf(handle, redact);
      expect(lines).toContain(`${strange}\n`);
      expect(lines).toContain(`${placeless}\n`);
    }
    expect(readFileSync(file, 'utf8')).toBe(`${header}\n${placeless}\n${strange}\n`);
  });

  it('hides secrets where asked to, but no data of images', async () => {
    const key = `sk-${'a1B2'.repeat(8)}`;
    const image = { type: 'image', mimeType: 'image/png', data: `/AIza${'x'.repeat(40)}` } as const;
    const handle = await store.create({ cwd: '/work' });
    await handle.append({
      type: 'message',
      message: user('', { content: [{ type: 'text', text: `my key is ${key} and hunter22222` }, image] }),
    });
    const raw = linesOf(handle).join('');
    const hidden = linesOf(handle, createRedactor(['hunter22222'])).join('');
    expect(raw).toContain(key);
    expect(hidden).not.toMatch(/sk-a1B2|hunter22222/);
    expect(hidden).toContain(image.data);
    expect([...(await reopened([hidden])).entries()]).toHaveLength(1);
    await handle.close();
  });
});
