import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { anthropicReply, robotaBin } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import {
  makeRepository,
  marketplaceFiles,
  pluginFiles,
  writeTree,
} from '../packages/agent-resources/src/plugins/fixtures/plugin-stage.ts';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();

const done = anthropicReply({ text: 'Done.' });
const print = (prompt: string, ...more: string[]) => ['-p', prompt, '--model', 'claude-sonnet-4-6', ...more];
const plugins = () => join(stage.home, '.robota', 'plugins');
const plugin = (...words: string[]) => stage.robota(['plugin', ...words]);

/** The text of the last request to the model: its prompt, its tools and its messages. */
function lastRequest(): string {
  return JSON.stringify(stage.server.requests.at(-1)?.body);
}

/** The layout of Anthropic's repository of bundled plugins: folders with commands, agents, hooks and scripts. */
const bundled = {
  '.claude-plugin/marketplace.json': {
    $schema: 'https://anthropic.com/claude-code/marketplace.schema.json',
    name: 'claude-code-plugins',
    version: '1.0.0',
    description: 'Bundled plugins',
    owner: { name: 'Anthropic', email: 'support@anthropic.com' },
    plugins: [
      {
        name: 'agent-sdk-dev',
        description: 'Development kit',
        source: './plugins/agent-sdk-dev',
        category: 'development',
      },
      {
        name: 'commit-commands',
        description: 'Commands for git commit workflows',
        version: '1.0.0',
        author: { name: 'Anthropic', email: 'support@anthropic.com' },
        source: './plugins/commit-commands',
        category: 'productivity',
      },
      {
        name: 'security-guidance',
        description: 'Warns about security issues',
        version: '1.0.0',
        author: { name: 'Somebody' },
        source: './plugins/security-guidance',
        category: 'security',
      },
      {
        name: 'from-elsewhere',
        description: 'In a folder of another repository',
        source: {
          source: 'git-subdir',
          url: 'https://example.com/x.git',
          path: 'plugins/x',
          ref: 'main',
          sha: 'a'.repeat(40),
        },
      },
    ],
  },
  'plugins/agent-sdk-dev/.claude-plugin/plugin.json': {
    name: 'agent-sdk-dev',
    description: 'Kit',
    version: '1.0.0',
    author: { name: 'A' },
  },
  'plugins/agent-sdk-dev/README.md': '# Kit',
  'plugins/agent-sdk-dev/agents/verifier.md':
    '---\nname: verifier\ndescription: Verifies apps\nmodel: sonnet\n---\n\nYou verify.\n',
  'plugins/agent-sdk-dev/commands/new-app.md':
    '---\ndescription: Makes an app\nargument-hint: [project-name]\n---\n\nMake the app $ARGUMENTS.\n',
  'plugins/commit-commands/.claude-plugin/plugin.json': {
    name: 'commit-commands',
    description: 'Git',
    version: '1.0.0',
    author: { name: 'A', email: 'a@example.com' },
  },
  'plugins/commit-commands/commands/commit.md': `---\nallowed-tools: Bash(echo *)\ndescription: Create a git commit\n---\n\n## Context\n\n- Current state: !\`echo state-of-2\`\n\nCommit with \${CLAUDE_PLUGIN_ROOT}.\n`,
  'plugins/security-guidance/.claude-plugin/plugin.json': {
    name: 'security-guidance',
    version: '1.0.0',
    description: 'Reminds',
    author: { name: 'D' },
  },
  'plugins/security-guidance/hooks/hooks.json': {
    description: 'Security reminder hook',
    hooks: {
      PreToolUse: [
        {
          hooks: [{ type: 'command', command: `\${CLAUDE_PLUGIN_ROOT}/hooks/remind.sh` }],
          matcher: 'Edit|Write|MultiEdit',
        },
      ],
    },
  },
  'plugins/security-guidance/hooks/remind.sh':
    '#!/bin/sh\ncat > "$CLAUDE_PLUGIN_DATA/seen.json"\necho "$CLAUDE_PLUGIN_ROOT|$CLAUDE_PLUGIN_PATH" > "$CLAUDE_PLUGIN_DATA/env"\necho "mind the security" >&2\nexit 2\n',
};

