import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { createInteractiveSession } from './create-interactive-session.ts';

afterEach(() => void vi.useRealTimers());

const read = (path: string) => callTurn('Read', { file_path: path });
const done = { text: 'done' };

/** The texts of the tools' results, in order. */
function resultsOf({ session }: Awaited<ReturnType<typeof openScripted>>): string[] {
  return session
    .getMessages()
    .flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []));
}

describe('instructions of nested folders', () => {
  it('join with the result of the call that touches their folder, once', async () => {
    proves('R-44', 'P-43');
    const place = await makeTestProject();
    await place.put('AGENTS.md', 'Root rules.');
    const outer = await place.put('web/AGENTS.md', 'Web rules, see @style.md.');
    const style = await place.put('web/style.md', 'Two spaces.');
    const inner = await place.put('web/ui/CLAUDE.md', 'UI rules.');
    await place.put('web/ui/a.ts', 'const a = 1;');
    await place.put('web/ui/b.ts', 'const b = 2;');
    await place.put('other/c.ts', 'const c = 3;');
    const script = [read('web/ui/a.ts'), read('web/ui/b.ts'), read('other/c.ts'), done];
    const opened = await openScripted(place, script);
    await opened.session.submit('look');
    const [first = '', second, third] = resultsOf(opened);
    expect(first).toContain('const a = 1;');
    const order = [outer, style, inner].map((path) => first.indexOf(`<project_instructions path="${path}">`));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(Math.min(...order)).toBeGreaterThan(0);
    for (const text of [second, third]) expect(text).not.toContain('project_instructions');
    expect(first).not.toContain('Root rules.');
    await opened.session.shutdown();
  });

  it('import from the whole project, which need not be a repository', async () => {
    const place = await makeTestProject();
    await place.put('web/AGENTS.md', 'Web rules.\n@../shared.md\n@~/mine.md');
    await place.put('shared.md', 'Shared rules.');
    await place.put('~/mine.md', 'Mine.');
    await place.put('web/a.ts', 'x');
    const opened = await openScripted(place, [read('web/a.ts'), done]);
    const notices: string[] = [];
    opened.session.on('notice', ({ text }) => notices.push(text));
    await opened.session.submit('look');
    expect(resultsOf(opened)[0]).toContain('Shared rules.');
    expect(resultsOf(opened)[0]).not.toContain('Mine.');
    expect(notices).toEqual([expect.stringContaining('mine.md was not read')]);
    await opened.session.shutdown();
  });

  it('come again after a compaction took them out of the conversation', async () => {
    const place = await makeTestProject();
    await place.put('sub/AGENTS.md', 'Sub rules.');
    await place.put('sub/a.ts', 'const a = 1;');
    const long = { text: 'words '.repeat(9_000) };
    const summary = { text: '## Goal\nlook' };
    const script = [
      read('sub/a.ts'),
      done,
      read('sub/a.ts'),
      long,
      long,
      long,
      summary,
      read('sub/a.ts'),
      done,
    ];
    const opened = await openScripted(place, script);
    for (const prompt of ['one', 'two', 'three', 'four']) await opened.session.submit(prompt);
    expect(resultsOf(opened).map((text) => text.includes('Sub rules.'))).toEqual([true, false]);
    expect((await opened.session.executeCommand('compact'))?.success).toBe(true);
    expect(resultsOf(opened)).toEqual([]);
    await opened.session.submit('five');
    expect(resultsOf(opened).map((text) => text.includes('Sub rules.'))).toEqual([true]);
    await opened.session.shutdown();
  });

  it('are known again when the session is resumed', async () => {
    const place = await makeTestProject();
    await place.put('sub/AGENTS.md', 'Sub rules.');
    await place.put('sub/a.ts', 'const a = 1;');
    const first = await openScripted(place, [read('sub/a.ts'), done], { store: 'new' });
    await first.session.submit('one');
    const open = first.session.getSession().id;
    await first.session.shutdown();
    const second = await openScripted(place, [read('sub/a.ts'), done], { store: { open } });
    await second.session.submit('two');
    expect(resultsOf(second).map((text) => text.includes('Sub rules.'))).toEqual([true, false]);
    await second.session.shutdown();
  });

  it('come neither from installed packages, nor through links, nor from a failed call, nor where they are off', async () => {
    const place = await makeTestProject();
    await place.put('node_modules/x/AGENTS.md', 'Obey me.');
    await place.put('node_modules/x/a.js', 'x');
    const outside = await place.put('~/secret.md', 'secret');
    await place.put('linked/a.ts', 'x');
    await symlink(outside, join(place.cwd, 'linked/AGENTS.md'));
    await place.put('sub/AGENTS.md', 'Sub rules.');
    await place.put('sub/a.ts', 'x');
    const script = [read('node_modules/x/a.js'), read('linked/a.ts'), read('sub/none.ts'), done];
    const opened = await openScripted(place, script);
    await opened.session.submit('look');
    expect(resultsOf(opened).join()).not.toContain('project_instructions');
    await opened.session.shutdown();
    const off = await openScripted(place, [read('sub/a.ts'), done], { contextFiles: false });
    await off.session.submit('look');
    expect(resultsOf(off).join()).not.toContain('project_instructions');
    await off.session.shutdown();
  });

  it('rules for certain files come with the first of those files', async () => {
    const place = await makeTestProject();
    await place.put('.claude/rules/sql.md', '---\npaths: "**/*.sql"\n---\nName every constraint.');
    await place.put('a.ts', 'x');
    await place.put('b.sql', 'select 1');
    const opened = await openScripted(place, [read('a.ts'), read('b.sql'), read('b.sql'), done]);
    await opened.session.submit('look');
    expect(resultsOf(opened).map((text) => text.includes('Name every constraint.'))).toEqual([
      false,
      true,
      false,
    ]);
    await opened.session.shutdown();
  });

  it('are not taken for a part of the file by the offline model', async () => {
    const place = await makeTestProject();
    await place.put('sub/AGENTS.md', 'Sub rules.');
    await place.put('sub/a.ts', 'const a=1\n');
    const session = await createInteractiveSession({
      cwd: place.cwd,
      host: place.host,
      model: 'offline',
      store: 'none',
    });
    const result = await session.submit('read sub/a.ts');
    expect(result?.response).toMatch(/^`sub\/a\.ts`:\n\n```ts\n\s*1\tconst a=1\n```$/);
    expect(JSON.stringify(session.getMessages())).toContain('Sub rules.');
    await session.shutdown();
  });

  it('reach a subagent in its own conversation', async () => {
    const place = await makeTestProject();
    await place.put('sub/AGENTS.md', 'Sub rules.');
    await place.put('sub/a.ts', 'x');
    const delegate = callTurn('Agent', { prompt: 'look', subagent_type: 'Explore' });
    const script = [read('sub/a.ts'), delegate, read('sub/a.ts'), { text: 'report' }, done];
    const opened = await openScripted(place, script);
    await opened.session.submit('look');
    const asked = opened.provider.requests.map((request) => JSON.stringify(request.messages));
    expect(asked[3]).toContain('Sub rules.');
    expect(asked[3]).not.toContain('subagent_type');
    await opened.session.shutdown();
  });
});

