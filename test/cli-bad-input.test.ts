import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { anthropicReply, robotaBin, runRobota } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

/** Runs the command, expecting it to refuse before anything was asked; returns what it said. */
async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await stage.robota(args);
  expect({ code, stdout, args }).toEqual({ code: 2, stdout: '', args });
  expect(stage.server.requests).toHaveLength(0);
  expect(stderr).toMatch(/^robota: [^\n]+\n/);
  return stderr.slice('robota: '.length).trimEnd();
}

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the command line', () => {
  it.each([
    [['--modle', 'x'], 'Unknown option --modle. Did you mean --model?'],
    [['--output-fromat=json'], 'Unknown option --output-fromat. Did you mean --output-format?'],
    [['-x'], 'Unknown option -x. See: robota --help'],
    [['--model'], '--model needs a value: --model MODEL.'],
    [['--model', '--verbose'], '--model needs a value: --model MODEL.'],
    [['--session', '-c'], '--session needs a value: --session PATH.'],
    [['-r', '-c'], '--continue and --resume cannot be used together.'],
    [['--no-session=yes'], '--no-session takes no value.'],
    [
      ['--output-format', 'jsno'],
      '--output-format jsno: choose one of text, json, stream-json. Did you mean json?',
    ],
    [['--permission-mode', 'accept'], expect.stringContaining('choose one of plan, default, acceptEdits')],
    [['--max-turns', '0'], '--max-turns 0: expected an integer of at least 1.'],
    [['--max-turns', '1.5'], '--max-turns 1.5: expected an integer of at least 1.'],
    [['--max-cost', 'cheap'], '--max-cost cheap: expected a number above 0.'],
    [['-c', '-r', 'abc'], '--continue and --resume cannot be used together.'],
    [['--no-session', '-c'], '--no-session and --continue cannot be used together.'],
    [['--fork'], '--fork needs a session to copy: add --continue, --resume ID or --session PATH.'],
    [['--include-partial-messages'], expect.stringContaining('requires --output-format stream-json')],
    [['--model', 'offline/x'], 'Unknown model "offline/x". Without a server, only "offline" is available.'],
    [['--tools', 'Raed'], 'Unknown tool "Raed". Did you mean Read?'],
    [['--allow', 'Bash(npm test'], expect.stringContaining('no closing parenthesis')],
    [['--allow', 'Bash(a) b)'], expect.stringContaining('does not end at its closing parenthesis')],
    [
      ['--disallowedTools', 'Bash(rm *)x'],
      expect.stringContaining('does not end at its closing parenthesis'),
    ],
    [['--deny', 'rm -rf'], expect.stringContaining('does not start with a tool name')],
  ])('%j is refused with what to do', async (args, message) => {
    expect(await refused('-p', 'hi', ...args)).toEqual(message);
  });

  it('a value may begin with a dash where it is no option', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    expect(await stage.robota(['-p', 'hi', '--append-system-prompt', '- be kind'])).toMatchObject({
      code: 0,
    });
    expect(stage.server.requests[0]?.text).toContain('- be kind');
  });

  it('after -- everything is the prompt', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    await stage.robota(['-p', '--', '--what', 'is', '--this?']);
    expect(stage.messages(0)[0]?.content[0]?.text).toBe('--what is --this?');
  });

  it('no terminal and no prompt: says how to use it', async () => {
    const message = await refused();
    expect(message).toMatch(/^No terminal, and no prompt\..*robota -p "what does this project do\?"$/);
  });

  it.each([['-p'], ['-p', ''], ['-p', ' \n ']])('an empty prompt is none: %j', async (...args) => {
    expect(await refused(...args)).toMatch(/^Missing prompt\. .*robota -p/);
  });

  it('-r with what is no id, name or text of a session says where to look', async () => {
    const advice = '(id, name or text). robota sessions list --all shows all.';
    expect(await refused('-p', 'hi', '-r', 'abc')).toBe(`No session matches "abc" ${advice}`);
    expect(stage.server.requests).toHaveLength(0);
  });
});

