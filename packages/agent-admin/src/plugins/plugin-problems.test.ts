import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProblems, type Question, silentInterface, type UserInterface } from '@robota-sdk/agent-core';
import { loadConfig } from '@robota-sdk/agent-resources';
import { describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import type { PluginRequestServices } from '../request/plugin-request.ts';
import { runPluginRequest } from './run-plugin-request.ts';

const server = 'MCP server tools: serve';

async function placeWithPlugin(): Promise<TestProject> {
  const place = await makeTestProject();
  const manifest = { name: 'pp', version: '1.0.0', description: 'A plugin.' };
  await place.put('../plug/.claude-plugin/plugin.json', manifest);
  await place.put('../plug/commands/hello.md', '---\ndescription: Says hello\n---\nSay hello.\n');
  await place.put('../plug/.mcp.json', { mcpServers: { tools: { command: 'serve' } } });
  return place;
}

const desk = ({ cwd, host }: TestProject, ui: UserInterface = silentInterface): PluginRequestServices => ({
  cwd,
  host,
  ui,
});

describe('MCP servers', () => {
  it('of a plugin are shown as what runs before it is installed', async () => {
    const place = await placeWithPlugin();
    expect(await runPluginRequest(['validate', '../plug'], desk(place))).toMatchObject({ isOk: true });
    const questions: Question[] = [];
    const ui: UserInterface = {
      notify: () => {},
      ask: async (question) => {
        questions.push(question);
        return { kind: 'confirmed', yes: true };
      },
    };
    await runPluginRequest(['install', '../plug'], desk(place, ui));
    expect(questions[0]?.detail).toContain(`These run or count without another question:\n  ${server}`);
    const { mcpServers } = await loadConfig(place.cwd, { host: place.host });
    expect(mcpServers?.map(({ name }) => name)).toEqual(['plugin_pp_tools']);
  });

  it('of a plugin that leaves their URL to the user are named once', async () => {
    const place = await placeWithPlugin();
    const blank = { type: 'http', url: '' };
    await place.put('../plug/.mcp.json', {
      mcpServers: { mail: blank, chat: blank, tools: { command: 'serve' } },
    });
    await runPluginRequest(['install', '../plug', '--yes'], desk(place));
    const { mcpServers, problems } = await loadConfig(place.cwd, { host: place.host });
    expect(mcpServers?.map(({ name }) => name)).toEqual(['plugin_pp_tools']);
    expect(describeProblems(problems)).toEqual([
      'plugin pp@direct: No URL is given for these MCP servers: mail, chat. If you use one, add it with: robota mcp add --transport http NAME URL',
    ]);
  });

  it('of a plugin that was agreed to before they were started need another yes', async () => {
    const place = await placeWithPlugin();
    await runPluginRequest(['install', '../plug', '--yes'], desk(place));
    const registry = join(place.home, '.robota/plugins/installed_plugins.json');
    const before = await readFile(registry, 'utf8');
    expect(before).toContain('"servers": true');
    await writeFile(registry, before.replace(/\s*"servers": true,/, ''));
    const load = () => loadConfig(place.cwd, { host: place.host });
    const { mcpServers, plugins, problems } = await load();
    const warnings = describeProblems(problems);
    expect(mcpServers).toEqual([]);
    expect(plugins?.map(({ id }) => id)).toEqual(['pp@direct']);
    expect(warnings.join('\n')).toContain(
      'Its MCP servers (tools) are not started: you approved it before they were used. Review them with: robota plugin enable pp@direct',
    );
    await expect(runPluginRequest(['enable', 'pp'], desk(place))).rejects.toThrow(server);
    await runPluginRequest(['enable', 'pp', '--yes'], desk(place));
    expect((await load()).mcpServers).toHaveLength(1);
  });

  it('of a plugin that cannot be used are found by validate', async () => {
    const place = await placeWithPlugin();
    await place.put('../plug/.mcp.json', { mcpServers: { tools: { comand: 'serve' }, a__b: { url: 'x' } } });
    const { isOk, text } = await runPluginRequest(['validate', '../plug'], desk(place));
    expect(isOk).toBe(false);
    expect(text).toContain(
      'neither a "command" to start nor a "url" to reach (is "comand" meant to be "command"?)',
    );
    expect(text).toContain('"a__b" is skipped: a name has no two "_" in a row');
  });
});

describe('what is wrong with a plugin', () => {
  async function broken(): Promise<TestProject> {
    const place = await placeWithPlugin();
    await place.put('../plug/commands/hello.md', '---\ndescripton: x\n---\nSay hello.\n');
    await place.put('../plug/agents/look.md', '---\ndescription: Looks\ntols: Read\n---\nLook.\n');
    await place.put('../plug/skills/a/SKILL.md', '---\ndescription: A\nallowed-tols: Read\n---\nDo.\n');
    await place.put(
      '../plug/hooks/hooks.json',
      '{\n  "hooks": {\n    "PreToolUs": [],\n    "Stop": 3\n  }\n}\n',
    );
    return place;
  }

  it('is found in every file, with its line', async () => {
    const place = await broken();
    const { isOk, text } = await runPluginRequest(['validate', '../plug'], desk(place));
    expect(isOk).toBe(false);
    const root = join(place.cwd, '..', 'plug');
    for (const line of [
      `${root}/commands/hello.md:2: Unknown field "descripton". Did you mean "description"?`,
      `${root}/agents/look.md:3: Unknown field "tols". Did you mean "tools"?`,
      `${root}/skills/a/SKILL.md:3: Unknown field "allowed-tols". Did you mean "allowed-tools"?`,
      `${root}/hooks/hooks.json:3: Unknown hook event "PreToolUs". Did you mean PreToolUse?`,
      `${root}/hooks/hooks.json:4: hooks.Stop: expected a list, got a number. It is ignored.`,
    ])
      expect(text).toContain(line);
  });

  it('is told by its place in the plugin when it is installed, not by that of a folder that is gone', async () => {
    const place = await broken();
    const { text } = await runPluginRequest(['install', '../plug', '--yes'], desk(place));
    expect(text).toContain('Problems:\nhooks/hooks.json:3: Unknown hook event');
    expect(text).not.toContain('staging');
    await place.put('../plug/.claude-plugin/plugin.json', '{\n"name": "pp",,}');
    const again = runPluginRequest(['install', '../plug', '--yes'], desk(place));
    expect(await again).toMatchObject({
      isOk: false,
      text: expect.stringMatching(
        /^The plugin \.\.\/plug was not installed\. \.claude-plugin\/plugin\.json:2/,
      ),
    });
  });

  it('a plugin of the other scope is named with that scope', async () => {
    const place = await placeWithPlugin();
    await runPluginRequest(['install', '../plug', '--scope', 'project', '--yes'], desk(place));
    const wrong = runPluginRequest(['uninstall', 'pp', '--scope', 'user'], desk(place));
    await expect(wrong).rejects.toThrow('pp@direct is installed in this project: write --scope project');
    const { problems } = await loadConfig(place.cwd, { host: place.host });
    const warnings = describeProblems(problems);
    const [warning = ''] = warnings.filter((text) => text.includes('not trusted'));
    expect(warning).toContain(`\n    These run or count without another question:\n      ${server}\n`);
    expect(warning).not.toContain('\\n');
    expect((await runPluginRequest(['uninstall', 'pp'], desk(place))).text).toBe('Removed pp@direct 1.0.0.');
  });
});

describe('what is installed', () => {
  it('is a plugin: a folder of a marketplace that is none is refused', async () => {
    const place = await makeTestProject();
    const entry = { name: 'empty', source: './empty', description: 'Nothing.' };
    await place.put('../mk/.claude-plugin/marketplace.json', {
      name: 'mk',
      owner: { name: 'x' },
      plugins: [entry],
    });
    await place.put('../mk/empty/readme.md', 'Nothing.');
    await runPluginRequest(['marketplace', 'add', '../mk', '--yes'], desk(place));
    await place.put('../mk2/.claude-plugin/marketplace.json', {
      name: 'mk2',
      plugins: [{ name: 'x', source: 3 }],
    });
    const added = await runPluginRequest(['marketplace', 'add', '../mk2', '--yes'], desk(place));
    expect(added.text).toMatch(/^\.claude-plugin\/marketplace\.json:\d+: /m);
    await place.put('../mk3/.claude-plugin/marketplace.json', '{');
    const broken = runPluginRequest(['marketplace', 'add', '../mk3', '--yes'], desk(place));
    await expect(broken).rejects.toThrow(/^\.claude-plugin\/marketplace\.json:1/);
    expect(await runPluginRequest(['install', 'empty@mk', '--yes'], desk(place))).toMatchObject({
      isOk: false,
      text: expect.stringContaining('Not a plugin'),
    });
    expect((await runPluginRequest(['list'], desk(place))).text).toContain('No plugins are installed');
  });

  it('may be an archive on this disk', async () => {
    const place = await placeWithPlugin();
    execFileSync('tar', ['-czf', join(place.cwd, 'pp.tar.gz'), '-C', join(place.cwd, '..'), 'plug']);
    const installed = await runPluginRequest(['install', './pp.tar.gz', '--yes'], desk(place));
    expect(installed.text).toContain('Installed pp@direct 1.0.0');
    await place.put('no.txt', 'x');
    const other = runPluginRequest(['install', './no.txt', '--yes'], desk(place));
    expect(await other).toMatchObject({
      isOk: false,
      text: expect.stringContaining('No folder or archive (.tar.gz, .tgz, .zip) at'),
    });
  });
});
