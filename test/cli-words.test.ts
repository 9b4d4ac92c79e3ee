import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const model = ['--model', 'claude-sonnet-4-6'];

/** The last prompt sent to the model. */
function asked(): string {
  return JSON.stringify(stage.messages(-1).at(-1)?.content);
}

/** Runs a command line that must not reach the model, and resolves with what it says. */
async function refused(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await stage.robota([...words, ...model]);
  expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
  expect(stage.server.requests).toEqual([]);
  return stderr.replace(/^robota: /, '').trimEnd();
}

describe('words that other programs have for commands', () => {
  it('suggests a prompt of the words alone, without values of options', async () => {
    expect(await refused('install', 'latest')).toContain('robota -p "install latest"');
  });

  it.each([
    ['completions'],
    ['init'],
    ['serve'],
    ['auth', 'status'],
    ['models'],
    ['agents'],
    ['install', 'latest'],
    ['setup-token'],
    ['remote-control'],
    ['providers', 'list'],
    ['extension', 'list'],
    ['daemon'],
  ])('never asks the model for %s %s', async (...words) => {
    expect(await refused(...words)).toMatch(
      /^Robota has no command ".+"\. .+ To send it as a prompt: robota -p /,
    );
  });

  it('updates by the words update, upgrade and self-update, lists what uninstall removes, and takes none for a prompt', async () => {
    for (const word of ['update', 'upgrade', 'self-update']) {
      const { code, stdout } = await stage.robota([word]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('git pull') });
      expect(await refused(word, 'the', 'tests')).toContain(
        'Put a prompt in quotes: robota "update the tests',
      );
    }
    const listed = await stage.robota(['uninstall', '--dry-run']);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('Delete that folder') });
    expect(await refused('uninstall', 'the', 'mocks')).toContain('robota "uninstall the mocks');
    mkdirSync(join(stage.home, '.robota/cache'), { recursive: true });
    expect(await stage.robota(['uninstall'])).toMatchObject({ code: 2 });
    expect(existsSync(join(stage.home, '.robota/cache'))).toBe(true);
  });

  it.each([['hello'], ['fix-it'], ['doctr'], ['Version']])(
    'never asks the model for the single word %s',
    async (word) => {
      expect(await refused(word)).toMatch(/^Unknown command ".+"\..* To send it as a prompt: robota -p /);
    },
  );

  it('starts in no directory that is given for a prompt, and says how', async () => {
    for (const directory of ['.', stage.cwd])
      expect(await refused(directory)).toContain(
        `is a directory. Start in it with: robota --cwd ${directory}`,
      );
  });

  it('lists the keys by login status and login list', async () => {
    const { stdout } = await stage.robota(['login', '--list']);
    for (const word of ['status', 'list'])
      expect(await stage.robota(['login', word])).toMatchObject({ code: 0, stdout });
  });

  it('prints the version, answers a prompt and resumes a session by their words', async () => {
    expect(await stage.robota(['version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    stage.server.reply(anthropicReply({ text: 'One.' }), anthropicReply({ text: 'Two.' }));
    expect(await stage.robota(['exec', 'say one', ...model])).toMatchObject({ code: 0, stdout: 'One.\n' });
    const [{ id } = { id: '' }] = (await stage.sessionLines('session.jsonl')) as { id: string }[];
    expect(await stage.robota(['resume', id, '-p', 'and two', ...model])).toMatchObject({
      code: 0,
      stdout: 'Two.\n',
    });
    expect(stage.messages(1)).toHaveLength(3);
  });

  it('sends a prompt of several words, one in quotes, one behind -p, and the name of a file', async () => {
    await stage.file('notes', 'x');
    const reply = anthropicReply({ text: 'Ok.' });
    stage.server.reply(reply, reply, reply, reply, reply);
    for (const words of [
      ['fix', 'the', 'test'],
      ['upgrade the lockfile'],
      ['-p', 'upgrade'],
      ['--', 'hello'],
      ['notes'],
    ]) {
      expect(await stage.robota([...model, ...words])).toMatchObject({ code: 0, stdout: 'Ok.\n' });
      expect(asked()).toContain(words.filter((word) => !word.startsWith('-')).join(' '));
    }
  });

  it('helps with commands that exist, and names them for one that does not', async () => {
    expect(await stage.robota(['help', 'mcp'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('robota mcp'),
    });
    expect(await stage.robota(['help', 'resume'])).toMatchObject({
      code: 0,
      stdout: 'robota resume means robota --resume. See robota --help.\n',
    });
    expect((await stage.robota(['help', 'upgrade'])).stdout).toMatch(/^robota update: /);
    for (const words of [
      ['help', 'sessions', 'list'],
      ['--help', 'sessions'],
      ['-h', 'sessions', 'list'],
    ])
      expect((await stage.robota(words)).stdout).toMatch(/^robota sessions: /);
    expect(await refused('sessions', '--hlep')).toContain('Did you mean --help?');
    expect((await stage.robota(['completion', 'bash', 'x'])).stderr).toContain(
      'robota completion bash takes no "x"',
    );
    expect(await refused('help', 'nothing')).toMatch(/^Unknown command "nothing"\. Available: .*doctor/);
    expect(await refused('help', 'docter')).toContain('Did you mean: robota help doctor');
  });

  it('takes a directory before a subcommand, and refuses options that mean nothing to it', async () => {
    const { code, stdout } = await stage.robota(['--cwd', stage.cwd, 'mcp', 'list']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('No MCP servers') });
    const { code: wrong, stderr } = await stage.robota(['--model', 'offline', 'mcp', 'list']);
    expect({ wrong, stderr }).toMatchObject({
      wrong: 2,
      stderr: expect.stringContaining('Unknown option --model for robota mcp'),
    });
    expect(stage.server.requests).toEqual([]);
  });
});

describe('options that other agents have', () => {
  it.each([
    ['--full-auto', '--sandbox required'],
    ['-a', '--permission-mode'],
    ['--ask-for-approval', '--permission-mode'],
    ['-s', '--sandbox'],
    ['-i', '@picture.png'],
    ['--oss', '--model ollama/'],
    ['--profile', '--model NAME'],
    ['--json', '--output-format'],
    ['--ide', 'robota acp'],
    ['--list-sessions', 'robota sessions'],
    ['--theme', 'config set theme'],
    ['--mode', '--output-format'],
  ])('says what to use instead of %s', async (option, counterpart) => {
    const message = await refused('-p', 'hi', option, 'x');
    expect(message).toMatch(new RegExp(`^Unknown option ${option}\\. `));
    expect(message).toContain(counterpart);
  });

  it('works with options of Codex, Gemini CLI, opencode and pi that mean the same as ours', async () => {
    const call = anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'touch made' } }] });
    stage.server.reply(call, anthropicReply({ text: 'Done.' }));
    const claude = ['--betas', 'context-1m-2025-08-07'];
    const codex = ['--skip-git-repo-check', '--ephemeral', '--search', '--yolo', ...claude];
    const { code, stdout } = await stage.robota(['exec', 'go', ...codex, ...model]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(stage.server.requests[0]?.headers['anthropic-beta']).toContain('context-1m-2025-08-07');
    expect(existsSync(join(stage.cwd, 'made'))).toBe(true);
    expect(await stage.sessionLines('session.jsonl').catch(() => [])).toEqual([]);
    stage.server.reply(anthropicReply({ text: 'Hm.' }));
    const gemini = ['--prompt', 'hi', '-o', 'json', '--approval-mode', 'auto_edit'];
    const answer = JSON.parse((await stage.robota([...gemini, ...model])).stdout);
    expect(answer).toMatchObject({ result: 'Hm.' });
    expect(asked()).toContain('"hi"');
  });

  it('says what to use instead of a value', async () => {
    expect(await refused('-p', 'hi', '--sandbox', 'read-only')).toContain('--permission-mode plan');
    expect(await refused('-p', 'hi', '--permission-mode', 'auto')).toContain('acceptEdits');
  });

  it('takes several rules behind --allowedTools, and leaves a prompt alone', async () => {
    const reply = () => anthropicReply({ text: 'Ok.' });
    stage.server.reply(reply(), reply(), reply());
    await stage.robota(['-p', 'hi', '--allowedTools', 'Bash(ls:*)', 'Read', 'mcp__x__y', ...model]);
    expect(asked()).toContain('"hi"');
    await stage.robota(['-p', '--allowedTools', 'Read', 'Hello there', ...model]);
    expect(asked()).toContain('Hello there');
    await stage.robota(['-p', '--allow', 'Bash', 'Read', ...model]);
    expect(asked()).toContain('"Read"');
  });

  it.each([
    'Bash(touch *) Bash(git push *)',
    'Bash(git push *), Bash(touch:*)',
    'Read(./secret) Bash(touch *)',
    'Bash(echo ")") Bash(touch *)',
  ])('denies each rule of %j', async (list) => {
    const call = anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'touch made' } }] });
    for (const flag of ['--disallowedTools', '--deny']) {
      stage.server.reply(call, anthropicReply({ text: 'Done.' }));
      const bypass = ['--permission-mode', 'bypassPermissions', '--output-format', 'json'];
      const { stdout } = await stage.robota(['-p', 'go', ...bypass, flag, list, ...model]);
      expect(JSON.parse(stdout).permission_denials).toHaveLength(1);
    }
  });

  it('allows each rule of a list with blanks, and offers the tools of one', async () => {
    const call = (command: string) => anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] });
    stage.server.reply(call('touch a'), call('mkdir b'), anthropicReply({ text: 'Done.' }));
    const list = 'Bash(touch *) Edit Bash(mkdir *)';
    const options = ['--allowedTools', list, '--tools', 'Bash Read', '--output-format', 'json'];
    const { stdout } = await stage.robota(['-p', 'go', ...options, ...model]);
    expect(JSON.parse(stdout)).toMatchObject({ permission_denials: [] });
    const body = stage.server.requests[0]?.body as { tools: { name: string }[] } | undefined;
    expect(body?.tools.map(({ name }) => name).sort()).toEqual(['Bash', 'Read']);
  });

  it('allows and denies every one of several rules', async () => {
    const call = (command: string) => anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] });
    stage.server.reply(call('touch a && touch b'), anthropicReply({ text: 'Done.' }));
    const { stdout } = await stage.robota([
      '-p',
      'go',
      '--allowedTools',
      'Bash(touch a)',
      'Bash(touch b)',
      '--output-format',
      'json',
      ...model,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ permission_denials: [] });
    stage.server.reply(call('touch c'), anthropicReply({ text: 'Done.' }));
    const denied = await stage.robota([
      '-p',
      'go',
      '--allow',
      'Bash',
      '--disallowedTools',
      'Bash(rm:*)',
      'Bash(touch c)',
      '--output-format',
      'json',
      ...model,
    ]);
    expect(JSON.parse(denied.stdout).permission_denials).toHaveLength(1);
  });
});

