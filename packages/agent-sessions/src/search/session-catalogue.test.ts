import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Message } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from '../store/jsonl-store.ts';
import { projectIdOf } from '../store/project-id.ts';
import { SessionCatalogue } from './session-catalogue.ts';

let home: string;
let store: JsonlSessionStore;
let catalogue: SessionCatalogue;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'robota-catalogue-'));
  store = new JsonlSessionStore({ home });
  catalogue = new SessionCatalogue({ home });
});

describe('listing', () => {
  it('counts messages, takes names over prompts and says how many sessions are elsewhere', async () => {
    const first = await keep([user('fix the login'), assistant('done'), call('c1'), result('c1', 'x')]);
    await keep([user('other')], { cwd: '/elsewhere' });
    await keep([user('named one')], { name: 'release notes' });
    const { sessions, elsewhere, unreadable } = await catalogue.list({ cwd: '/project' });
    expect(sessions.map(({ name, firstPrompt, messages }) => [name, firstPrompt, messages])).toEqual([
      ['release notes', 'named one', 1],
      [undefined, 'fix the login', 3],
    ]);
    expect(sessions[1]).toMatchObject({ id: first, cwd: '/project' });
    expect({ elsewhere, unreadable }).toEqual({ elsewhere: 1, unreadable: [] });
    expect((await catalogue.list()).sessions).toHaveLength(3);
  });

  it('leaves out sessions in which nothing was said', async () => {
    const blank = await keep([user('x')]);
    await keep([user('sound')]);
    const [header = ''] = readFileSync(pathOf(blank), 'utf8').split('\n');
    writeFileSync(pathOf(blank), `${header}\n`);
    const { sessions, unreadable } = await catalogue.list({ cwd: '/project' });
    expect(sessions.map(({ firstPrompt }) => firstPrompt)).toEqual(['sound']);
    expect(unreadable).toEqual([]);
  });

  it('names what cannot be read and lists the rest', async () => {
    await keep([user('sound')]);
    const empty = await keep([user('x')]);
    const noise = await keep([user('x')]);
    writeFileSync(pathOf(empty), '');
    writeFileSync(pathOf(noise), 'this is\nno session\n');
    mkdirSync(join(dirname(dirname(pathOf(noise))), 'dir', 'session.jsonl'), { recursive: true });
    const { sessions, unreadable } = await catalogue.list({ cwd: '/project' });
    expect(sessions.map(({ firstPrompt }) => firstPrompt)).toEqual(['sound']);
    expect(unreadable.map(({ why }) => why).sort()).toEqual([
      'it is not a file',
      'no line in it is one of a session',
      'nothing was ever saved in it',
    ]);
  });

  it('names sessions of a newer format as what cannot be read, in lists and in searches', async () => {
    const id = await keep([user('from the future')]);
    await keep([user('of the present')]);
    writeFileSync(pathOf(id), readFileSync(pathOf(id), 'utf8').replace('"version":3', '"version":99'));
    const { sessions, unreadable } = await catalogue.list({ cwd: '/project' });
    expect(sessions.map(({ firstPrompt }) => firstPrompt)).toEqual(['of the present']);
    const why = expect.stringContaining('format 99');
    expect(unreadable).toMatchObject([{ path: pathOf(id), why }]);
    const answer = await catalogue.search({ query: 'future', cwd: '/project' });
    expect(answer).toMatchObject({ found: [], matched: 0, unreadable: [{ path: pathOf(id), why }] });
  });

  it('reads lines with blanks between their parts', async () => {
    const id = await keep([user('spread out')], { name: 'wide' });
    const lines = readFileSync(pathOf(id), 'utf8').replace(/("(?:type|role|text|name)"):/g, '$1 : ');
    writeFileSync(pathOf(id), lines);
    const { sessions } = await catalogue.list({ cwd: '/project' });
    expect(sessions).toMatchObject([{ firstPrompt: 'spread out', name: 'wide', messages: 1 }]);
  });

  it('notices every change of a file, and reads damaged caches as none', async () => {
    const id = await keep([user('one')]);
    await catalogue.list();
    const open = await store.open(id);
    await open.append({ type: 'message', message: assistant('two') });
    await open.close();
    expect((await catalogue.list()).sessions[0]?.messages).toBe(2);
    for (const file of cacheFiles()) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      writeFileSync(file, 'robota-summaries-1\nxxxx[["torn');
    }
    expect((await catalogue.list()).sessions[0]?.messages).toBe(2);
  });

  it('works where the cache cannot be written', async () => {
    await keep([user('one')]);
    mkdirSync(join(home, 'cache'), { recursive: true });
    writeFileSync(join(home, 'cache', 'sessions'), 'in the way');
    expect((await catalogue.list()).sessions).toHaveLength(1);
    expect((await catalogue.search({ query: 'one' })).found).toHaveLength(1);
  });

  it('forgets sessions that are gone', async () => {
    const id = await keep([user('secret plans')]);
    await catalogue.list();
    await catalogue.search({ query: 'secret' });
    await store.delete(id);
    expect((await catalogue.list()).sessions).toEqual([]);
    expect((await catalogue.search({ query: 'secret' })).found).toEqual([]);
  });
});

