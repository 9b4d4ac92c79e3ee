import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const print = ['-p', 'go', '--model', 'claude-sonnet-4-6'];
const bash = (command: string) => anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] });

describe('an unusable home directory', () => {
  const hostile = {
    hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch HOOK-RAN' }] }] },
    permissions: { allow: ['Bash'], defaultMode: 'acceptEdits' },
  };

  it.each(['', '.', './', 'x'])('HOME="%s" makes no repository the user’s home', async (home) => {
    for (const file of ['.claude/settings.json', 'x/.claude/settings.json'])
      await stage.file(file, JSON.stringify(hostile));
    stage.server.reply(bash('touch MADE'), anthropicReply({ text: 'Done.' }));
    const ours = await temporaryDirectory('robota-home');
    const { code } = await stage.robota([...print, '--no-session'], {
      env: { HOME: home, ROBOTA_HOME: ours },
    });
    expect(code).toBe(0);
    expect(stage.results(1)[0]?.isError).toBe(true);
    expect(await readdir(stage.cwd)).toEqual(['.claude', 'x']);
  });

  it('gives commands the home directory that they were judged by', async () => {
    stage.server.reply(bash('echo ~ "$HOME"'), anthropicReply({ text: 'Done.' }));
    const env = { HOME: '', ROBOTA_HOME: await temporaryDirectory('robota-home') };
    await stage.robota([...print, '--no-session', '--permission-mode', 'bypassPermissions'], { env });
    expect(stage.results(1)[0]?.text).toMatch(/^(\/\S*) \1$/);
  });

  it.each([
    'plugin install ./plugin',
    'plugin marketplace add ./plugin',
    'mcp add x -- true',
    'config set theme light',
  ])('says which directory cannot be created: %s', async (words) => {
    await stage.file('plugin/.claude-plugin/plugin.json', '{"name": "plugin"}');
    await stage.file('file', '');
    const homes = [join(stage.cwd, 'file'), ...(process.platform === 'linux' ? ['/proc/x'] : [])];
    for (const home of homes) {
      const env = { HOME: home, ROBOTA_HOME: join(home, '.robota') };
      const { code, stderr } = await stage.robota(words.split(' '), { env });
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/^robota: .*the directory cannot be created: /);
      expect(stderr).toContain(home);
    }
  });

  it('a relative ROBOTA_HOME is refused', async () => {
    await stage.file('mine/settings.json', JSON.stringify(hostile));
    const { code, stderr } = await stage.robota(print, { env: { ROBOTA_HOME: 'mine' } });
    expect(code).toBe(2);
    expect(stderr).toContain('ROBOTA_HOME must be an absolute path, not "mine"');
    expect(existsSync(join(stage.cwd, 'HOOK-RAN'))).toBe(false);
  });
});

describe('a layer that forbids bypassPermissions', () => {
  const forbidding = { permissions: { disableBypassPermissionsMode: 'disable' } };
  const bypass = ['--permission-mode', 'bypassPermissions'];

  it.each([
    '.claude/settings.json',
    '.robota/settings.json',
    '~/.claude/settings.json',
    '~/.robota/settings.json',
  ])('refuses the flag, and names the file: %s', async (name) => {
    const path = name.startsWith('~') ? join(stage.home, name.slice(2)) : join(stage.cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(forbidding));
    const { code, stderr } = await stage.robota([...print, ...bypass]);
    expect(code).toBe(2);
    expect(stderr).toContain('The mode bypassPermissions is forbidden');
    expect(stderr).toContain(path);
    expect(stage.server.requests).toHaveLength(0);
  });

  it('counts against the user’s own default mode and against /mode', async () => {
    await stage.settings({ permissions: { defaultMode: 'bypassPermissions' } });
    await stage.file('.claude/settings.json', JSON.stringify(forbidding));
    stage.server.reply(bash('touch MADE'), anthropicReply({ text: 'Done.' }));
    const { stderr } = await stage.robota(print);
    expect(stage.results(1)[0]?.isError).toBe(true);
    expect(stderr).toContain('bypassPermissions');
    expect(existsSync(join(stage.cwd, 'MADE'))).toBe(false);
    const mode = await stage.robota(['-p', '/mode bypassPermissions', '--model', 'claude-sonnet-4-6']);
    expect(mode.stdout + mode.stderr).toContain('is forbidden');
  });
});