describe('options of Claude Code that we have', () => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await stage.robota([
      '-p',
      'go',
      '--output-format',
      'json',
      ...args,
      ...model,
    ]);
    return { code, stderr, result: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  const body = () => JSON.stringify(stage.server.requests.at(-1)?.body);
  const touch = () => {
    const input = { command: 'touch made' };
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input }] }),
      anthropicReply({ text: 'Done.' }),
    );
  };

  it('skips permissions only where that is asked for', async () => {
    touch();
    expect((await run('--dangerously-skip-permissions')).result).toMatchObject({ permission_denials: [] });
    touch();
    expect((await run('--permission-mode', 'dontAsk')).result.permission_denials).toHaveLength(1);
    touch();
    expect((await run('--allow-dangerously-skip-permissions')).result.permission_denials).toHaveLength(1);
    expect(await refusedAfter('--dangerously-skip-permissions', '--permission-mode', 'plan')).toContain(
      'together',
    );
  });

  it('takes settings as JSON and as a file, above all files; what it does not understand is refused', async () => {
    await stage.settings({ permissions: { allow: ['Bash'] } });
    touch();
    const settings = { permissions: { deny: ['Bash(touch:*)'] } };
    expect((await run('--settings', JSON.stringify(settings))).result.permission_denials).toHaveLength(1);
    await stage.file('mine.json', JSON.stringify(settings));
    touch();
    expect((await run('--settings', 'mine.json')).result.permission_denials).toHaveLength(1);
    for (const wrong of [
      '{"permissions": {"deny": "Bash"}}',
      '{"sandbox": {"enabled": true, "newGuard": true}}',
      '{',
      'none.json',
    ])
      expect((await run('--settings', wrong)).code).toBe(2);
  });

  it('reads only the files of the owners that --setting-sources names', async () => {
    await stage.settings({ permissions: { allow: ['Bash'] } });
    await stage.file('AGENTS.md', 'ZZINSTRUCTION');
    touch();
    expect((await run()).result.permission_denials).toEqual([]);
    expect(body()).toContain('ZZINSTRUCTION');
    touch();
    expect((await run('--setting-sources', 'user')).result.permission_denials).toEqual([]);
    expect(body()).not.toContain('ZZINSTRUCTION');
    touch();
    expect((await run('--setting-sources=')).result.permission_denials).toHaveLength(1);
    expect((await run('--setting-sources', 'everybody')).code).toBe(2);
  });

  it('takes agents, plugins, prompts of files, a schema and an id of the session', async () => {
    await stage.file('plugin/.claude-plugin/plugin.json', JSON.stringify({ name: 'demo', version: '1.0.0' }));
    await stage.file('plugin/commands/hello.md', 'ZZHELLO');
    await stage.file('prompt.md', 'ZZPROMPT');
    await stage.file('more.md', 'ZZMORE');
    const id = '123e4567-e89b-42d3-a456-426614174000';
    const agents = JSON.stringify({ reviewer: { description: 'ZZAGENT', prompt: 'p' } });
    stage.server.reply(anthropicReply({ text: '{"ok":true}' }));
    const { result } = await run(
      '--agents',
      agents,
      '--plugin-dir',
      'plugin',
      '--system-prompt-file',
      'prompt.md',
      '--append-system-prompt-file',
      'more.md',
      '--json-schema',
      '{"type":"object"}',
      '--session-id',
      id,
      '--debug-file',
      'debug.log',
    );
    expect(result).toMatchObject({ session_id: id, structured_output: { ok: true } });
    for (const text of ['ZZAGENT', 'ZZPROMPT', 'ZZMORE']) expect(body()).toContain(text);
    stage.server.reply(anthropicReply({ text: 'Hi.' }));
    const hello = await stage.robota([
      '-p',
      '/demo:hello',
      '--plugin-dir',
      'plugin',
      '--tools',
      'default',
      ...model,
    ]);
    expect(hello).toMatchObject({ code: 0, stdout: 'Hi.\n' });
    expect(body()).toContain('ZZHELLO');
    for (const wrong of [
      ['--agents', '{"a": {"description": "x"}}'],
      ['--plugin-dir', 'none'],
      ['--system-prompt-file', 'none'],
    ])
      expect((await run(...wrong)).code).toBe(2);
    expect((await run('--session-id', id)).code).toBe(2);
    expect((await run('--session-id', id, '-c')).code).toBe(2);
  });

  it.each<[string, object[]]>([
    ['mcp__judge__yes', []],
    ['mcp__judge__no', [{ reason: expect.stringContaining('not today') }]],
    ['mcp__judge__rubbish', [{ tool_name: 'Bash' }]],
    ['mcp__judge__missing', [{ tool_name: 'Bash' }]],
  ])('has a tool of an MCP server decide where a yes is needed: %s', async (tool, denials) => {
    const server = join(import.meta.dirname, 'fixtures/mcp/judge-server.mjs');
    const config = JSON.stringify({ mcpServers: { judge: { command: process.execPath, args: [server] } } });
    touch();
    const { result } = await run('--mcp-config', config, '--permission-prompt-tool', tool);
    expect(result.permission_denials).toMatchObject(denials);
    expect(result.permission_denials).toHaveLength(denials.length);
  });

  it('says that a tool without a server gave no answer, and not that the user declined', async () => {
    touch();
    const { result } = await run('--permission-prompt-tool', 'mcp__judge__decide');
    expect(result.permission_denials).toHaveLength(1);
    const sent = JSON.stringify(stage.server.requests.at(-1)?.body);
    expect(sent).toContain('The permission prompt tool mcp__judge__decide gave no answer: ');
    expect(sent).not.toContain('The user declined');
  });

  it('refuses a tool that can be none of a server', async () => {
    expect(await refusedAfter('--permission-prompt-tool', 'judge')).toContain('mcp__SERVER__TOOL');
    expect(await refusedAfter('--permission-prompt-tool', 'stdio')).toContain('stream-json');
  });

  const refusedAfter = async (...args: string[]) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    return stderr;
  };
});