describe('searching', () => {
  it('finds words in prompts, answers, calls, results, diffs, labels and names', async () => {
    const id = await keep(
      [
        user('alpha'),
        assistant('bravo'),
        call('c1', 'Bash', { command: 'echo charlie\necho second' }),
        result('c1', 'delta'),
        result('c2', 'done', {
          display: { kind: 'diff', path: 'a.ts', lines: [{ kind: 'added', text: 'foxtrot()' }] },
        }),
      ],
      { name: 'golf' },
    );
    const open = await store.open(id);
    await open.setLabel(open.leafId ?? '', 'hotel');
    await open.close();
    for (const [query, kind] of [
      ['alpha', 'prompt'],
      ['bravo', 'answer'],
      ['"charlie echo second"', 'call'],
      ['delta', 'result'],
      ['FOXTROT', 'diff'],
      ['golf', 'name'],
      ['hotel', 'label'],
    ] as const) {
      const { found } = await catalogue.search({ query });
      expect(found.map(({ snippets }) => snippets[0]?.kind)).toEqual([kind]);
    }
  });

  it('wants every word, a phrase as it stands, and minds role and tool', async () => {
    await keep([
      user('the quick brown fox'),
      call('c1', 'Bash', { command: 'ls' }),
      result('c1', 'fox.txt', { toolName: 'Bash' }),
    ]);
    const matched = async (query: string, filter = {}) =>
      (await catalogue.search({ query, ...filter })).matched;
    expect(await matched('fox quick')).toBe(1);
    expect(await matched('fox wolf')).toBe(0);
    expect(await matched('"quick brown"')).toBe(1);
    expect(await matched('"brown quick"')).toBe(0);
    expect(await matched('fox', { role: 'assistant' })).toBe(0);
    expect(await matched('fox', { role: 'tool' })).toBe(1);
    expect(await matched('quick fox', { role: 'tool' })).toBe(0);
    expect(await matched('fox', { tool: 'bash' })).toBe(1);
    expect(await matched('fox', { tool: 'Read' })).toBe(0);
    expect(await matched('')).toBe(0);
  });

  it('knows other scripts: no spaces needed, one form for the same letter, marks where the hit is', async () => {
    await keep([user('ログイン画面の不具合を直す')]);
    await keep([user('Straße im Cafe\u0301 ΟΔΟΣ ﬁle')]);
    for (const query of ['画面', '不', 'ログイン', 'STRASSE', 'café', 'οδοσ', 'file', 'ＦＩＬＥ']) {
      const { found } = await catalogue.search({ query });
      const [snippet] = found[0]?.snippets ?? [];
      expect([query, found.length, snippet?.marks.length]).toEqual([query, 1, 1]);
    }
    const { found } = await catalogue.search({ query: 'café' });
    const { text = '', marks = [] } = found[0]?.snippets[0] ?? {};
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['Cafe\u0301']);
  });

  it('puts many hits and late use first, and says when it did not count everything', async () => {
    const day = 24 * 3600;
    const now = 1_800_000_000;
    const used = async (text: string, daysAgo: number) => {
      const id = await keep([user(text)]);
      utimesSync(pathOf(id), now, now - daysAgo * day);
      return id;
    };
    const often = await used('needle '.repeat(12), 3);
    const late = await used('needle', 0);
    const old = await used('needle', 400);
    const all = await catalogue.search({ query: 'needle' });
    expect(all.found.map(({ session }) => session.id)).toEqual([often, late, old]);
    expect(all).toMatchObject({ matched: 3, complete: true });
    const best = await catalogue.search({ query: 'needle', limit: 1 });
    expect(best).toMatchObject({ matched: 2, complete: false });
    const recent = await catalogue.search({ query: 'needle', since: (now - 30 * day) * 1000 });
    expect(recent.matched).toBe(2);
  });

  it('reads a session again when it was written to', async () => {
    const id = await keep([user('one')]);
    expect((await catalogue.search({ query: 'two' })).matched).toBe(0);
    const open = await store.open(id);
    await open.append({ type: 'message', message: assistant('two') });
    await open.close();
    expect((await catalogue.search({ query: 'two' })).matched).toBe(1);
  });

  it('skips damaged lines and unreadable files', async () => {
    const torn = await keep([user('needle one')]);
    appendFileSync(pathOf(torn), '{"type":"message","id":"0000');
    const locked = await keep([user('needle two')]);
    rmSync(pathOf(locked));
    mkdirSync(pathOf(locked));
    const { found, unreadable } = await catalogue.search({ query: 'needle' });
    expect(found.map(({ session }) => session.id)).toEqual([torn]);
    expect(unreadable.map(({ path }) => path)).toEqual([pathOf(locked)]);
  });

  it('answers the same with the index, without it, and with a damaged one', async () => {
    const word = fc.constantFrom(
      'ab',
      'abc',
      'abcd',
      'Bcd',
      'é',
      'E\u0301',
      '日本',
      '本',
      'x_y',
      '"',
      '\n',
      '(a)',
      'ß',
      '😀',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
    const glued = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(''));
    const either = fc.oneof(text, glued, fc.string({ unit: 'grapheme', maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(either, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        either,
        fc.constantFrom(undefined, 1, 2),
        async (sessions, query, limit) => {
          rmSync(home, { recursive: true, force: true });
          for (const texts of sessions) await keep(texts.map((one) => user(one)));
          const request = { query, ...(limit === undefined ? {} : { limit }) };
          const without = await catalogue.search(request);
          const first = await catalogue.search(request);
          const other = await new SessionCatalogue({ home }).search(request);
          for (const file of cacheFiles()) writeFileSync(file, 'noise');
          const damaged = await catalogue.search(request);
          expect(first).toEqual(without);
          expect(other).toEqual(without);
          expect(damaged).toEqual(without);
        },
      ),
      { numRuns: 60 },
    );
  });
});

function cacheFiles(): string[] {
  const directory = join(home, 'cache', 'sessions');
  return readdirSync(directory).map((name) => join(directory, name));
}

async function keep(
  messages: readonly Message[],
  { cwd = '/project', name }: { cwd?: string; name?: string } = {},
): Promise<string> {
  return store.save({ cwd, messages, ...(name === undefined ? {} : { name }) });
}

function pathOf(id: string, cwd = '/project'): string {
  return join(home, 'sessions', projectIdOf(cwd), id, 'session.jsonl');
}
