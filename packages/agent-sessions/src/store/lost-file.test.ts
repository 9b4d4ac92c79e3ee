import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';
import type { SessionHandle } from './session-handle.ts';
import type { SessionProblem } from './session-problem.ts';

let home: string;
let problems: SessionProblem[];
let store: JsonlSessionStore;
let handle: SessionHandle;
let file: string;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'robota-lost-'));
  problems = [];
  store = new JsonlSessionStore({ home, onProblem: (problem) => problems.push(problem) });
  const first = await store.create({ cwd: home });
  await first.append({ type: 'message', message: user('one') });
  await first.close();
  handle = await store.open(first.id);
  file = join(handle.directory ?? '', 'session.jsonl');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const say = (text: string, durable = true) =>
  handle.append({ type: 'message', message: user(text) }, { durable });

async function textsIn(path: string): Promise<string[]> {
  const read = await store.open(path, { mode: 'read' });
  const texts = read.messages().map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''));
  await read.close();
  return texts;
}

describe('a session file that is lost while it is open', () => {
  it('is written again whole when it is deleted with its directory', async () => {
    await say('two', false);
    rmSync(dirname(file), { recursive: true });
    await say('three');
    await say('four');
    await handle.close();
    expect(await textsIn(file)).toEqual(['one', 'two', 'three', 'four']);
    expect(problems).toMatchObject([{ code: 'moved', message: expect.stringContaining('was deleted') }]);
  });

  it('is written again even if it is deleted before the first line and nothing is flushed', async () => {
    rmSync(dirname(file), { recursive: true });
    await say('two', false);
    await handle.close();
    expect(await textsIn(file)).toEqual(['one', 'two']);
  });

  it('continues in the copy that has taken its place', async () => {
    cpSync(file, `${file}.copy`);
    await say('two', false);
    renameSync(`${file}.copy`, file);
    await say('three');
    await handle.close();
    expect(await textsIn(file)).toEqual(['one', 'two', 'three']);
    expect(problems).toMatchObject([{ code: 'moved', message: expect.stringContaining('a copy of it') }]);
  });

  it('continues beside another file that has taken its place, which stays as it is', async () => {
    writeFileSync(`${file}.other`, 'something else\n');
    renameSync(`${file}.other`, file);
    await say('two');
    await say('three');
    await handle.close();
    expect(readFileSync(file, 'utf8')).toBe('something else\n');
    expect(problems).toHaveLength(1);
    const [, rescued = ''] = /robota --session (\S+)$/.exec(problems[0]?.message ?? '') ?? [];
    expect(await textsIn(rescued)).toEqual(['one', 'two', 'three']);
  });
});
