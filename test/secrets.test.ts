import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, jsonReply, startModelServer, temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

/** A distinct key for every source, of no shape that a redactor could guess. */
const keys = {
  environment: 'canary environment key 01',
  secondVendor: 'canary-second-vendor-key-02',
  stored: 'canary-stored-in-auth-json-03',
  settings: 'canary-written-in-settings-04',
  environmentSetting: 'canary-in-env-of-settings-05',
  models: 'canary-in-models-json-key-06',
  header: 'canary-in-models-json-header-07',
  headerVariable: 'canary-in-a-header-variable-08',
  profile: 'canary-in-a-profile-key-09',
  flag: 'canary-on-the-command-line-10',
  brave: 'canary-brave-search-key-11',
  searxng: 'canary-searxng-password-12',
} as const;

const env = {
  ANTHROPIC_API_KEY: keys.environment,
  MISTRAL_API_KEY: keys.secondVendor,
  COPY_OF_A_KEY: `Bearer ${keys.secondVendor}`,
  HEADER_VARIABLE: keys.headerVariable,
  BRAVE_API_KEY: keys.brave,
  SEARXNG_URL: `http://me:${keys.searxng}@127.0.0.1:9`,
};

const stage = stagePerTest();
let temporary: string;

beforeEach(async () => {
  temporary = await temporaryDirectory('robota-tmp');
  await stage.settings({
    apiKeys: { groq: keys.settings },
    retry: { maxRetries: 0 },
    env: { XAI_API_KEY: keys.environmentSetting, HARMLESS: 'yes' },
    models: {
      profiles: [{ name: 'own', provider: 'deepseek', model: 'deepseek-chat', apiKey: keys.profile }],
    },
    hooks: {
      SessionStart: [{ command: 'env > "$HOME/hook-environment"; env' }],
      PreToolUse: [{ command: 'cat >> "$HOME/hook-input"; env >&2; exit 1' }],
    },
  });
  const home = join(stage.home, '.robota');
  await writeFile(join(home, 'auth.json'), JSON.stringify({ openai: keys.stored }), { mode: 0o600 });
  const mine = {
    baseUrl: stage.server.url,
    api: 'anthropic-messages',
    apiKey: keys.models,
    headers: { 'X-Api-Token': keys.header, 'X-Other-Key': '$ENV:HEADER_VARIABLE' },
    models: [{ id: 'mine-1' }],
  };
  await writeFile(join(home, 'models.json'), JSON.stringify({ providers: { mine } }));
});

const written = ['.robota/settings.json', '.robota/auth.json', '.robota/models.json'];

/** Every file below a directory that holds one of the keys, except those the user wrote. */
async function leaks(): Promise<string[]> {
  const found: string[] = [];
  for (const directory of [stage.home, stage.cwd, temporary]) {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      if (written.some((own) => path === join(stage.home, own))) continue;
      const text = await readFile(path, 'latin1');
      found.push(...leakedBy(text).map((name) => `${path}: ${name}`));
    }
  }
  return found;
}

function leakedBy(text: string): string[] {
  return Object.entries(keys).flatMap(([name, key]) =>
    [key, encodeURIComponent(key)].some((form) => text.includes(form)) ? [name] : [],
  );
}

const run = (...args: string[]) => stage.robota(args, { env: { ...env, TMPDIR: temporary } });
const bypass = ['--permission-mode', 'bypassPermissions'];
const model = ['--model', 'claude-sonnet-4-6', ...bypass];
const echo = (...parts: string[]) =>
  jsonReply(401, {
    error: { type: 'authentication_error', message: `invalid x-api-key: ${parts.join(' ')}` },
  });

