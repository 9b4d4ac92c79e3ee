import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { BundleLoader, problemLines } from './bundle-loader.ts';
import { type Files, pluginFiles, writeTree } from './fixtures/plugin-stage.ts';
import { describeReport, reportPlugin } from './plugin-report.ts';

const loader = new BundleLoader();

async function folder(files: Files): Promise<string> {
  const { cwd } = await makeTestProject();
  return writeTree(join(cwd, 'plugin'), files);
}

describe('BundleLoader', () => {
  it('reads a manifest and everything in the usual places', async () => {
    proves('R-56', 'R-57', 'R-58');
    const root = await folder({
      ...pluginFiles('tools'),
      '.claude-plugin/plugin.json': {
        name: 'tools',
        version: '2.1.0',
        description: 'Tools.',
        author: { name: 'Ann', email: 'ann@example.com' },
        keywords: ['a', 'b'],
        homepage: 'https://example.com',
        license: 'MIT',
        permissions: { allow: ['Bash(npm test)'], deny: ['Read(.env)'] },
        systemPrompt: 'Be brief.',
      },
      'agents/reviewer.md': '---\ndescription: Reviews\n---\nReview.',
      'hooks/hooks.json': {
        description: 'x',
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
      },
      '.mcp.json': { mcpServers: { db: { command: 'db-server' } } },
      'extensions/extra.js': 'export default {}',
    });
    const plugin = await loader.load(root);
    expect(plugin.manifest).toEqual({
      name: 'tools',
      version: '2.1.0',
      description: 'Tools.',
      author: 'Ann <ann@example.com>',
      homepage: 'https://example.com',
      license: 'MIT',
      keywords: ['a', 'b'],
    });
    expect(plugin.folders).toEqual({
      skills: [{ path: join(root, 'skills') }],
      commands: [{ path: join(root, 'commands') }],
      agents: [{ path: join(root, 'agents') }],
      extensions: [{ path: join(root, 'extensions') }],
    });
    expect(plugin.hooks).toMatchObject([{ event: 'Stop', hooks: [{ command: 'true' }] }]);
    expect(plugin.mcpServers).toEqual({ db: { command: 'db-server' } });
    expect(plugin.permissions).toEqual({ allow: ['Bash(npm test)'], ask: [], deny: ['Read(.env)'] });
    expect(plugin.systemPrompt).toBe('Be brief.');
    expect(plugin.problems).toEqual([]);
  });

  it('takes paths, lists of paths and objects in the fields of a manifest', async () => {
    proves('R-57', 'R-58');
    const root = await folder({
      '.claude-plugin/plugin.json': {
        name: 'paths',
        commands: ['./extra/one.md', './more/'],
        agents: './people/',
        skills: ['./lib/pdf', './other-skills'],
        tools: './tools/count.js',
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hooks: [{ type: 'command', command: `\${CLAUDE_PLUGIN_ROOT}/x` }] },
          ],
        },
        mcpServers: ['./servers.json', { inline: { url: 'https://example.com' } }],
        systemPrompt: './prompt.md',
      },
      'extra/one.md': 'One.',
      'extra/two.md': 'Not named.',
      'more/three.md': 'Three.',
      'commands/usual.md': 'Not used, since others are named.',
      'people/a.md': 'A.',
      'lib/pdf/SKILL.md': 'PDF.',
      'lib/other/SKILL.md': 'Not named.',
      'other-skills/x/SKILL.md': 'X.',
      'skills/usual/SKILL.md': 'Usual.',
      'tools/count.js': '',
      'servers.json': { fromFile: { command: 'x' } },
      'prompt.md': 'From a file.',
      'hooks/hooks.json': { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    });
    const plugin = await loader.load(root);
    const at = (path: string) => join(root, path);
    expect(plugin.folders).toEqual({
      skills: [{ path: at('skills') }, { path: at('lib'), only: ['pdf'] }, { path: at('other-skills') }],
      commands: [{ path: at('extra'), only: ['one.md'] }, { path: at('more') }],
      agents: [{ path: at('people') }],
      extensions: [{ path: at('tools'), only: ['count.js'] }],
    });
    expect(plugin.hooks.map(({ event }) => event)).toEqual(['Stop', 'PreToolUse']);
    expect(Object.keys(plugin.mcpServers)).toEqual(['fromFile', 'inline']);
    expect(plugin.systemPrompt).toBe('From a file.');
    expect(plugin.problems).toEqual([]);
  });

  it('lets a marketplace alone say what belongs to a plugin, as with strict: false', async () => {
    proves('R-58');
    const root = await folder({
      'skills/pdf/SKILL.md': 'PDF.',
      'skills/docx/SKILL.md': 'DOCX.',
      'commands/x.md': 'X.',
    });
    const listed = { value: { skills: ['./skills/pdf'] }, isWhole: true };
    const { folders, name } = await loader.load(root, { name: 'document-skills', listed });
    expect(name).toBe('document-skills');
    expect(folders).toEqual({ skills: [{ path: join(root, 'skills'), only: ['pdf'] }] });
    const whole = await loader.load(root, { name: 'all', listed: { value: {}, isWhole: true } });
    expect(Object.keys(whole.folders)).toEqual(['skills', 'commands']);
  });

  it('features of a manifest switch kinds off', async () => {
    proves('R-58');
    const root = await folder({
      ...pluginFiles('tools', { 'hooks/hooks.json': { Stop: [{ hooks: [{ command: 'true' }] }] } }),
      '.claude-plugin/plugin.json': { name: 'tools', features: { commands: false, hooks: false } },
    });
    expect(await loader.load(root)).toMatchObject({ folders: { skills: [{}] }, hooks: [] });
    expect((await loader.load(root)).folders.commands).toBeUndefined();
  });

  it('names file and line of what is wrong, and continues without it', async () => {
    proves('R-58');
    const root = await folder({
      '.claude-plugin/plugin.json':
        '{\n  "name": "p",\n  "comands": "./x",\n  "agents": "../outside",\n  "skills": "./missing",\n  "commands": 5\n}',
      'hooks/hooks.json': '{\n  "hooks": {\n',
      '.mcp.json': '{}',
    });
    mkdirSync(join(root, '..', 'outside'));
    const lines = problemLines(await loader.load(root));
    expect(lines.sort()).toEqual([
      '.claude-plugin/plugin.json:3: Unknown field "comands". Did you mean "commands"?',
      '.claude-plugin/plugin.json:4: "agents": ../outside leads out of the plugin.',
      '.claude-plugin/plugin.json:5: "skills": ./missing is missing in the plugin.',
      '.claude-plugin/plugin.json:6: commands: expected a list or a path, got 5',
      expect.stringMatching(/^hooks\/hooks\.json:\d+:\d+: Not valid JSON/),
    ]);
    symlinkSync('/etc', join(root, 'link'));
    writeTree(root, { '.claude-plugin/plugin.json': { name: 'p', commands: './link' } });
    expect(problemLines(await loader.load(root)).join()).toContain('leads out of the plugin');
  });

  it('says what a plugin is that brings only what another program uses', async () => {
    proves('R-58');
    const root = await folder({ 'README.md': 'x' });
    const listed = { value: { lspServers: { clangd: { command: 'clangd' } } }, isWhole: true };
    await expect(loader.load(root, { listed })).rejects.toThrow(
      'It contains only a language server, which Robota does not use.',
    );
  });

  it('fails where there is no plugin, or one without a name that could be one', async () => {
    proves('R-58');

    await expect(loader.load(await folder({ 'README.md': 'x' }))).rejects.toThrow(/Not a plugin/);
    await expect(loader.load(await folder({ '.claude-plugin/plugin.json': '{"name": ' }))).rejects.toThrow(
      /plugin\.json:1:\d+: Not valid JSON/,
    );
    for (const name of ['../x', 'a/b', '', 'a b', '-x', '.x', 'x'.repeat(65), 5])
      await expect(loader.load(await folder({ '.claude-plugin/plugin.json': { name } }))).rejects.toThrow(
        /"name"/,
      );
  });

  it('tells what a plugin adds, what of it runs, and what it costs', async () => {
    proves('R-57', 'C-51');
    const root = await folder({
      ...pluginFiles('tools'),
      '.claude-plugin/plugin.json': {
        name: 'tools',
        permissions: { allow: ['Bash(npm test)'] },
        systemPrompt: 'Be brief.\nallow rule Bash',
      },
      'commands/status.md': '---\nallowed-tools: Bash(git status)\n---\n\nState: !`git status`\n',
      'hooks/hooks.json': {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'check.sh' }] }],
      },
      '.mcp.json': { db: { command: 'db-server', args: ['\u001b[2J'] } },
      'extensions/extra.js': '',
    });
    const report = await reportPlugin(await loader.load(root));
    expect(report).toMatchObject({
      skills: ['greet-tools'],
      commands: ['/tools:hello', '/tools:status'],
      agents: [],
    });
    expect(report.runs).toEqual([
      'hook PreToolUse (Bash) (hooks/hooks.json): check.sh',
      "MCP server db: db-server '\\u{1b}[2J'",
      'extension module extensions/extra.js',
      'shell command (commands/status.md:5): git status',
      'allowed tools (commands/status.md): Bash(git status)',
      'allow rule Bash(npm test)',
      'adds to the system prompt: Be brief.\n      allow rule Bash',
    ]);
    expect(report.tokens).toBeGreaterThan(10);
    expect(describeReport(report)).toContain(`about ${report.tokens} tokens`);
    expect(describeReport(report)).not.toContain('\u001b');
  });
});