describe('files', () => {
  it('--json-schema that cannot be read', async () => {
    const schema = (path: string) => refused('-p', 'hi', '--json-schema', path);
    expect(await schema('nope.json')).toBe(
      '--json-schema nope.json: no such file. Name a file, or give JSON itself.',
    );
    expect(await schema('.')).toMatch(/this is a directory/);
    await stage.file('broken.json', '{"type": ');
    expect(await schema('broken.json')).toMatch(/^--json-schema broken\.json is not JSON: .+ Correct it\.$/);
    await stage.file('list.json', '[]');
    expect(await schema('list.json')).toMatch(/expected an object/);
  });

  it('--cwd and --add-dir that are no directories', async () => {
    const nowhere = join(stage.cwd, 'nowhere');
    expect(await refused('-p', 'hi', '--cwd', 'nowhere')).toBe(
      `The directory ${nowhere} cannot be used: it does not exist. Correct the path.`,
    );
    await stage.file('a.txt', '');
    expect(await refused('-p', 'hi', '--cwd', 'a.txt')).toMatch(/a\.txt cannot be used: it is a file/);
    expect(await refused('-p', 'hi', '--add-dir', 'nowhere')).toMatch(/nowhere cannot be used/);
    for (const words of [
      ['doctor'],
      ['mcp', 'list'],
      ['plugin', 'list'],
      ['config', 'list'],
      ['permissions'],
    ]) {
      const place = [...words, '--cwd'];
      expect(await refused(...place, 'nowhere')).toBe(`--cwd ${nowhere}: no such directory.`);
      expect(await refused(...place, 'a.txt')).toMatch(/a\.txt: it is a file\.$/);
    }
  });

  it('--session with something that is no session', async () => {
    await mkdir(join(stage.cwd, 'folder'));
    await stage.file('notes.txt', 'not a session\n');
    for (const path of ['folder', 'notes.txt']) {
      const { code, stderr } = await stage.robota(['-p', 'hi', '--session', path]);
      expect(code).toBeGreaterThan(0);
      expect(stderr).toMatch(new RegExp(`^robota: .*${path}`));
    }
    expect(stage.server.requests).toHaveLength(0);
  });

  it.each([
    '-p hi --model offline',
    'config list',
    'sessions',
    'permissions list',
    'mcp list',
    'plugin list',
    'doctor --no-network',
  ])('a working directory that was removed: %s', async (words) => {
    const line = `mkdir gone; cd gone; rmdir ../gone; "${process.execPath}" "${robotaBin}" ${words} 2>&1`;
    const env = { ...process.env, HOME: stage.cwd };
    const { stdout, status } = spawnSync('bash', ['-c', line], { cwd: stage.cwd, encoding: 'utf8', env });
    expect({ stdout, status }).toEqual({
      stdout:
        'robota: The working directory no longer exists. Change to another one, or name one with --cwd.\n',
      status: 2,
    });
  });

  it.each([
    ['\\377\\330\\000\\001', 2, 'robota: Standard input is binary data, not text. Save it to a file, and'],
    ['\\377\\376h\\000e\\000l\\000p\\000', 0, 'I am the offline model'],
    ['help\\000', 0, 'I did not understand'],
  ])('standard input in another form than text: %s', (bytes, status, said) => {
    const line = `printf '${bytes}' | "${process.execPath}" "${robotaBin}" -p --model offline --no-session 2>&1`;
    const env = { ...process.env, HOME: stage.cwd };
    const result = spawnSync('bash', ['-c', line], { cwd: stage.cwd, encoding: 'utf8', env });
    expect(result.stdout).toContain(said);
    expect(result.status).toBe(status);
  });

  it.each(['-p help --model offline --no-session', '--help', '--version'])(
    'an answer of %s that could not be written is an error',
    (words) => {
      const line = `"${process.execPath}" "${robotaBin}" ${words} > /dev/full`;
      const { stderr, status } = spawnSync('bash', ['-c', line], { cwd: stage.cwd, encoding: 'utf8' });
      expect(stderr).toMatch(/^robota: the output could not be written: .*no space left/i);
      expect(status).toBe(1);
    },
  );

  it('settings that are no JSON: file, line and column, nothing runs', async () => {
    await stage.settings('{\n  "model": "claude-sonnet-4-6",\n  "language" "en"\n}\n');
    const message = await refused('-p', 'hi');
    expect(message).toContain(`${join(stage.home, '.robota/settings.json')}:3:`);
    expect(message).toContain('Correct it');
  });

  it('settings of a project that are no JSON are named and stop nothing, but no call runs without a question', async () => {
    await stage.file('.robota/settings.json', '{"permissions": {"deny": ["Bash(rm *)"}}');
    const call = { name: 'Bash', input: { command: 'rm -f x' } };
    stage.server.reply(anthropicReply({ toolCalls: [call] }), anthropicReply({ text: 'Done.' }));
    const flags = ['--model', 'claude-sonnet-4-6', '--permission-mode', 'bypassPermissions'];
    const { code, stderr } = await stage.robota(['-p', 'hi', ...flags]);
    expect(code).toBe(0);
    expect(stderr).toContain(`${join(stage.cwd, '.robota/settings.json')}:1:`);
    expect(stderr).toContain('Its rules may deny something, so every call needs your approval.');
    expect(stage.results(1)[0]).toMatchObject({ isError: true });
  });

  it('an unreadable deny rule stops it, with file and line', async () => {
    await stage.settings('{\n  "permissions": {\n    "deny": [\n      "Bash(rm *"\n    ]\n  }\n}\n');
    expect(await refused('-p', 'hi')).toMatch(/settings\.json:4.*no closing parenthesis/);
  });

  it('auth.json and models.json that are no JSON are named, not taken for missing', async () => {
    await mkdir(join(stage.home, '.robota'));
    for (const name of ['auth.json', 'models.json']) {
      await writeFile(join(stage.home, '.robota', name), '{');
      expect(await refused('-p', 'hi')).toContain(`${name}:1:`);
      await writeFile(join(stage.home, '.robota', name), '{}');
    }
  });
});

