import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

describe('what hooks add to a prompt', () => {
  const added = /cents-not-euros|main-branch|system-reminder|Context from a hook/;

  beforeEach(async () => {
    const hook = (text: string) => [{ hooks: [{ type: 'command', command: `echo ${text}` }] }];
    await stage.settings({
      hooks: { UserPromptSubmit: hook('cents-not-euros'), SessionStart: hook('main-branch') },
    });
    await talk('add a cache');
    expect(JSON.stringify(stage.messages(0))).toMatch(/cents-not-euros[\s\S]*main-branch/);
  });

  it.each([
    [['sessions'], /2 messages {2}add a cache\n/],
    [['sessions', '--json'], /"firstPrompt":"add a cache"/],
    [['sessions', 'show', 'add a cache'], /^add a cache\n[\s\S]*\n> add a cache\n/],
    [['sessions', 'search', 'cache'], /add a cache/],
    [['-p', '/tree', '-c'], /1 add a cache \(/],
    [['-p', '/cost', '-c'], /add a cache/],
    [['-p', '/pin 1', '-c'], /Pinned as 1: add a cache\n/],
  ])('is not shown as the words of the user by robota %j', async (args, shown) => {
    const { code, stdout } = await stage.robota(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(shown);
    expect(stdout).not.toMatch(added);
  });

  it('is not searched, and not named when the session is deleted', async () => {
    expect((await stage.robota(['sessions', 'search', 'cents-not-euros'])).stdout).not.toContain('cache');
    const { stdout } = await stage.robota(['sessions', 'delete', await idOf('add a cache'), '--yes']);
    expect(stdout).toMatch(/^Deleted [0-9a-f-]{36}: add a cache\n$/);
  });

  it('is marked as context for the model by show --full', async () => {
    const { stdout } = await stage.robota(['sessions', 'show', 'add a cache', '--full']);
    expect(stdout).toMatch(/\n> add a cache\n\(context given to the model\)\n {2}<system-reminder>/);
    expect(stdout).toMatch(/cents-not-euros[\s\S]*main-branch/);
    expect(stdout).not.toMatch(/^> .*(?:reminder|hook|cents|branch)/m);
  });

  it('is folded away from the prompt in a Markdown export', async () => {
    const text = await exported('notes.md');
    expect(text).toMatch(/^# add a cache\n/);
    const fold = '<details><summary>Context given to the model</summary>';
    expect(text).toContain(`\n## add a cache\n\n${fold}`);
    expect(text.slice(0, text.indexOf(fold))).not.toMatch(added);
    expect(text.slice(text.indexOf(fold), text.indexOf('</details>'))).toMatch(
      /cents-not-euros[\s\S]*main-branch/,
    );
  });

  it('is kept apart from the prompt in an HTML export', async () => {
    const page = await exported('page.html');
    expect(page).toContain('<title>add a cache</title>');
    const [, json = '[]'] = /data-part="session-entries">(.*?)<\/script>/s.exec(page) ?? [];
    const entries = JSON.parse(json) as { kind: string; origin?: string }[];
    expect(entries.filter(({ kind, origin }) => kind === 'prompt' && origin === undefined)).toMatchObject([
      {
        blocks: [{ type: 'text', text: 'add a cache' }],
        context: [
          { text: expect.stringContaining('cents-not-euros') },
          { text: expect.stringContaining('main-branch') },
        ],
      },
    ]);
  });
});

describe('a copy', () => {
  it('without a name is marked in lists and when it is resumed, and tells what it is a copy of', async () => {
    await talk('add a cache');
    const original = await idOf('add a cache');
    const { stdout } = await stage.robota(['-p', '/fork', '-c']);
    expect(stdout).toContain(`Forked. The original session ${original} is unchanged.`);
    const list = await stage.robota(['sessions']);
    expect(list.stdout.match(/add a cache.*/g)?.sort()).toEqual(['add a cache', 'add a cache (copy)']);
    const copy = await stage.robota(['-p', '/tree', '-r', 'add a cache (copy)']);
    expect(copy.stderr).toContain('Resumed "add a cache (copy)"');
    const { stderr } = await stage.robota(['-p', '/tree', '-r', 'add a cache']);
    expect(stderr).toContain(`session ${original}`);
  });
});

async function talk(prompt: string): Promise<void> {
  stage.server.reply(anthropicReply({ text: 'Done.' }));
  expect(await stage.robota(['-p', prompt])).toMatchObject({ code: 0 });
}

async function idOf(title: string): Promise<string> {
  const { stdout } = await stage.robota(['sessions', '--json']);
  const { sessions } = JSON.parse(stdout) as { sessions: { id: string; firstPrompt: string }[] };
  return sessions.find(({ firstPrompt }) => firstPrompt.startsWith(title))?.id ?? '';
}

async function exported(name: string): Promise<string> {
  const args = ['sessions', 'export', 'add a cache', '--output', name];
  expect(await stage.robota(args)).toMatchObject({ code: 0 });
  return readFile(join(stage.cwd, name), 'utf8');
}
