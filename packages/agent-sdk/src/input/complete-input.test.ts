import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fuzzyScore } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { completeFiles } from '@robota-sdk/agent-tools';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { type CompletionOptions, completeInput } from './complete-input.ts';

async function place() {
  const made = await makeTestProject();
  await mkdir(join(made.cwd, '.git'));
  await made.put('.gitignore', 'dist\n');
  for (const path of ['src/main.ts', 'src/deep/er/menu.ts', 'dist/main.js', 'my file.txt', 'README.md'])
    await made.put(path, 'x');
  return made;
}

async function opened(options: Parameters<typeof openScripted>[2] = {}) {
  const made = await place();
  const { session } = await openScripted(made, [], options);
  const complete = async (text: string, more: CompletionOptions = {}) => {
    const { start, items } = await completeInput(session, text, more);
    return { start, values: items.map(({ value }) => value) };
  };
  return { made, session, complete };
}

describe('completeInput', () => {
  it('completes commands by prefix, their other names, subcommands and models', async () => {
    proves('E-44', 'C-30', 'P-32');
    const { session, complete } = await opened();
    expect(await complete('/mo')).toEqual({ start: 0, values: ['/mode', '/model'] });
    expect((await complete('/qu')).values).toEqual(['/quit']);
    expect((await complete('/mode p')).values).toEqual(['/mode plan']);
    expect((await complete('/model claude-haiku')).values).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/model anthropic\/claude-haiku/)]),
    );
    expect((await complete('/nothing x')).values).toEqual([]);
    expect((await complete('say /mo')).values).toEqual([]);
    await session.shutdown();
  });

  it('completes files and directories, nested and by parts of their names, and leaves ignored ones out', async () => {
    proves('E-33');
    const { session, complete } = await opened({ rules: { deny: ['Read(README.md)'] } });
    expect((await complete('look at @')).values).toEqual(['@.gitignore', '@"my file.txt"', '@src/']);
    expect(await complete('look at @file:src/m')).toEqual({
      start: 8,
      values: ['@file:src/main.ts', '@file:src/deep/er/menu.ts'],
    });
    expect((await complete('@men')).values).toEqual(['@src/deep/er/menu.ts']);
    expect((await complete('@"my f')).values).toEqual(['@"my file.txt"']);
    expect((await complete('@dis')).values).toEqual([]);
    expect((await complete('@READ')).values).toEqual([]);
    expect(await complete('see @src/ma please', { cursor: 11 })).toEqual({
      start: 4,
      values: ['@src/main.ts'],
    });
    expect((await complete('me@src')).values).toEqual([]);
    await session.shutdown();
  });

  it('completes directories that hold only directories, absolute paths and paths without an @', async () => {
    proves('P-106', 'E-33');
    const made = await makeTestProject();
    await mkdir(join(made.cwd, '.git'));
    await made.put('packages/a/src/x.ts', 'x');
    await made.put('.gitignore', 'dist/');
    await made.put('dist/deep/er/y.ts', 'y');
    await mkdir(join(made.cwd, 'empty/inner'), { recursive: true });
    const { session } = await openScripted(made, []);
    const values = async (text: string) =>
      (await completeInput(session, text)).items.map(({ value }) => value);
    expect(await values('@')).toEqual(['@.gitignore', '@empty/', '@packages/']);
    expect(await values('@file:')).toEqual(['@file:.gitignore', '@file:empty/', '@file:packages/']);
    expect(await values('@packages/')).toEqual(['@packages/a/']);
    expect(await values('@packages/a/')).toEqual(['@packages/a/src/']);
    expect((await values('@packages/a/s'))[0]).toBe('@packages/a/src/');
    expect((await values('@file:/usr'))[0]).toBe('@file:/usr/');
    expect((await values('@/usr/sh'))[0]).toBe('@/usr/share/');
    expect((await values('look at /usr/sh'))[0]).toBe('/usr/share/');
    expect((await values('/usr/sh'))[0]).toBe('/usr/share/');
    expect(await values('./pack')).toContain('./packages/');
    expect(await values('see packages/')).toEqual(['packages/a/']);
    expect((await completeInput(session, 'see packages/')).start).toBe(4);
    expect(await values('./dis')).toEqual([]);
    expect(await values('and/or ')).toEqual([]);
    await session.shutdown();
  });

  it('completes agents, the project’s before the user’s, in place of the token at the cursor', async () => {
    proves('E-35', 'E-36');
    const made = await place();
    await made.put('.robota/agents/reviewer.md', 'Project reviewer.');
    await made.put('~/.eidolon/agents/reviewer.md', 'User reviewer.');
    await made.put('~/.eidolon/agents/poet.md', 'Poet.');
    const { session } = await openScripted(made, []);
    const all = await completeInput(session, 'hello @agent:');
    expect(all.items.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['@agent:reviewer', '@agent:poet', '@agent:Explore', '@agent:none']),
    );
    expect(all.items.filter(({ value }) => value === '@agent:reviewer')).toEqual([
      { value: '@agent:reviewer', description: 'Project reviewer.' },
    ]);
    expect(await completeInput(session, '@agent:poet and @agent:rev')).toEqual({
      start: 16,
      items: [{ value: '@agent:reviewer', description: 'Project reviewer.' }],
    });
    await session.shutdown();
  });

  it('gives up gracefully: at once when aborted, and when the time is over', async () => {
    proves('E-34');
    const { session, made } = await opened();
    const question = {
      typed: 'x',
      workspace: { cwd: made.cwd, additional: [], home: made.home },
      timeoutMs: 0,
      signal: new AbortController().signal,
    };
    expect(Array.isArray(await completeFiles(question))).toBe(true);
    const ended = AbortSignal.abort();
    expect(Array.isArray(await completeFiles({ ...question, timeoutMs: 60_000, signal: ended }))).toBe(true);
    expect((await completeInput(session, '@men', { signal: ended })).items).toEqual([]);
    await session.shutdown();
  });

  it('looks at a tree of thousands of files only as far as the time allows', async () => {
    proves('E-34');
    const { session, made, complete } = await opened();
    for (let folder = 0; folder < 40; folder++) {
      const directory = join(made.cwd, 'many', `folder-${folder}`);
      await mkdir(directory, { recursive: true });
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => writeFile(join(directory, `file-${index}.txt`), '')),
      );
    }
    expect((await complete('@folder-39')).values[0]).toBe('@many/folder-39/');
    expect((await complete('@file-1')).values.length).toBeLessThanOrEqual(50);
    await session.shutdown();
  });
});

describe('fuzzyScore', () => {
  it('prefers the beginning of a name to letters scattered over a path', () => {
    const order = ['src/main.ts', 'main/other.ts', 'src/domain.ts', 'domain/x.ts', 'm/a/i/n'];
    const scores = order.map((path) => fuzzyScore('main', path) ?? Number.NaN);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(fuzzyScore('xyz', 'src/main.ts')).toBeUndefined();
  });

  it('finds every path by any letters of it in their order', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.infiniteStream(fc.boolean()), (path, keep) => {
        const lower = path.toLowerCase();
        const letters = [...lower].filter(() => keep.next().value).join('');
        expect(fuzzyScore(letters, lower)).toBeDefined();
      }),
    );
  });
});