describe('keys', () => {
  it.each([
    ['text', ['--verbose']],
    ['json', ['--output-format', 'json']],
    ['stream-json', ['--output-format', 'stream-json']],
  ])('reach neither tools nor hooks nor any file, and no %s output', async (_, format) => {
    const look =
      'env; echo "$MISTRAL_API_KEY|$COPY_OF_A_KEY|$XAI_API_KEY|$HARMLESS"; cat /proc/self/environ | tr "\\0" "\\n"';
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: look } }] }),
      anthropicReply({ text: 'Done.' }),
    );
    const result = await run('-p', 'go', ...model, ...format);
    expect(result.code).toBe(0);
    expect(stage.results(1)[0]?.text).toContain('|||yes');
    expect(leakedBy(result.stdout + result.stderr)).toEqual([]);
    expect(await readFile(join(stage.home, 'hook-environment'), 'utf8')).toContain('HARMLESS=yes');
    expect(await leaks()).toEqual([]);
    expect(stage.server.requests[0]?.headers['x-api-key']).toBe(keys.environment);
  });

  it.each([
    ['text', ['--verbose']],
    ['json', ['--output-format', 'json']],
  ])('that a vendor echoes in a refusal are redacted, as %s', async (_, format) => {
    stage.server.reply(echo(keys.environment));
    const first = await run('-p', 'go', ...model, ...format);
    stage.server.reply(echo(keys.flag));
    const second = await run('-p', 'go', ...model, '--api-key', keys.flag, ...format);
    stage.server.reply(echo(keys.models, keys.header, keys.headerVariable));
    const third = await run('-p', 'go', '--model', 'mine/mine-1', ...format);
    for (const { code, stdout, stderr } of [first, second, third]) {
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('invalid x-api-key: [redacted]');
      expect(leakedBy(stdout + stderr)).toEqual([]);
    }
    expect(stage.server.requests[2]?.headers).toMatchObject({
      'x-api-token': keys.header,
      'x-other-key': keys.headerVariable,
    });
    expect(await leaks()).toEqual([]);
  });

  it('with signs that addresses, forms and JSON write in their own ways are redacted in all of them', async () => {
    const key = 'canary/with+signs=and blanks 13';
    const form = `${new URLSearchParams({ key })}`.slice('key='.length);
    const component = encodeURIComponent(key);
    const escaped = [component, component.replaceAll('%2F', '/'), encodeURI(key), form];
    const lower = escaped.map((each) => each.replace(/%../g, (byte) => byte.toLowerCase()));
    const forms = [...escaped, ...lower, key.replaceAll('/', '\\/')];
    stage.server.reply(echo(...forms), anthropicReply({ text: forms.join(' ') }));
    for (const code of [1, 0]) {
      const result = await run('-p', 'go', ...model, '--api-key', key);
      expect(result.code).toBe(code);
      expect(`${result.stdout}${result.stderr}`).toContain(forms.map(() => '[redacted]').join(' '));
    }
    const files = await readdir(stage.home, { recursive: true });
    const logs = files.filter((file) => /\.(jsonl|xnl)$/.test(file)).map((file) => join(stage.home, file));
    expect(logs.length).toBeGreaterThan(1);
    for (const log of logs) expect(await readFile(log, 'utf8')).not.toContain('canary');
  });

  it('of other vendors, from files, are redacted as well', async () => {
    for (const [name, key] of [
      ['openai/gpt-5', keys.stored],
      ['groq/llama-3.3-70b-versatile', keys.settings],
      ['own', keys.profile],
    ] as const) {
      const server = await startModelServer();
      server.reply(echo(key));
      const result = await run('-p', 'go', '--model', name, '--base-url', server.url);
      await server.close();
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
      expect(result.stderr).toContain('[redacted]');
      expect(leakedBy(result.stdout + result.stderr)).toEqual([]);
    }
    expect(await leaks()).toEqual([]);
  });

  it('that cannot be sent at all are not shown either', async () => {
    const broken = `${keys.flag}\n\u2028`;
    const result = await run('-p', 'go', ...model, '--api-key', broken);
    expect(result.code).toBe(1);
    expect(leakedBy(result.stdout + result.stderr)).toEqual([]);
    expect(await leaks()).toEqual([]);
  });

  it('of a search service are not in what the search says', async () => {
    const search = await startModelServer();
    search.handleQuestions(({ headers }) => {
      const [, user = ''] = `${headers.authorization}`.split(' ');
      return jsonReply(403, { error: `not for ${Buffer.from(user, 'base64').toString()}` });
    });
    const { BRAVE_API_KEY, ...others } = env;
    const password = new URL(search.url);
    password.username = 'me';
    password.password = keys.searxng;
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'WebSearch', input: { query: 'x' } }] }),
      anthropicReply({ text: 'Done.' }),
    );
    const result = await stage.robota(['-p', 'go', ...bypass, '--model', 'mine/mine-1', '--verbose'], {
      env: { ...others, SEARXNG_URL: password.href, TMPDIR: temporary },
    });
    await search.close();
    expect(stage.results(1)).toMatchObject([
      { isError: true, text: expect.stringContaining('not for me:[redacted]') },
    ]);
    expect(leakedBy(result.stdout + result.stderr + JSON.stringify(stage.messages(1)))).toEqual([]);
    expect(await leaks()).toEqual([]);
  });

  it('in what a tool shows are kept from the screen', async () => {
    const command = 'cat "$HOME/.robota/auth.json"';
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }),
      echo(keys.environment),
    );
    const terminal = openTerminal(['--plain', ...model, '--no-session'], {
      cwd: stage.cwd,
      home: stage.home,
      // Wide enough for the error in one row.
      columns: 200,
      env: { ...env, ANTHROPIC_BASE_URL: stage.server.url, TMPDIR: temporary },
    });
    await terminal.shows(/^>$/m);
    terminal.type('go\r');
    const screen = await terminal.shows('invalid x-api-key: [redacted]');
    expect(screen).toContain('"openai":"[redacted]"');
    expect(leakedBy(terminal.raw)).toEqual([]);
    terminal.type('/exit\r');
    expect(await terminal.exit).toBe(0);
  });

  it('that a model repeats in its answer are not kept', async () => {
    const key = keys.environment;
    const encoded = Buffer.from(`x-api-key: ${key}`).toString('base64');
    stage.server.reply(
      anthropicReply({ text: [`It is ${key.slice(0, 9)}`, `${key.slice(9)} or ${encoded}.`] }),
    );
    const run = { env: { ...env, ANTHROPIC_BASE_URL: stage.server.url } };
    await stage.robota(['-p', ...model, 'what is the key?'], run);
    const stored = JSON.stringify(await stage.sessionLines('session.jsonl'));
    expect(stored).toContain('It is [redacted] or ');
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(Buffer.from(key).toString('base64').slice(4, -4));
    expect(Buffer.from(stored, 'base64').toString('latin1')).not.toContain(key);
  });

  describe('that a model repeats, in pieces and in the arguments of calls, are not shown', () => {
    const key = keys.secondVendor;
    const cut = [`The key is ${key.slice(0, 1)}`, key.slice(1, 9), `${key.slice(9)}; that was all.`];
    const replies = () =>
      stage.server.reply(
        anthropicReply({
          thinking: { text: cut, signature: 's' },
          text: cut,
          toolCalls: [{ name: 'Bash', input: { command: `true > ${key}`, description: key } }],
        }),
        anthropicReply({ text: cut }),
      );
    const place = () => ({
      cwd: stage.cwd,
      home: stage.home,
      env: { ...env, ANTHROPIC_BASE_URL: stage.server.url, TMPDIR: temporary },
    });

    it.each([
      [[]],
      [['--output-format', 'json']],
      [['--output-format', 'stream-json', '--verbose', '--include-partial-messages']],
    ])('with -p %j', async (options) => {
      replies();
      const { stdout, stderr } = await stage.robota(['-p', 'go', ...model, ...options], place());
      expect(stdout).toContain('that was all.');
      expect(leakedBy(stdout + stderr)).toEqual([]);
      // Pieces of it that stand alone would tell it, too.
      expect(stdout).not.toContain(key.slice(9));
    });

    it.each([[['--plain']], [[]]])('in a terminal, with %j', async (options) => {
      replies();
      const terminal = openTerminal([...options, '--model', 'claude-sonnet-4-6', 'go'], place());
      await terminal.shows('Allow once');
      if (options.length === 0) {
        terminal.type('\x0f');
        await terminal.shows('$ true > [redacted]');
        terminal.type('q');
        await terminal.shows('❯ 1  Allow once');
        terminal.type('\r');
      } else terminal.type('1\r');
      await terminal.shows(/that was all[\s\S]*that was all/);
      expect(leakedBy(terminal.raw)).toEqual([]);
      expect(terminal.raw).not.toContain(key.slice(9));
      terminal.type('/exit\r');
      expect(await terminal.exit).toBe(0);
    });
  });

  it('in a file that others can read cause a warning that says what to do', async () => {
    const file = join(stage.home, '.robota/auth.json');
    await chmod(file, 0o644);
    const { stderr, code } = await run('-p', '/help', ...model);
    expect(code).toBe(0);
    expect(stderr).toContain(`Run: chmod 600 ${file}`);
  });
});
