import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import { openTerminal } from './terminal.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.server.close());

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
      'every call is asked about',
    ],
    [
      'rules of the wrong shape',
      '.robota/settings.json',
      '{ "permissions": { "deny": "Bash" } }',
      'every call is asked about',
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
    await terminal.shows('Its rules may have denied something');
    terminal.type('/exit\r');
    await terminal.exit;
  });
});