/** The layout of Anthropic's repository of skills: one folder of skills, of which entries choose some. */
const skills = {
  '.claude-plugin/marketplace.json': {
    name: 'anthropic-agent-skills',
    owner: { name: 'Somebody', email: 's@example.com' },
    metadata: { description: 'Example skills', version: '1.0.0' },
    plugins: [
      {
        name: 'document-skills',
        description: 'Documents',
        source: './',
        strict: false,
        skills: ['./skills/xlsx', './skills/pdf'],
      },
      {
        name: 'example-skills',
        description: 'Examples',
        source: './',
        strict: false,
        skills: ['./skills/art'],
      },
    ],
  },
  'skills/xlsx/SKILL.md':
    '---\nname: xlsx\ndescription: Spreadsheets of all kinds\nlicense: Proprietary. LICENSE.txt has complete terms\n---\n\n# Spreadsheets\n',
  'skills/pdf/SKILL.md': `---\nname: pdf\ndescription: "Portable documents: read them"\n---\n\n# PDF\n\nUse \${CLAUDE_SKILL_DIR}/scripts.\n`,
  'skills/art/SKILL.md': '---\nname: art\ndescription: Algorithmic art\n---\n\n# Art\n',
  'spec/agent-skills-spec.md': 'Spec.',
  'README.md': '# Skills',
};

