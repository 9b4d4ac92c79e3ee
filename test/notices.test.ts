import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { isRunning } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();

const print = ['-p', 'hello', '--model', 'offline'];
const linesOf = (text: string) => text.trimEnd().split('\n');

describe('what is not in force', () => {
  it('is named at every run of print mode, in one line after the first', async () => {
    const guard = { matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] };
    const settings = { hooks: { PreToolUse: [guard] }, permissions: { allow: ['Bash(ls)'] } };
    await stage.file('.robota/settings.json', JSON.stringify(settings));
    await stage.file('.mcp.json', JSON.stringify({ mcpServers: { tracker: { command: 'tracker' } } }));
    const summary = /^robota: 3 items of this project are not trusted and not in force: /;
    const [first, ...later] = [
      await stage.robota(print),
      await stage.robota(print),
      await stage.robota([...print, '--output-format', 'json']),
    ];
    expect(first?.stderr).toMatch(summary);
    expect(linesOf(first?.stderr ?? '')).toHaveLength(4);
    for (const { stderr, code } of later) {
      expect(code).toBe(0);
      expect(linesOf(stderr)).toHaveLength(1);
      expect(stderr).toMatch(summary);
      for (const part of [
        'hook PreToolUse',
        '(./guard.sh)',
        'allow rule Bash(ls)',
        'MCP server tracker',
        '--trust-project',
      ])
        expect(stderr).toContain(part);
    }
    expect((await stage.robota([...print, '--trust-project'])).stderr).not.toContain('not in force');
  });

  it('cannot break its line, nor fill the screen', async () => {
    const hooks = Array.from({ length: 30 }, (_, index) => ({
      hooks: [{ type: 'command', command: `echo ${index}\n\u001b[2Jrobota: all is well ${'x'.repeat(300)}` }],
    }));
    await stage.file('.robota/settings.json', JSON.stringify({ hooks: { PreToolUse: hooks } }));
    await stage.robota(print);
    const { stderr } = await stage.robota(print);
    expect(linesOf(stderr)).toHaveLength(1);
    expect(stderr).toContain('30 items');
    expect(stderr).toContain('25 more');
    expect(stderr).not.toContain('\u001b');
    expect(stderr.length).toBeLessThan(700);
  });

  it.each([
    [
      'a broken file of rules',
      '.robota/settings.json',
      '{ "permissions": { "deny": [',
      'every call needs your approval',
    ],
    [
      'rules of the wrong shape',
      '.robota/settings.json',
      '{ "permissions": { "deny": "Bash" } }',
      'every call needs your approval',
    ],
    ['a broken file of servers', '.mcp.json', '{ "mcpServers": ', '.mcp.json'],
    [
      'a guard for an unknown event',
      '.claude/settings.json',
      '{ "hooks": { "PreToolUze": [] } }',
      'PreToolUze',
    ],
  ])('includes %s', async (...[, file, text, named]) => {
    await stage.file(file, text);
    for (const _run of [1, 2, 3]) expect((await stage.robota(print)).stderr).toContain(named);
  });

  it('is news in the terminal after print mode has named it', async () => {
    await stage.file('.robota/settings.json', '{ "permissions": { "deny": [');
    await stage.robota(print);
    await stage.robota(print);
    const terminal = openTerminal(['--plain', '--model', 'offline'], { cwd: stage.cwd, home: stage.home });
    await terminal.shows('Its rules may deny something');
    terminal.type('/exit\r');
    await terminal.exit;
  });
});

describe('an MCP server that cannot start', () => {
  const configFor = (server: object) => ['--mcp-config', JSON.stringify({ mcpServers: { bad: server } })];
  const call = (name: string) => anthropicReply({ toolCalls: [{ id: 'c1', name, input: {} }] });
  const model = ['--model', 'claude-sonnet-4-6'];
  const script = (text: string) => ({ command: process.execPath, args: ['-e', text] });
  const exits = script('console.error("first\\nno licence found"); process.exit(3)');

  it.each([
    ['is not found', { command: 'no-such-program' }, '"no-such-program" was not found'],
    ['exits', exits, 'no licence found'],
    ['is not reached', { type: 'http', url: 'http://127.0.0.1:1/mcp' }, 'fetch failed'],
  ])('is named on standard error with the reason, when it %s', async (_, server, reason) => {
    proves('R-75');
    const search = anthropicReply({ toolCalls: [{ id: 'c1', name: 'ToolSearch', input: { query: 'x' } }] });
    stage.server.reply(search, anthropicReply({ text: 'Done.' }));
    const { code, stdout, stderr } = await stage.robota(['-p', 'go', ...model, ...configFor(server)]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(linesOf(stderr)).toHaveLength(1);
    expect(stderr).toMatch(/^robota: The MCP server "bad" could not be started/);
    expect(stderr).toContain(reason);
  });

  it.each(['mcp__bad__x', 'McpCall'])(
    'is the answer to a call by %s, which is not asked about',
    async (name) => {
      proves('R-75');
      const input = name === 'McpCall' ? { tool: 'mcp__bad__x' } : {};
      const reply = anthropicReply({ toolCalls: [{ id: 'c1', name, input }] });
      stage.server.reply(reply, anthropicReply({ text: 'Done.' }));
      const { stderr } = await stage.robota(['-p', 'go', ...model, ...configFor(exits)]);
      const [result] = stage.results(1);
      expect(result).toMatchObject({ isError: true });
      expect(result?.text).toContain('The MCP server "bad" could not be started');
      expect(result?.text).toContain('no licence found');
      expect(result?.text).not.toContain('llow');
      expect(stderr).not.toContain('--allow');
    },
  );

  it('is told from one that is not configured', async () => {
    proves('R-75');
    stage.server.reply(call('mcp__other__x'), anthropicReply({ text: 'Done.' }));
    await stage.robota(['-p', 'go', ...model, ...configFor(exits)]);
    expect(stage.results(1)[0]?.text).toContain(
      'No MCP server has a tool "mcp__other__x". Configured servers: bad.',
    );
  });

  it('is named in the terminal once', async () => {
    proves('R-75');
    const terminal = openTerminal(['--plain', '--model', 'offline', ...configFor(exits)], {
      cwd: stage.cwd,
      home: stage.home,
    });
    await terminal.shows('could not be started');
    expect((await terminal.screen()).match(/The MCP server "bad"/g)).toHaveLength(1);
    terminal.type('/exit\r');
    await terminal.exit;
  });
});

describe('a hook in the background', () => {
  const settings = (hook: object) =>
    stage.settings({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', async: true, ...hook }] }] } });
  const out = () => join(stage.home, 'out');

  it('has a moment to finish when print mode ends', async () => {
    await settings({ command: `sleep 0.4; echo done > ${out()}` });
    expect(await stage.robota(print)).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(out(), 'utf8')).toBe('done\n');
  });

  it('is ended after that, and named', async () => {
    await settings({ command: `echo $$ > ${out()}; exec sleep 300` });
    const { code, stderr } = await stage.robota(print);
    expect(code).toBe(0);
    expect(linesOf(stderr)).toHaveLength(1);
    expect(stderr).toContain('Ended the UserPromptSubmit hook');
    expect(stderr).toContain('exec sleep 300');
    expect(isRunning(Number(await readFile(out(), 'utf8')))).toBe(false);
  });

  it('is not waited for longer than its own limit, and says so', async () => {
    await settings({ command: 'exec sleep 300', timeout: 0.2 });
    const { stderr } = await stage.robota(print);
    expect(linesOf(stderr)).toHaveLength(1);
    expect(stderr).toContain('longer than 0.2 s in the background');
  });
});
