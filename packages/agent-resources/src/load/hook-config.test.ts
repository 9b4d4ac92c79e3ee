import { parseHooks } from '@robota-sdk/agent-config';
import { describeProblems, type Problem } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadConfig } from './load-config.ts';

function parse(hooks: unknown) {
  const problems: Problem[] = [];
  const groups = parseHooks(hooks as never, { source: 'settings.json', problems });
  return { groups, warnings: describeProblems(problems) };
}

describe('hooks in settings', () => {
  it('reads every event, with matcher, environment and fields of the hook', () => {
    proves('R-16', 'R-17');
    const hook = { type: 'command', command: 'guard', timeout: 5 };
    const events = ['PreToolUse', 'PostToolUse', 'PreCompact', 'PostCompact', 'SessionStart', 'Stop'];
    const others = ['UserPromptSubmit', 'SessionEnd', 'SubagentStart', 'SubagentStop', 'Notification'];
    const written = [...events, ...others].map((event) => [
      event,
      [{ matcher: 'Bash', hooks: [hook], env: { A: '1' } }],
    ]);
    const { groups, warnings } = parse(Object.fromEntries(written));
    expect(warnings).toEqual([]);
    expect(groups).toEqual(
      [...events, ...others].map((event) => ({
        event,
        matcher: 'Bash',
        hooks: [hook],
        env: { A: '1' },
        source: 'settings.json',
      })),
    );
  });

  it('takes a hook instead of its group, and a type that a field tells', () => {
    const { groups } = parse({
      Stop: [{ command: 'a' }, { url: 'https://x' }, { hooks: [{ prompt: 'p' }] }],
    });
    expect(groups.flatMap(({ hooks }) => hooks.map(({ type }) => type))).toEqual([
      'command',
      'http',
      'prompt',
    ]);
  });

  it('takes a single entry for a list of one', () => {
    const { groups, warnings } = parse({
      Stop: { command: 'a' },
      PreToolUse: { matcher: 'Bash', hooks: { command: 'b' } },
    });
    expect(groups).toMatchObject([
      { event: 'Stop', hooks: [{ type: 'command', command: 'a' }] },
      { event: 'PreToolUse', matcher: 'Bash', hooks: [{ type: 'command', command: 'b' }] },
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['guard', ''],
    [['guard'], ''],
    [[{ matcher: 'Bash', hooks: 'guard' }], 'Bash'],
    [[{ matcher: 'Bash', hooks: ['guard'] }], 'Bash'],
    [[{ matcher: 'Bash', hooks: [{ comand: 'guard' }] }], 'Bash'],
    [[{ matcher: 'Bash', hooks: null }], 'Bash'],
  ])('lets no call pass a guard that it cannot read: %j', (written, matcher) => {
    const { groups, warnings } = parse({ PreToolUse: written });
    expect(groups).toMatchObject([{ matcher, hooks: [{ type: 'unusable' }] }]);
    expect(warnings).toHaveLength(1);
  });

  it('names tools that a matcher misspells', () => {
    const matchers = ['bash', 'Edit|write', 'Raed', 'Web', 'Task|MultiEdit', 'mcp__a__b', 'Edit.*', 'MyTool'];
    const claude = ['BashOutput|KillShell', 'NotebookEdit', 'SlashCommand', 'LSP', 'TodoRead', 'Monitor'];
    const group = (matcher: string) => ({ matcher, hooks: [{ type: 'command', command: 'x' }] });
    const { warnings } = parse({
      PreToolUse: [...matchers, ...claude].map(group),
      SessionStart: [group('starup')],
    });
    const place = 'in a matcher of "hooks.PreToolUse".';
    expect(warnings).toEqual([
      `settings.json: Unknown tool "bash" ${place} Names are case-sensitive. Did you mean Bash?`,
      `settings.json: Unknown tool "write" ${place} Names are case-sensitive. Did you mean Write?`,
      `settings.json: Unknown tool "Raed" ${place} Did you mean Read?`,
    ]);
  });

  it('names what it cannot use and keeps the rest', () => {
    const { groups, warnings } = parse({
      PreTooluse: [{ command: 'a' }],
      Whatever: [],
      ConfigChange: [{ command: 'a' }],
      Stop: 'a',
      SessionEnd: ['a', { hooks: [1, {}, { command: 'kept' }] }],
    });
    expect(groups).toMatchObject([{ event: 'SessionEnd', hooks: [{ command: 'kept' }] }]);
    expect(warnings).toEqual([
      'settings.json: Unknown hook event "PreTooluse". Did you mean PreToolUse?',
      expect.stringContaining('Unknown hook events "Whatever", "ConfigChange". Hooks there do not run.'),
      'settings.json: hooks.Stop: expected a list, got a string. It is ignored.',
      'settings.json: hooks.SessionEnd[0]: expected an object, got a string. It is ignored.',
      'settings.json: hooks.SessionEnd.hooks[0]: expected an object, got a number. It is ignored.',
      'settings.json: A hook of "hooks.SessionEnd" has no "type".',
    ]);
  });

  it('names fields that are unknown or have an unusable value, with their file', () => {
    const hooks = [
      { type: 'command', command: 'a', argz: ['b'], timeout: '10' },
      { type: 'command', command: 'b', if: 'Bash(rm *)', args: ['x'], statusMessage: 's', comment: 'c' },
      { type: 'lua', script: 'x.lua' },
    ];
    const { warnings } = parse({
      PreToolUse: [{ matcher: 'Bash', hooks, description: 'd' }],
      PostToolUse: [{ matcher: ['Bash'], if: 'Bash(ls)', hooks: [{ type: 'command', command: 'c' }] }],
      Stop: [{ hooks: [{ type: 'command', command: 'd', if: 'Bash(ls)' }] }],
    });
    expect(warnings).toEqual([
      expect.stringContaining(
        'settings.json: The PreToolUse hook "a" has unknown or unusable fields: "argz", "timeout".',
      ),
      expect.stringContaining(
        'settings.json: The PostToolUse hook "c" has unknown or unusable fields: "matcher", "if".',
      ),
      expect.stringContaining('settings.json: The Stop hook "d" never runs: "if" needs a tool call'),
    ]);
  });

  it.each(['Bash(git *)|Edit(*.ts)', 'Bash(git *), Edit', 'Bash(', '', 'Bash(a) or Bash(b)'])(
    'an "if" of %j is not one rule, so it counts as unusable',
    (condition) => {
      const { warnings } = parse({ PreToolUse: [{ type: 'command', command: 'a', if: condition }] });
      expect(warnings.join()).toContain('unusable fields: "if"');
    },
  );

  it('of any JSON gives groups with the right types, and throws nothing', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void parse(value)));
    const near = fc.constantFrom(
      { command: 'a', type: 5 },
      { type: 'x' },
      { command: ['a'] },
      { A: 1, B: 'b' },
    );
    const any = fc.oneof(fc.jsonValue(), near);
    const group = fc.dictionary(fc.constantFrom('matcher', 'env', 'command', 'type'), any);
    fc.assert(
      fc.property(group, fc.array(any), any, (fields, hooks, other) => {
        const { groups } = parse({ PreToolUse: [{ ...fields, hooks }, other] });
        for (const { matcher, env = {}, hooks: read } of groups) {
          const texts = [matcher, ...Object.values(env), ...read.map(({ type }) => type)];
          expect(texts.every((each) => typeof each === 'string')).toBe(true);
        }
      }),
    );
  });

  it('joins the hooks of all files, each with the file it stands in', async () => {
    const place = await makeTestProject();
    const ours = await place.put('~/.robota/settings.json', { hooks: { Stop: [{ command: 'a' }] } });
    const theirs = await place.put('~/.claude/settings.json', { hooks: { Stop: [{ command: 'b' }] } });
    const { hooks, problems } = await loadConfig(place.cwd, { host: place.host });
    const warnings = describeProblems(problems);
    expect(hooks).toMatchObject([
      { source: ours, hooks: [{ command: 'a' }] },
      { source: theirs, hooks: [{ command: 'b' }] },
    ]);
    expect(warnings).toEqual([]);
  });

  it.each(['.robota/settings.json', '.robota/settings.local.json', '.claude/settings.json'])(
    'ignores and names the hooks of %s until the project is trusted',
    async (file) => {
      const place = await makeTestProject();
      await place.put('~/.robota/settings.json', { hooks: { Stop: [{ command: 'mine' }] } });
      const http = { type: 'http', url: 'http://127.0.0.1:1/x' };
      await place.put(file, {
        hooks: { SessionStart: [{ command: 'touch pwned' }], Stop: [{ hooks: [http] }] },
      });
      const { hooks, problems } = await loadConfig(place.cwd, { host: place.host });
      const warnings = describeProblems(problems);
      expect(hooks).toMatchObject([{ hooks: [{ command: 'mine' }] }]);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(
        /hook SessionStart: touch pwned \(.*\n {2}hook Stop: http:\/\/127\.0\.0\.1:1\/x \(/,
      );
      expect(warnings[0]).toContain('--trust-project');
      const trusted = await loadConfig(place.cwd, { host: place.host, trustProject: true });
      expect(trusted.hooks).toHaveLength(3);
      expect(describeProblems(trusted.problems)).toEqual([]);
    },
  );

  it('only the user can switch all hooks off', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { hooks: { Stop: [{ command: 'guard' }] } });
    await place.put('.robota/settings.json', { disableAllHooks: true });
    expect((await loadConfig(place.cwd, { host: place.host, trustProject: true })).hooks).toHaveLength(1);
    await place.put('~/.claude/settings.json', { disableAllHooks: true });
    expect((await loadConfig(place.cwd, { host: place.host })).hooks).toEqual([]);
  });
});

it.each(['(', 'Bash(git *)'])(
  'names the matcher %j, which is no pattern, and lets it approve nothing',
  (matcher) => {
    const { groups, warnings } = parse({
      PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'x' }] }],
    });
    expect(groups).toMatchObject([{ matcher, unclear: ['matcher'] }]);
    expect(warnings).toEqual([
      expect.stringContaining(`Invalid matcher "${matcher}" in "hooks.PreToolUse". It matches everything`),
    ]);
  },
);

it.each(['Bash(rm *) || Bash(git *)', 'Bash(rm *', 'Bash(rm *) Edit', 'Bash(rm *))'])(
  'names the condition %j, which is not one rule',
  (condition) => {
    const { warnings } = parse({
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'x', if: condition }] }],
    });
    expect(warnings).toEqual([expect.stringContaining('unknown or unusable fields: "if"')]);
  },
);