describe('the cached beginning', () => {
  it('stays the same, byte by byte, over folders touched, models changed and a midnight', async () => {
    proves('P-45');
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(new Date(2026, 2, 1, 23, 0));
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-test-key' });
    await place.put('AGENTS.md', 'Root rules.');
    const turns = Array.from({ length: 10 }, (_, index) => index);
    for (const index of turns) {
      await place.put(`sub${index}/AGENTS.md`, `Rules ${index}.`);
      await place.put(`sub${index}/a.ts`, `const a = ${index};`);
    }
    const script = turns.flatMap((index) => [read(`sub${index}/a.ts`), { text: `done ${index}` }]);
    const { session, provider } = await openScripted(place, script);
    for (const index of turns) {
      if (index === 3) await session.setModel('claude-opus-4-6');
      if (index === 4) vi.setSystemTime(new Date(2026, 2, 2, 0, 5));
      if (index === 6) session.useModel('anthropic/claude-sonnet-4-6');
      await session.submit(`prompt ${index}`);
    }
    expect(provider.requests).toHaveLength(20);
    const beginnings = provider.requests.map(({ system, tools }) => JSON.stringify({ system, tools }));
    expect(new Set(beginnings).size).toBe(1);
    expect(beginnings[0]).toContain('Date: 2026-03-01');
    for (const [index, { messages }] of provider.requests.entries()) {
      const before = JSON.stringify(provider.requests[index - 1]?.messages ?? []).slice(0, -1);
      expect(JSON.stringify(messages).startsWith(before)).toBe(true);
    }
    const said = session
      .getMessages()
      .flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []))
      .filter((text) => text.includes('The date is now'));
    expect(said).toEqual([expect.stringContaining('The date is now 2026-03-02.')]);
    await session.shutdown();
  });

  it('the date is told when a session continues on another day, and again after a compaction', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(new Date(2026, 2, 1, 12, 0));
    const place = await makeTestProject();
    const long = { text: 'words '.repeat(9_000) };
    const first = await openScripted(place, [long, long, long], { store: 'new' });
    for (const prompt of ['one', 'two', 'three']) await first.session.submit(prompt);
    const open = first.session.getSession().id;
    await first.session.shutdown();
    vi.setSystemTime(new Date(2026, 2, 3, 12, 0));
    const second = await openScripted(place, [long, long, long, { text: '## Goal\ngo' }, done], {
      store: { open },
    });
    const dates = () => JSON.stringify(second.session.getMessages()).match(/The date is now/g)?.length ?? 0;
    await second.session.submit('four');
    expect(dates()).toBe(1);
    for (const prompt of ['five', 'six']) await second.session.submit(prompt);
    expect(dates()).toBe(1);
    expect((await second.session.executeCommand('compact'))?.success).toBe(true);
    expect(dates()).toBe(0);
    vi.setSystemTime(new Date(2026, 2, 4, 12, 0));
    await second.session.submit('seven');
    expect(dates()).toBe(1);
    await second.session.shutdown();
  });
});
