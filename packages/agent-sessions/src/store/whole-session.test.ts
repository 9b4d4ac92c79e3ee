import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';

async function filled(count: number) {
  const home = await temporaryDirectory('robota-home');
  const store = new JsonlSessionStore({ home });
  const handle = await store.create({ cwd: '/x' });
  for (let index = 0; index < count; index++)
    await handle.append({ type: 'message', message: user(`prompt ${index}`) });
  await handle.close();
  return { store, id: handle.id, project: dirname(handle.directory ?? '') };
}

it('a copy is not seen before it is whole, and one that fails leaves nothing', async () => {
  const { store, id, project } = await filled(3);
  const seen: number[] = [];
  const copy = await store.createWhole(
    { cwd: '/x' },
    {
      fill: async (session) => {
        await session.append({ type: 'message', message: user('half') }, { durable: true });
        seen.push((await store.list()).length);
        expect((await store.latest('/x'))?.id).toBe(id);
        expect(await store.has(session.id)).toBe(false);
        return true;
      },
    },
  );
  expect(seen).toEqual([1]);
  expect((await store.latest('/x'))?.id).toBe(copy?.id);
  await copy?.append({ type: 'message', message: user('more') });
  await copy?.close();
  expect((await store.open(copy?.id ?? '', { mode: 'read' })).messages()).toHaveLength(2);
  const failing = { fill: () => Promise.reject(new Error('no')) };
  await expect(store.createWhole({ cwd: '/x' }, failing)).rejects.toThrow('no');
  expect(await store.createWhole({ cwd: '/x' }, { fill: async () => false })).toBeUndefined();
  expect(readdirSync(project)).toHaveLength(2);
});

it('what a killed process left half done is ignored, and goes with the next session or copy', async () => {
  const { store, id, project } = await filled(3);
  const gone = spawn('true');
  await new Promise((resolve) => gone.once('exit', resolve));
  const left = join(project, `.new-${gone.pid}-20260101-abcdef`);
  mkdirSync(left);
  writeFileSync(join(left, 'session.jsonl'), '{}\n');
  const living = join(project, `.new-${process.pid}-20260101-abcdef`);
  mkdirSync(living);
  const old = new Date(Date.now() - 60_000);
  utimesSync(join(left, 'session.jsonl'), old, old);
  expect(await store.list()).toHaveLength(1);
  expect((await store.latest('/x'))?.id).toBe(id);
  const kept = `.new-${process.pid}-20260101-abcdef`;
  const copy = await store.fork(id);
  await copy.close();
  expect(readdirSync(project).sort()).toEqual([id, copy.id, kept].sort());
  mkdirSync(left);
  utimesSync(left, old, old);
  await (await store.create({ cwd: '/x' })).close();
  await expect.poll(() => readdirSync(project).sort()).toEqual([id, copy.id, kept].sort());
});

it('a copy tells what was wrong with the original', async () => {
  const { store, id, project } = await filled(3);
  const { readFileSync } = await import('node:fs');
  const file = join(project, id, 'session.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.with(2, '{"broken').join('\n'));
  const copy = await store.fork(id);
  expect(copy.problems.map(({ message }) => message).join()).toMatch(/damaged/);
  await copy.close();
});

it('a copy of a session in which nothing was said is as empty', async () => {
  const home = await temporaryDirectory('robota-home');
  const store = new JsonlSessionStore({ home });
  const source = await store.create({ cwd: '/x' });
  const copy = await store.copy(source);
  expect(copy.messages()).toEqual([]);
  expect(await store.list()).toEqual([]);
});

it('a line that nothing can follow or hold costs no more than itself', async () => {
  const { store, id, project } = await filled(3);
  const file = join(project, id, 'session.jsonl');
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const content = (text: string) => `"role":"user","content":[{"type":"text","text":${text}}]`;
  const line = (entry: string, rest: string) =>
    `{"type":"message","id":"${entry}","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z",${rest}}\n`;
  const { appendFileSync } = await import('node:fs');
  appendFileSync(file, line('aaaaaaaa', `"message":{${content(deep)}}`));
  appendFileSync(file, line('bbbbbbbb', `"message":{${content(`"${'x'.repeat(33 * 1024 * 1024)}"`)}}`));
  const handle = await store.open(id);
  await handle.append({ type: 'message', message: user('next') });
  const size = JSON.stringify(handle.messages()).length;
  expect(size).toBeLessThan(10_000);
  expect(JSON.stringify(handle.messages())).toContain('next');
  await handle.close();
});

it('a broken link is no place for a session', async () => {
  const home = await temporaryDirectory('robota-home');
  const { symlinkSync } = await import('node:fs');
  symlinkSync('nowhere', join(home, 'link.jsonl'));
  const store = new JsonlSessionStore({ home });
  const create = store.create({ cwd: '/x', file: join(home, 'link.jsonl') });
  await expect(create).rejects.toThrow('is a link to nowhere, which does not exist');
});