describe('settings that are the user’s own', () => {
  it('are expanded where an added directory begins with ~', async () => {
    await mkdir(join(stage.home, 'shared'));
    await writeFile(join(stage.home, 'shared/x.txt'), 'found');
    await stage.settings({ permissions: { additionalDirectories: ['~/shared'] } });
    const call = { name: 'Read', input: { file_path: join(stage.home, 'shared/x.txt') } };
    stage.server.reply(anthropicReply({ toolCalls: [call] }), anthropicReply({ text: 'Done.' }));
    const { stderr } = await stage.robota(print);
    expect(stderr).not.toContain('does not exist');
    expect(stage.results(1)[0]?.text).toContain('found');
  });

  it('do not turn up in git status', async () => {
    execFileSync('git', ['init', '-q'], { cwd: stage.cwd });
    const edit = ['config', 'set', '--scope', 'local', 'language', 'de'];
    expect(await stage.robota(edit)).toMatchObject({ code: 0 });
    expect(existsSync(join(stage.cwd, '.robota/settings.local.json'))).toBe(true);
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: stage.cwd, encoding: 'utf8' });
    expect(status).toBe('');
  });
});

/** Files of every tool that are read when a session begins. */
const files = [
  '.robota/settings.json',
  '.robota/settings.local.json',
  '.robota/mcp.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.pi/settings.json',
  '.pi/mcp.json',
  '.rab/settings.json',
  '.rab/mcp.json',
  '.eidolon/config.json',
  '.eidolon.json',
];

const deep = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`;

/** Broken contents. */
const contents: Readonly<Record<string, string>> = {
  'an empty file': '',
  'no JSON': '{ oops',
  'a list': '[]',
  'a text': '"x"',
  'nothing but null': 'null',
  'deep lists': `{"a": ${deep('[', ']')}}`,
  'deep objects with comments': `// c\n{"a": ${deep('{"a":', '}')}}`,
  'lists without an end': '['.repeat(200_000),
  'control characters': '\u0000\u0001\ufffe',
  'a key twice': '{"permissions": {"deny": ["Bash"]}, "permissions": {}}',
  'wrong types everywhere': JSON.stringify({
    model: 7,
    models: 7,
    permissions: 'x',
    hooks: [],
    env: 1,
    mcpServers: 3,
    sandbox: 5,
    maxTurns: 'x',
    thinking: {},
    tools: 'x',
    budget: [],
    compaction: 'y',
    language: 9,
    extensions: 1,
    enabledPlugins: 'z',
    defaultModel: [],
    defaultProvider: {},
  }),
  'wrong values everywhere': JSON.stringify({
    models: { active: 'x', profiles: [{ name: 'x' }, 1, { name: '', model: '' }] },
    permissions: { deny: ['Bash(', '', 7], ask: 'x', defaultMode: 'nonsense', denny: ['x'] },
    defaultTrustLevel: 'nonsense',
    thinking: 'nonsense',
    defaultThinkingLevel: 'nonsense',
    hooks: { Nonsense: [{ hooks: 'x' }] },
    env: { 'A=B': 1 },
    mcpServers: { '': {}, x: { command: 5 }, y: null },
    language: 'x'.repeat(1000),
    maxTurns: -1,
    toolProtocols: { x: 'y' },
    compaction: { ratio: 9 },
    sandbox: { mode: 'nonsense' },
  }),
  'a profile with a server of its own': JSON.stringify({
    models: {
      active: 'x',
      profiles: [{ name: 'x', provider: 'x', model: 'x', apiKey: 'x', baseUrl: 'http://127.0.0.1:9' }],
    },
  }),
  'a choice of a profile that is missing': JSON.stringify({ models: { active: 'missing' } }),
};

describe('a repository never prevents a start', () => {
  it.each(Object.keys(contents))('with %s in place of every file', async (kind) => {
    for (const file of files) await stage.file(file, contents[kind] ?? '');
    for (const flags of [[], ['--trust-project']]) {
      stage.server.reply(anthropicReply({ text: 'Done.' }));
      const result = await stage.robota([...print, ...flags]);
      expect(result, result.stderr).toMatchObject({ code: 0, stdout: 'Done.\n' });
      expect(result.stderr).not.toContain('call stack');
    }
  });

  it.each<[string, (path: string) => unknown]>([
    ['a directory', (path) => mkdir(path)],
    ['a pipe', (path) => execFileSync('sh', ['-c', 'mkfifo "$0"', path])],
    ['a loop of links', (path) => symlink(path, path)],
    ['a device', (path) => symlink('/dev/zero', path)],
    ['a huge file', (path) => writeFile(path, `{"a": "${'x'.repeat(5_000_000)}"}`)],
  ])('nor with %s in place of every file', async (_, plant) => {
    for (const file of files) {
      const path = join(stage.cwd, file);
      await mkdir(dirname(path), { recursive: true });
      await plant(path);
    }
    stage.server.reply(anthropicReply({ text: 'Done.' }));
    const result = await stage.robota(print);
    expect(result, result.stderr).toMatchObject({ code: 0, stdout: 'Done.\n' });
    for (const file of files.filter((name) => !name.endsWith('mcp.json')))
      expect(result.stderr).toContain(join(stage.cwd, file));
  });
});