describe('robota plugin', () => {
  it('installs Anthropic’s layouts unchanged, and their parts work', async () => {
    proves('C-35', 'C-51', 'C-57', 'R-63');
    const one = makeRepository(join(stage.home, 'claude-code'), bundled);
    const two = makeRepository(join(stage.home, 'skills'), skills);
    for (const { url } of [one, two])
      expect(await plugin('marketplace', 'add', url)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Added/),
      });
    for (const name of [
      'agent-sdk-dev',
      'commit-commands',
      'security-guidance',
      'document-skills@anthropic-agent-skills',
    ])
      expect(await plugin('install', name, '--yes'), name).toMatchObject({ code: 0 });
    stage.server.reply(
      done,
      done,
      anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: 'x.txt', content: 'x' } }] }),
      done,
      done,
    );
    const first = await stage.robota(print('/commit-commands:commit'));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(lastRequest()).toContain('Current state: state-of-2');
    expect(lastRequest()).toContain(
      `Commit with ${join(plugins(), 'cache/claude-code-plugins/commit-commands/1.0.0')}.`,
    );
    expect(lastRequest()).toContain('agent-sdk-dev:verifier');
    expect(lastRequest()).toContain('Spreadsheets of all kinds');
    expect(lastRequest()).not.toContain('Algorithmic art');
    await stage.robota(print('/agent-sdk-dev:new-app shop'));
    expect(lastRequest()).toContain('Make the app shop.');
    await stage.robota(print('write x', '--permission-mode', 'acceptEdits'));
    expect(stage.results(-1)[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('mind the security'),
    });
    const data = join(plugins(), 'data/security-guidance-claude-code-plugins');
    const root = join(plugins(), 'cache/claude-code-plugins/security-guidance/1.0.0');
    expect(readFileSync(join(data, 'env'), 'utf8')).toBe(`${root}|${root}\n`);
    await stage.robota(print('/pdf'));
    expect(lastRequest()).toContain('# PDF');
  });

  it('one that is broken ends with 1 and is named', async () => {
    const folder = writeTree(join(stage.cwd, 'broken'), { '.claude-plugin/plugin.json': '{ "name": 5' });
    const broken = await plugin('install', folder, '--yes');
    expect(broken.code).toBe(1);
    expect(broken.stderr + broken.stdout).toContain(`The plugin ${folder} was not installed.`);
  });

  it('shows what would run before anything is installed, and needs a yes', async () => {
    proves('C-51');
    const folder = writeTree(
      join(stage.cwd, 'p'),
      pluginFiles('p', {
        'hooks/hooks.json': { Stop: [{ hooks: [{ type: 'command', command: 'touch ran' }] }] },
      }),
    );
    const refused = await plugin('install', folder);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /add --yes if you agree[\s\S]*hook Stop \(hooks\/hooks\.json\): touch ran[\s\S]*tokens to every request/,
    );
    expect(existsSync(join(plugins(), 'installed_plugins.json'))).toBe(false);
    const terminal = openTerminal(['plugin', 'install', './p'], { cwd: stage.cwd, home: stage.home });
    await terminal.shows('yes or no?');
    terminal.type('no\r');
    expect(await terminal.exit).toBe(1);
    expect(await terminal.screen()).toContain('Nothing was installed.');
    const agreed = openTerminal(['plugin', 'install', './p'], { cwd: stage.cwd, home: stage.home });
    await agreed.shows('yes or no?');
    agreed.type('yes\r');
    expect(await agreed.exit).toBe(0);
    expect(await plugin('list', '--json')).toMatchObject({ code: 0 });
    expect(JSON.parse((await plugin('list', '--json')).stdout)).toMatchObject({
      ok: true,
      data: [{ id: 'p@direct', enabled: true }],
    });
  });

  it('a plugin counts while it is enabled and unchanged', async () => {
    proves('C-53', 'C-54', 'C-55', 'R-57');
    const manifest = {
      name: 'p',
      version: '1.0.0',
      description: 'P.',
      systemPrompt: 'Words of the plugin.',
      permissions: { deny: ['Bash(echo *)'] },
    };
    writeTree(join(stage.cwd, 'p'), { ...pluginFiles('p'), '.claude-plugin/plugin.json': manifest });
    await plugin('install', './p', '--yes');
    const echo = anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'echo hi' } }] });
    stage.server.reply(echo, done, echo, done, done);
    await stage.robota(print('go', '--allow', 'Bash(echo *)'));
    expect(lastRequest()).toContain('Words of the plugin.');
    expect(stage.results(-1)[0]).toMatchObject({ isError: true });
    expect((await stage.robota(['permissions', 'list'])).stdout).toContain('plugin.json');
    await plugin('disable', 'p');
    await stage.robota(print('go', '--allow', 'Bash(echo *)'));
    expect(lastRequest()).not.toContain('Words of the plugin.');
    expect(stage.results(-1)[0]).toMatchObject({ isError: false, text: expect.stringContaining('hi') });
    await plugin('enable', 'p');
    await appendFile(join(plugins(), 'cache/direct/p/1.0.0/commands/hello.md'), 'and more');
    const changed = await stage.robota(print('go'));
    expect(changed.stderr).toContain(
      'The plugin p@direct is skipped: its files have changed since you approved it',
    );
    expect(lastRequest()).not.toContain('Words of the plugin.');
    expect((await plugin('list')).stdout).toContain('changed, left out');
    expect(await plugin('enable', 'p')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has changed'),
    });
    expect(await plugin('enable', 'p', '--yes')).toMatchObject({ code: 0 });
    expect((await plugin('list')).stdout).toContain('enabled');
  });

  it('a project cannot disable the hooks and rules of its user, nor displace them by a plugin of the same name', async () => {
    proves('R-57', 'E-39');
    const ran = join(stage.home, 'ran');
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${ran}` }] }] };
    const manifest = {
      name: 'p',
      version: '1.0.0',
      description: 'P.',
      systemPrompt: 'Words of the plugin.',
      permissions: { deny: ['Bash(echo *)'] },
    };
    const files = pluginFiles('p', { 'hooks/hooks.json': hooks });
    writeTree(join(stage.home, 'p'), { ...files, '.claude-plugin/plugin.json': manifest });
    await plugin('install', join(stage.home, 'p'), '--yes');
    const echo = anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'echo hi' } }] });
    const go = async () => {
      await rm(ran, { force: true });
      stage.server.reply(echo, done);
      return stage.robota(print('go', '--allow', 'Bash(echo *)'));
    };
    await stage.file('.robota/settings.json', '{"enabledPlugins": {"p@direct": false}}');
    const disabled = await go();
    expect(disabled.stderr).toContain('A project cannot disable the hooks and rules of the plugin p@direct');
    expect(stage.results(-1)[0]).toMatchObject({ isError: true });
    expect(existsSync(ran)).toBe(true);
    expect(lastRequest()).not.toContain('Words of the plugin.');

    await stage.file('.robota/settings.json', '{}');
    writeTree(join(stage.home, 'other'), pluginFiles('p'));
    await plugin('install', join(stage.home, 'other'), '--scope', 'project', '--yes');
    await go();
    expect(stage.results(-1)[0]).toMatchObject({ isError: true });
    expect(existsSync(ran)).toBe(true);
    expect(lastRequest()).toContain('Words of the plugin.');
  });

  it('plugins of a project run nothing before they are trusted', async () => {
    proves('R-59');
    const hooks = {
      SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(stage.home, 'ran')}` }] }],
    };
    writeTree(join(stage.home, 'p'), pluginFiles('p', { 'hooks/hooks.json': hooks }));
    await plugin('install', join(stage.home, 'p'), '--scope', 'project', '--yes');
    stage.server.reply(done, done, done);
    const untrusted = await stage.robota(print('go'));
    expect(untrusted.stderr).toMatch(/not trusted[\s\S]*plugin p@direct/);
    expect(existsSync(join(stage.home, 'ran'))).toBe(false);
    expect((await stage.robota(print('/p:hello x'))).stdout).not.toContain('Say hello');
    await stage.robota(print('go', '--trust-project'));
    expect(existsSync(join(stage.home, 'ran'))).toBe(true);
  });

  it('a broken plugin and a marketplace that is gone are named, and the rest works', async () => {
    proves('R-58', 'R-62');
    for (const name of ['good', 'bad']) {
      writeTree(join(stage.cwd, name), pluginFiles(name));
      await plugin('install', `./${name}`, '--yes');
    }
    writeTree(join(plugins(), 'cache/direct/bad/1.0.0'), { '.claude-plugin/plugin.json': '{\n "name": \n' });
    stage.server.reply(done);
    const run = await stage.robota(print('/good:hello Ann'));
    expect(run.stderr).toMatch(/The plugin bad@direct is skipped: .*plugin\.json:3:1: Not valid JSON/);
    expect(lastRequest()).toContain('Say hello from good to Ann.');
    writeTree(join(stage.home, 'm'), marketplaceFiles('m', { one: pluginFiles('one') }));
    await plugin('marketplace', 'add', join(stage.home, 'm'));
    await rm(join(plugins(), 'marketplaces/m'), { recursive: true });
    expect(await plugin('search', 'one')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Cannot read the marketplace "m"'),
    });
    expect(await plugin('marketplace', 'update')).toMatchObject({ code: 0, stdout: 'm: 1 plugin\n' });
    expect((await plugin('search', 'one')).stdout).toContain('one@m');
  });

  it('an install that is killed leaves the version before, and nothing else after the next one', async () => {
    proves('R-59');
    writeTree(join(stage.cwd, 'p'), pluginFiles('p'));
    await plugin('install', './p', '--yes');
    const before = readFileSync(join(plugins(), 'installed_plugins.json'), 'utf8');
    // Sends the beginning of an archive, and then nothing.
    const server = createServer((_, response) => void response.write('\x1f\x8b'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/p.tgz`;
    const child = spawn(process.execPath, [robotaBin, 'plugin', 'install', url, '--yes'], {
      cwd: stage.cwd,
      env: { ...process.env, HOME: stage.home },
      stdio: 'ignore',
    });
    await new Promise<void>((resolve) => server.once('request', () => resolve()));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    server.closeAllConnections();
    server.close();
    const staging = () => readdirSync(plugins()).filter((name) => name.startsWith('.staging'));
    expect(staging()).toHaveLength(1);
    expect(readFileSync(join(plugins(), 'installed_plugins.json'), 'utf8')).toBe(before);
    stage.server.reply(done);
    await stage.robota(print('/p:hello you'));
    expect(lastRequest()).toContain('Say hello from p to you.');
    await plugin('install', './p', '--yes');
    expect(staging()).toEqual([]);
  });

  it('/plugin does the same in a session', async () => {
    proves('C-35', 'C-56');
    writeTree(join(stage.home, 'm'), marketplaceFiles('m', { one: pluginFiles('one') }));
    expect((await stage.robota(print(`/plugin marketplace add ${join(stage.home, 'm')}`))).stdout).toContain(
      'Added the marketplace m',
    );
    expect((await stage.robota(print('/plugin marketplace'))).stdout).toContain('  one  About one.');
    expect(await stage.robota(print('/plugin install one@m'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No user is available to confirm'),
    });
    expect((await stage.robota(print('/plugin install one@m --yes'))).stdout).toContain(
      'Installed one@m 1.0.0',
    );
    expect((await stage.robota(print('/plugin'))).stdout).toContain('one@m 1.0.0  enabled');
    expect((await stage.robota(print('/plugin uninstall one'))).stdout).toContain('Removed one@m');
  });

  it('installs during a conversation, and what it brings is there after /reload', async () => {
    proves('C-35', 'C-51', 'C-57');
    writeTree(join(stage.cwd, 'p'), pluginFiles('p'));
    const terminal = openTerminal(['--plain', '--model', 'offline'], { cwd: stage.cwd, home: stage.home });
    await terminal.shows('Offline');
    terminal.type('/plugin install ./p\r');
    await terminal.shows('Install p@direct 1.0.0?');
    await terminal.shows('yes or no?');
    terminal.type('yes\r');
    await terminal.shows('Installed p@direct 1.0.0.');
    terminal.type('/reload\r');
    await terminal.shows('Reloaded');
    terminal.type('/p:hello Ann\r');
    await terminal.shows('Say hello from p to Ann.');
    terminal.type('/exit\r');
    expect(await terminal.exit).toBe(0);
  });

  it('robota plugin tells how it is used, makes a plugin and finds mistakes', async () => {
    proves('C-35');
    expect(await plugin('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('robota plugin install'),
    });
    expect(await plugin('new', 'fresh')).toMatchObject({ code: 0 });
    expect(await plugin('validate', 'fresh')).toMatchObject({ code: 0 });
    writeTree(join(stage.cwd, 'fresh'), { '.claude-plugin/plugin.json': '{"name": "x y"}' });
    const bad = await plugin('validate', 'fresh');
    expect(bad).toMatchObject({ code: 1, stdout: '' });
    expect(bad.stderr).toMatch(/plugin\.json:1: Invalid "name" "x y"/);
    expect(await plugin('frobnicate')).toMatchObject({ code: 2 });
  });
});
