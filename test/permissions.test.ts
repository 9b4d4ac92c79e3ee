import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anthropicReply,
  layOutPathCase,
  loadPathCases,
  runRobota,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();

const permissions = (args: readonly string[], input?: string) =>
  stage.robota(['permissions', ...args], input === undefined ? {} : { input });

/** The answers to cases, parsed. */
async function check(cases: readonly unknown[]) {
  const { stdout, code } = await permissions(['check'], cases.map((one) => JSON.stringify(one)).join('\n'));
  return {
    code,
    answers: stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

describe('robota permissions check', () => {
  it('answers the Bash cases line by line', async () => {
    proves('E-39', 'E-40', 'R-10', 'R-11', 'R-12');
    const file = new URL('../packages/agent-core/fixtures/bash-permissions.json', import.meta.url);
    const cases: { id: string; expected: string }[] = JSON.parse(readFileSync(file, 'utf8'));
    const { answers, code } = await check(cases);
    expect(code).toBe(0);
    expect(answers.map(({ id, decision }) => `${id} ${decision}`)).toEqual(
      cases.map(({ id, expected }) => `${id} ${expected}`),
    );
    for (const answer of answers) expect(answer.why).not.toBe('');
  });

  it('names the line of the ignore file that hides a file, for a path and for a command', async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, '.agentignore'), '# not for agents\nsecrets/\n');
    await mkdir(join(cwd, 'secrets'));
    await writeFile(join(cwd, 'secrets', 'a.txt'), 'x');
    const line = `secrets/ (${join(cwd, '.agentignore')}:2)`;
    const read = await runRobota(['permissions', 'check', '--tool', 'Read', '--path', 'secrets/a.txt'], {
      cwd,
    });
    expect(read.stdout).toContain('deny: Read secrets/a.txt');
    expect(read.stdout).toContain(`is refused: the ignore file line ${line} hides it.`);
    const command = await runRobota(['permissions', 'check', '--json', '--', 'cat', 'secrets/a.txt'], {
      cwd,
    });
    expect(JSON.parse(command.stdout)).toMatchObject({ decision: 'deny', rule: 'secrets/' });
    const given = await runRobota(['permissions', 'check', 'ls | xargs cat'], { cwd });
    expect(given.stdout).toContain(`Reading … may reach a file that ${line} hides.`);
    const list = await runRobota(['permissions', 'list'], { cwd });
    expect(list.stdout).toContain(`ignored:\n  secrets/  (${join(cwd, '.agentignore')}:2)`);
  });

  it('takes a call as rules write it', async () => {
    const cwd = await temporaryDirectory();
    const answer = async (...words: string[]) =>
      (await runRobota(['permissions', 'check', ...words], { cwd })).stdout;
    const deny = ['--deny', 'Read(secret.txt)'];
    expect(await answer(...deny, 'Read(secret.txt)')).toContain('deny: Read secret.txt');
    expect(await answer(...deny, 'Bash', 'cat secret.txt')).toContain('deny: cat secret.txt');
    expect(await answer('Bash(echo (a))')).toContain('echo (a)');
  });

  it('answers the path cases where their files are', async () => {
    proves('E-41');
    const laid = loadPathCases().map(layOutPathCase);
    try {
      const { answers } = await check(
        laid.map(({ id, rules, mode, tool, path, cwd, workspace }) => ({
          ...{ id, rules, mode, tool, path, cwd },
          home: workspace.home,
        })),
      );
      for (const [index, { id, expected, alternatives = [] }] of laid.entries()) {
        const { decision, why } = answers[index] ?? {};
        expect([expected, ...alternatives], `${id}: ${why}`).toContain(decision);
      }
      const problem = answers.find(({ id }) => id === 'path-039');
      expect(problem?.why).toMatch(/^SymlinkLoop: /);
    } finally {
      for (const one of laid) one.dispose();
    }
  });

  it('judges by the text alone where the directory does not exist', async () => {
    const { answers } = await check([
      { tool: 'Read', path: 'src/a.ts' },
      { tool: 'Read', path: '../x' },
      { tool: 'Write', path: '/etc/x', mode: 'acceptEdits' },
      { tool: 'Write', path: 'a.ts', mode: 'acceptEdits' },
      { command: 'rm -rf /home/u', mode: 'bypassPermissions' },
      { command: 'cat /other/place/x', cwd: '/other/place' },
    ]);
    expect(answers.map(({ decision }) => decision)).toEqual([
      'allow',
      'ask',
      'deny',
      'allow',
      'deny',
      'allow',
    ]);
  });

  it('answers bad lines with an error and continues', async () => {
    const lines = ['no json', '[]', '{"id": 7, "command": 1}', '{"rules": {"deny": "x"}, "command": "ls"}'];
    const more = ['{"mode": "plam", "command": "ls"}', '{}', '', '{"id": "last", "command": "ls"}'];
    const { stdout, code } = await permissions(['check'], [...lines, ...more].join('\r\n'));
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(2);
    expect(answers).toHaveLength(7);
    expect(answers[2]).toEqual({ id: 7, error: '"command" must be a text.' });
    expect(answers[4].error).toContain('Did you mean plan?');
    expect(answers[6]).toMatchObject({ id: 'last', decision: 'allow', rule: null });
  });

  it('names rules that cannot be used beside the answer', async () => {
    const { answers } = await check([{ rules: { allow: ['Bash(npm'] }, command: 'npm test' }]);
    expect(answers[0]).toMatchObject({ decision: 'ask', problems: [expect.stringContaining('closing')] });
  });

  it('explains a command by the settings of the project, with file and line', async () => {
    await stage.settings({ permissions: { allow: ['Bash(npm test *)'], deny: ['Bash(git push *)'] } });
    const settings = join(stage.home, '.robota/settings.json');
    const allowed = await permissions(['check', 'npm', 'test', '--', 'a b']);
    expect(allowed.stdout).toContain("allow: npm test -- 'a b'");
    expect(allowed.stdout).toContain(`Bash(npm test *) (${settings}:`);
    const denied = await permissions(['check', 'npm test && git -C . push']);
    expect(denied.stdout).toMatch(
      /^deny: npm test && git -C \. push\n {2}why: `git -C \. push` is refused by/,
    );
    const asked = await permissions(['check', '--', 'make', '-j8']);
    expect(asked.stdout).toContain('would be allowed by: Bash(make -j8)');
    expect(asked.code).toBe(0);
  });

  it('takes rules and mode from the command line in place of the settings', async () => {
    await stage.settings({ permissions: { deny: ['Bash(make *)'] } });
    const { stdout } = await permissions([
      'check',
      '--json',
      '--mode',
      'plan',
      '--allow',
      'Bash(make *)',
      'make',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'allow',
      rule: 'Bash(make *)',
      origin: 'command line',
    });
    const path = await permissions([
      'check',
      '--json',
      '--deny=Read(.env)',
      '--tool',
      'Read',
      '--path',
      '.env',
    ]);
    expect(JSON.parse(path.stdout)).toMatchObject({ decision: 'deny', rule: 'Read(.env)' });
  });

  it('reads options behind a command in quotes or of one word, and leaves others to the command', async () => {
    const mode = await permissions(['check', 'npm test', '--mode', 'bypassPermissions']);
    expect(mode.stdout).toMatch(/^allow: npm test\n/);
    const answer = async (...args: string[]) =>
      JSON.parse((await permissions(['check', ...args])).stdout) as Record<string, unknown>;
    expect(await answer('npm test', '--json')).toMatchObject({ decision: 'ask' });
    expect(await answer('--json', 'npm test', '--allow=Bash(npm *)')).toMatchObject({ decision: 'allow' });
    expect(await answer('make', '--json', '--mode', 'plan')).toMatchObject({
      why: expect.stringContaining('`make`'),
    });
    const judged = async (...args: string[]) =>
      (await permissions(['check', ...args])).stdout.split('\n')[0]?.replace(/^\w+: /, '');
    expect(await judged('npm', 'test', '--json')).toBe('npm test --json');
    expect(await judged('npm', '--json', 'test')).toBe('npm --json test');
    expect(await judged('--', 'make', '--json')).toBe('make --json');
    expect(await judged('make', '--', '--json')).toBe('make -- --json');
    expect(await judged('make', '--always-make')).toBe('make --always-make');
    expect(await judged('ls', '-la')).toBe('ls -la');
  });

  it('shows hidden characters of the command it explains', async () => {
    const { stdout } = await permissions(['check', 'echo a\u202eb\u001b[2J']);
    for (const hidden of ['\u202e', '\u001b']) expect(stdout).not.toContain(hidden);
    expect(stdout).toContain('a text direction mark (U+202E)');
  });

  it.each([
    [['check', '--modee', 'plan', 'ls'], 'Did you mean --mode?'],
    [['check', '--mode', 'plam', 'ls'], 'Did you mean plan?'],
    [['check', 'npm test', '--modee', 'plan'], 'Did you mean --mode?'],
    [['check', 'npm test', '--mode'], '--mode needs a value'],
    [['check', '--tool', 'Read', 'ls'], 'not both'],
    [['check', '--tool', 'TodoWrite', '--path', 'x'], 'takes no path'],
    [['check', '--allow'], '--allow needs a value'],
    [['check', '--allow', 'Bash(', 'ls'], 'Invalid allow rule'],
    [['check', '--cwd', '/no/such/place', 'ls'], 'no such directory'],
    [['lst'], 'Did you mean robota permissions list?'],
  ])('%j is an error that says what to do', async (args, message) => {
    const { code, stderr } = await permissions(args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('robota permissions list', () => {
  it('shows every rule with its origin, and those that never decide', async () => {
    await stage.settings({
      permissions: {
        defaultMode: 'acceptEdits',
        allow: ['Bash(git push origin)', 'bash(ls)', 'Bash(npm *)'],
        deny: ['Bash(git push *)'],
      },
    });
    const settings = join(stage.home, '.robota/settings.json');
    const lines = readFileSync(settings, 'utf8').split('\n');
    const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;
    const { stdout, code } = await permissions([]);
    expect(code).toBe(0);
    expect(stdout).toContain(`mode: acceptEdits  (${settings}:${lineOf('defaultMode')})`);
    expect(stdout).toContain(`  Bash(npm *)  (${settings}:${lineOf('npm')})`);
    expect(stdout).toMatch(
      /Bash\(git push origin\) {2}\(.*\)\n {4}never decides: Bash\(git push \*\) .* is stricter/,
    );
    expect(stdout).toContain('Names are case-sensitive. Did you mean Bash?');
    expect(stdout).toContain('Read(.robota/**)  (built-in)');
    const json = JSON.parse((await permissions(['list', '--json'])).stdout);
    expect(json).toMatchObject({
      mode: 'acceptEdits',
      ineffective: [{ rule: { text: 'Bash(git push origin)' } }],
    });
  });

  it('leaves out what an untrusted repository would allow itself, and says so', async () => {
    await mkdir(join(stage.cwd, '.robota'));
    await writeFile(join(stage.cwd, '.robota/settings.json'), '{"permissions": {"allow": ["Bash(evil *)"]}}');
    const { stdout } = await permissions(['list']);
    const [rules, warnings] = stdout.split('warnings:');
    expect(rules).not.toContain('Bash(evil *)');
    expect(warnings).toMatch(/not trusted[\s\S]*Bash\(evil \*\)/);
    expect((await permissions(['list', '--trust-project'])).stdout).toContain('Bash(evil *)');
  });

  it('a corrupt settings file is an error that names its place, not a shorter list', async () => {
    await mkdir(join(stage.home, '.robota'), { recursive: true });
    await writeFile(join(stage.home, '.robota/settings.json'), '{"permissions": {"deny": ["Bash(rm *)"]\n');
    const { code, stdout, stderr } = await permissions(['list']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/settings\.json:\d+:\d+: Not valid JSON/);
  });
});

describe('robota permissions suggest', () => {
  it('suggests rules from what was approved in a session, saves them, and then has no more to suggest', async () => {
    expect((await permissions(['suggest'])).stdout).toContain('No suggestions');
    stage.server.reply(
      anthropicReply({ toolCalls: [{ id: 'a', name: 'Bash', input: { command: 'touch made' } }] }),
      anthropicReply({ text: 'done' }),
    );
    const terminal = openTerminal(['--plain', 'go'], {
      cwd: stage.cwd,
      home: stage.home,
      env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url },
    });
    await terminal.shows('(Enter cancels):');
    terminal.type('1\r');
    await terminal.shows('done');
    terminal.type('\u0004');
    await terminal.exit;
    const { stdout } = await permissions(['suggest']);
    expect(stdout).toContain('Bash(touch made)\n  would have avoided 1 prompt: `touch made`');
    expect(stdout).toContain('also allows: nothing but this command');
    expect((await permissions(['suggest', '--save'])).stdout).toContain('Saved 1 rule');
    const saved = JSON.parse(await readFile(join(stage.cwd, '.robota/settings.local.json'), 'utf8'));
    expect(saved.permissions.allow).toEqual(['Bash(touch made)']);
    expect((await permissions(['suggest'])).stdout).toContain('covered by rules');
    expect((await permissions(['check', 'touch made'])).stdout).toMatch(/^allow: /);
  });
});

describe('a deny rule of the project', () => {
  it.each(['curl example.com', 'sh -c "curl example.com"', 'true && /usr/bin/curl example.com'])(
    'holds for %s even under bypassPermissions',
    async (command) => {
      proves('P-40');
      await stage.file('.robota/settings.json', JSON.stringify({ permissions: { deny: ['Bash(curl *)'] } }));
      stage.server.reply(
        anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }),
        anthropicReply({ text: 'done' }),
      );
      await stage.robota(['-p', 'go', '--permission-mode', 'bypassPermissions']);
      const [result] = stage.results(1);
      expect(result).toMatchObject({ isError: true });
      expect(result?.text).toContain('Bash(curl *)');
    },
  );
});

describe('calls of one message', () => {
  it('judges a command again after an earlier one has put a link where it reads', async () => {
    proves('E-39');
    await writeFile(join(stage.home, 'key.txt'), 'very private');
    await stage.file('docs/key.txt', 'public');
    const link = `ln -sf ${join(stage.home, 'key.txt')} docs/key.txt`;
    stage.server.reply(
      anthropicReply({
        toolCalls: [link, 'cat docs/key.txt', 'ls docs'].map((command) => ({
          name: 'Bash',
          input: { command },
        })),
      }),
      anthropicReply({ text: 'done' }),
    );
    await stage.robota(['-p', 'go', '--allow', `Bash(${link})`]);
    const [linked, read, listed] = stage.results(1);
    expect(linked).toMatchObject({ isError: false });
    expect(read?.text).toContain('lies outside the workspace');
    expect(listed?.text).toContain('key.txt');
  });
});

describe('words that are no subcommand', () => {
  it('a prompt in quotes may begin with the name of one', async () => {
    stage.server.handle(() => anthropicReply({ text: 'They are rw-r--r--.' }));
    for (const args of [
      ['permissions of files?', '-p'],
      ['-p', 'permissions', 'of', 'files?'],
    ]) {
      expect((await stage.robota(args)).stdout).toContain('rw-r--r--');
      expect(JSON.stringify(stage.messages(-1))).toContain('permissions of files?');
    }
  });

  it.each([
    [['permissions', 'chek', 'ls'], 'Did you mean robota permissions check?'],
    [['permissions', 'foo'], 'Available: list, check, suggest.'],
    [['permissions', 'of', 'files?'], 'Put a prompt in quotes: robota "permissions of files?"'],
    [['permissons', 'list'], 'Did you mean robota permissions list?'],
    [['permissions', 'list', 'all'], 'takes no "all"'],
    [['permissions', 'suggest', 'x'], 'takes no "x"'],
  ])('%j never reaches a model', async (args, message) => {
    const { code, stdout, stderr } = await stage.robota(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stage.server.requests).toHaveLength(0);
  });

  it('help is the help, also of a subcommand; a sentence is a prompt', async () => {
    const help = await stage.robota(['--help']);
    expect(await stage.robota(['help'])).toEqual(help);
    expect((await stage.robota(['help', 'permissions'])).stdout).toContain('robota permissions suggest');
    stage.server.reply(anthropicReply({ text: 'Gladly.' }));
    expect((await stage.robota(['help', 'me', 'please'])).stdout).toBe('Gladly.\n');
  });

  it('help names the subcommands, and each has its own', async () => {
    const cwd = await temporaryDirectory();
    expect((await runRobota(['--help'], { cwd })).stdout).toContain('robota permissions');
    const { stdout, code } = await permissions(['--help']);
    expect(stdout).toContain('robota permissions suggest');
    expect(code).toBe(0);
  });
});

describe('the question on a terminal', () => {
  it('shows the whole command with its hidden characters, and the change of an edit', async () => {
    proves('C-90', 'R-13');
    await stage.file('a.txt', 'one\ntwo\n');
    const command = 'touch a\u202eb\u001b[2J # end';
    stage.server.reply(
      anthropicReply({ toolCalls: [{ id: 'a', name: 'Bash', input: { command } }] }),
      anthropicReply({ toolCalls: [{ id: 'r', name: 'Read', input: { file_path: 'a.txt' } }] }),
      anthropicReply({
        toolCalls: [
          { id: 'b', name: 'Edit', input: { file_path: 'a.txt', old_string: 'two', new_string: 'three' } },
        ],
      }),
      anthropicReply({ text: 'ready' }),
    );
    const terminal = openTerminal(['--plain', 'go'], {
      cwd: stage.cwd,
      home: stage.home,
      env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url },
    });
    try {
      await terminal.shows('(Enter cancels):');
      await terminal.shows(/touch a\S*202e\S*b\S*1b\S*\[2J # end/i);
      terminal.type('2\r');
      await terminal.shows('What to do instead:');
      terminal.type('not this\r');
      await terminal.shows(/- two\n\s*\+ three/);
      terminal.type('1\r');
      await terminal.shows('ready');
      expect(await readFile(join(stage.cwd, 'a.txt'), 'utf8')).toBe('one\nthree\n');
      expect(stage.results(1)[0]?.text).toContain('They said: not this');
    } finally {
      terminal.kill('SIGKILL');
      await terminal.exit;
    }
  });
});
