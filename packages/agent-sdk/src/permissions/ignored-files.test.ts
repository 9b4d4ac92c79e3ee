import { existsSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { completeInput } from '../input/complete-input.ts';
import { expandMentions } from '../input/expand-mentions.ts';

async function project(): Promise<TestProject> {
  const place = await makeTestProject();
  await place.put('.agentignore', '# not for agents\n*.key\nprivate/\n');
  await place.put('a.key', 'KEY=1234\n');
  await place.put('private/deep/b.txt', 'KEY=5678\n');
  await place.put('sub/.cursorignore', 'hidden-*\n');
  await place.put('sub/hidden-c.txt', 'KEY=abcd\n');
  await place.put('src/a.txt', 'KEY is elsewhere\n');
  symlinkSync('../a.key', join(place.cwd, 'src/link.txt'));
  return place;
}

/** The model's view of calls, in the mode that asks nothing. */
async function resultsOf(place: TestProject, calls: readonly (readonly [string, Record<string, string>])[]) {
  const turns = calls.map(([name, input]) => callTurn(name, input));
  const { session, provider } = await openScripted(place, [...turns, { text: 'done' }], {
    permissionMode: 'bypassPermissions',
    mayBypass: true,
  });
  await session.submit('go');
  await session.shutdown();
  const messages = provider.requests.at(-1)?.messages.filter((message) => message.role === 'tool') ?? [];
  return messages.map(({ content }) => content.map((block) => ('text' in block ? block.text : '')).join(''));
}

const secrets = /1234|5678|abcd/;

describe('ignored files', () => {
  it('are neither read nor written nor changed, by any name, in any mode, and the line is named', async () => {
    const place = await project();
    const results = await resultsOf(place, [
      ['Read', { file_path: 'a.key' }],
      ['Read', { file_path: 'src/../private/deep/b.txt' }],
      ['Read', { file_path: join(place.cwd, 'sub/hidden-c.txt') }],
      ['Read', { file_path: 'src/link.txt' }],
      ['Write', { file_path: 'new.key', content: 'x' }],
      ['Edit', { file_path: 'a.key', old_string: '1234', new_string: 'x' }],
      ['Bash', { command: 'cat a.key' }],
      ['Bash', { command: 'base64 < private/deep/b.txt' }],
      ['Bash', { command: 'head sub/hidden-c.txt' }],
    ]);
    expect(results).toHaveLength(9);
    for (const result of results) {
      expect(result).toContain('refused: the ignore file line');
      expect(result).not.toMatch(secrets);
    }
    expect(results[0]).toContain(`*.key (${join(place.cwd, '.agentignore')}:2)`);
    expect(results[2]).toContain(`hidden-* (${join(place.cwd, 'sub/.cursorignore')}:1)`);
    expect(await readFile(join(place.cwd, 'a.key'), 'utf8')).toBe('KEY=1234\n');
    expect(existsSync(join(place.cwd, 'new.key'))).toBe(false);
  });

  it('are left out of searches, which say so whether they match or not', async () => {
    const [hit, miss, names, inside] = await resultsOf(await project(), [
      ['Grep', { pattern: 'KEY=12' }],
      ['Grep', { pattern: 'KEY=99' }],
      ['Glob', { pattern: '**/*' }],
      ['Grep', { pattern: 'KEY', path: 'private' }],
    ]);
    expect(hit?.replace('KEY=12', '')).toBe(miss?.replace('KEY=99', ''));
    expect(hit).toContain('not searched');
    expect(names).toContain('src/a.txt');
    expect(names).not.toMatch(/a\.key|private\/|hidden-c/);
    expect(names).toContain('[3 left out by rules or the sandbox]');
    expect(inside).toContain('refused: the ignore file line');
  });

  it('are asked about where a command may only come across them', async () => {
    const place = await project();
    const { session } = await openScripted(place, [{ text: 'done' }]);
    const { permissions } = session;
    const verdicts = await Promise.all(
      ['grep -r KEY .', 'cat *', 'cat src/a.txt', 'cat $NAME', 'ls'].map(async (command) => [
        command,
        (await permissions.check({ command })).verdict,
      ]),
    );
    expect(Object.fromEntries(verdicts)).toEqual({
      'grep -r KEY .': 'ask',
      'cat *': 'deny',
      'cat src/a.txt': 'allow',
      'cat $NAME': 'ask',
      ls: 'allow',
    });
    const { reason } = await permissions.check({ command: 'cat $NAME' });
    expect(reason).toContain(`${join(place.cwd, '.agentignore')}:2) hides`);
    expect((await permissions.report()).ignored.map(({ text }) => text)).toEqual([
      '*.key',
      'private/',
      'hidden-*',
    ]);
    await session.shutdown();
  });

  it('are not offered after an @, not attached by one', async () => {
    const place = await project();
    const { session } = await openScripted(place, [{ text: 'done' }]);
    const { signal } = new AbortController();
    const { items } = await completeInput(session, '@a.key', { signal });
    expect(items).toEqual([]);
    const { attachments, notices } = await expandMentions(session, 'see @a.key and @src/', {
      by: 'user',
      signal,
    });
    expect(JSON.stringify(attachments)).not.toMatch(secrets);
    expect(notices.join()).toContain('a.key was not attached: Reading');
    await session.shutdown();
  });

  it('stay hidden whatever a rule allows; writing an ignore file asks', async () => {
    const place = await project();
    const rules = { allow: ['Read', 'Read(a.key)', 'Edit', 'Bash'] };
    const { session } = await openScripted(place, [{ text: 'done' }], {
      rules,
      permissionMode: 'acceptEdits',
    });
    const read = await session.permissions.check({ tool: 'Read', path: 'a.key' });
    expect(read).toMatchObject({ verdict: 'deny', rule: { text: '*.key', origin: { line: 2 } } });
    const write = await session.permissions.check({ tool: 'Write', path: '.agentignore' });
    expect(write).toMatchObject({ verdict: 'ask', isProtected: true });
    expect(write.reason).toContain('which files are hidden');
    await session.shutdown();
  });
});