describe('models and servers', () => {
  it('an unknown model comes with near names', async () => {
    expect(await refused('-p', 'hi', '--model', 'claude-sonet-4-6')).toMatch(
      /^Unknown model "claude-sonet-4-6"\. Did you mean claude-sonnet-4-6/,
    );
    expect(await refused('-p', 'hi', '--model', 'anthropci/claude-opus-4-6')).toBe(
      'Unknown vendor "anthropci". Did you mean anthropic?',
    );
    expect(await refused('-p', 'hi', '--model', 'nobody/llama')).toMatch(/The vendors are anthropic, openai/);
    expect(await refused('-p', 'hi', '--fallback-model', 'gtp-5')).toMatch(/Unknown model "gtp-5"/);
  });

  it.each([
    ['gpt-5', 'OPENAI_API_KEY'],
    ['gemini-2.5-pro', 'GEMINI_API_KEY'],
    ['deepseek/deepseek-chat', 'DEEPSEEK_API_KEY'],
  ])('%s without a key names %s', async (model, variable) => {
    const { code, stdout, stderr } = await runRobota(['-p', 'hi', '--model', model], { cwd: stage.cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Set ${variable}`);
    expect(stderr).toContain('--model offline');
  });

  it.each([
    ['ollama', 'ollama serve', 'OLLAMA_HOST', ''],
    ['llama.cpp', 'llama-server -m FILE.gguf --jinja', 'LLAMA_CPP_BASE_URL', '/v1'],
  ])('%s that does not run is said at once, with what to do', async (...[vendor, start, variable, path]) => {
    const host = `127.0.0.1:${await closedPort()}`;
    const env = { [variable]: `${host}${path}` };
    const { code, stderr } = await stage.robota(['-p', 'hi', '--model', `${vendor}/llama3`], { env });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `robota: ${vendor}: nothing answers at ${host} (connection refused). Start it with \`${start}\`, or set ${variable} to its address.\n`,
    );
  });

  it('another server that is not there names its address', async () => {
    const port = await closedPort();
    const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const { code, stderr } = await stage.robota(['-p', 'hi'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain(`nothing answers at 127.0.0.1:${port}`);
    expect(stderr).not.toContain('retry');
  });

  it('a base URL that is none is named', async () => {
    const { code, stderr } = await stage.robota(['-p', 'hi', '--base-url', 'example']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('"example" is not a URL. Write it with its scheme, such as https://');
  });

  it('a refused prompt is not lost: it is in the session that -c continues with', async () => {
    stage.server.reply({ status: 401, headers: {}, chunks: ['{"error":{"message":"bad key"}}'] });
    const failed = await stage.robota(['-p', 'a long and careful prompt']);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('the key was refused');
    stage.server.reply(anthropicReply({ text: 'ok' }));
    await stage.robota(['-p', 'go on', '-c']);
    expect(JSON.stringify(stage.messages(1))).toContain('a long and careful prompt');
  });
});
