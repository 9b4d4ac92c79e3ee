import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, jsonReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const stage = stagePerTest();
let terminal: Terminal | undefined;

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
});

const auth = () => join(stage.home, '.robota', 'auth.json');
const kept = async () => JSON.parse(await readFile(auth(), 'utf8'));
const withoutKey = () => ({ ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: stage.server.url });
const refusal = () =>
  jsonReply(401, { error: { type: 'authentication_error', message: 'invalid x-api-key' } });

/** Runs the command with a key on standard input. */
function login(words: readonly string[], input: string) {
  return stage.robota(['login', ...words], { input, env: withoutKey() });
}

describe('robota login', () => {
  it('keeps a key that the vendor takes, for the user alone, beside what is there', async () => {
    proves('P-56');
    await mkdir(join(stage.home, '.robota'));
    await writeFile(auth(), '{\n  // work\n  "groq": { "type": "api_key", "key": "gsk" }\n}\n', {
      mode: 0o644,
    });
    stage.server.reply(anthropicReply({ text: 'ok' }));
    const { code, stdout, stderr } = await login(['anthropic', '--key-from-stdin'], ' sk-ant-piped-12345 \n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stage.server.requests[0]?.headers['x-api-key']).toBe('sk-ant-piped-12345');
    expect(await readFile(auth(), 'utf8')).toContain('// work');
    expect(await readFile(auth(), 'utf8')).toContain('"sk-ant-piped-12345"');
    expect((await stat(auth())).mode & 0o777).toBe(0o600);
    stage.server.reply(anthropicReply({ text: 'Hello.' }));
    expect((await stage.robota(['-p', 'hi'], { env: withoutKey() })).stdout).toBe('Hello.\n');
    expect(stdout).not.toContain('piped');
  });

  it('does not keep a key that is refused, nor one that could not be tried, unless told to', async () => {
    proves('P-56');
    stage.server.reply(refusal(), jsonReply(500, { error: { message: 'down' } }));
    const refused = await login(['anthropic', '--key-from-stdin'], 'sk-ant-wrong-12345');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/the key was refused.*Nothing was saved/);
    expect((await login(['anthropic', '--key-from-stdin'], 'sk-ant-wrong-12345')).stderr).toContain(
      'HTTP 500',
    );
    expect(refused.stderr).not.toContain('sk-ant-wrong');
    await expect(kept()).rejects.toThrow('ENOENT');
    expect((await login(['anthropic', '--key-from-stdin', '--no-check'], 'sk-ant-wrong-12345')).code).toBe(0);
    expect(await kept()).toEqual({ anthropic: { type: 'api_key', key: 'sk-ant-wrong-12345' } });
    expect(stage.server.requests).toHaveLength(2);
  });

  it.each([
    [['antropic', '--key-from-stdin'], 'Did you mean anthropic?'],
    [['ollama', '--key-from-stdin'], 'needs no key'],
    [['--key-from-stdin'], 'Missing vendor'],
    [['anthropic'], 'No terminal'],
    [['anthropic', 'openai'], 'takes one vendor'],
    [['page', 'is', 'broken'], 'Put a prompt in quotes'],
  ])('%j is refused with what to do', async (words, message) => {
    proves('P-56');
    const { code, stderr } = await login(words, 'sk-1');
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('lists where keys come from and never a key, and logout takes one out', async () => {
    proves('P-56');
    await login(['openai', '--key-from-stdin', '--no-check'], 'sk-openai-stored-1');
    const env = { ANTHROPIC_API_KEY: 'sk-ant-environment-1' };
    const { stdout } = await stage.robota(['login', '--list'], { env });
    expect(stdout).toMatch(/^anthropic +ANTHROPIC_API_KEY$/m);
    expect(stdout).toMatch(/^openai +.*auth\.json$/m);
    expect(stdout).toMatch(/^groq +no key$/m);
    const listed = await stage.robota(['login', '--list', '--json'], { env });
    expect(JSON.parse(listed.stdout)).toContainEqual({ vendor: 'groq', name: 'Groq', key: null, hidden: [] });
    expect(stdout + listed.stdout).not.toContain('sk-');
    expect((await stage.robota(['logout', 'openai'])).stdout).toContain('is gone from');
    expect(await kept()).toEqual({});
    expect(await stage.robota(['logout', 'openai'])).toMatchObject({ code: 2 });
  });

  it('asks in a terminal with asterisks, takes a pasted key and can be given up', async () => {
    proves('C-80', 'P-56');
    stage.server.reply(refusal(), anthropicReply({ text: 'ok' }));
    const env = { ANTHROPIC_BASE_URL: stage.server.url };
    terminal = openTerminal(['login', 'anthropic'], { cwd: stage.cwd, home: stage.home, env });
    await terminal.shows('The key for Anthropic');
    terminal.type('wrong-key-12345\r');
    await terminal.shows('Anthropic refused the key.');
    terminal.type('1\r');
    await terminal.shows(/The key for Anthropic[\s\S]*The key for Anthropic/);
    terminal.type('export ANTHROPIC_API_KEY="sk-ant-pasted-123"\r');
    await terminal.shows('The key for Anthropic is saved.');
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw).not.toMatch(/wrong-key|sk-ant-pasted/);
    expect(await terminal.screen()).toContain('***');
    expect(await kept()).toMatchObject({ anthropic: { key: 'sk-ant-pasted-123' } });
    terminal = openTerminal(['login', 'groq'], { cwd: stage.cwd, home: stage.home, env });
    await terminal.shows('The key for Groq');
    terminal.type('half\u0003');
    expect(await terminal.exit).toBe(2);
    expect(await kept()).not.toHaveProperty('groq');
  });

  it('says that an answer fits no vendor, and asks again', async () => {
    proves('P-56');
    terminal = openTerminal(['login'], { cwd: stage.cwd, home: stage.home });
    await terminal.shows('Which vendor is the key for?');
    terminal.type('antropic\r');
    await terminal.shows('No vendor is called "antropic". Did you mean anthropic?');
    terminal.type('anthropic\r');
    await terminal.shows('The key for Anthropic');
    terminal.type('\u0003');
    expect(await terminal.exit).toBe(2);
  });

  it('a sign-in of another program is named and not used: keys are what robota login keeps', async () => {
    proves('P-56', 'P-58');
    await mkdir(join(stage.home, '.robota'));
    await writeFile(auth(), '{"anthropic": {"type": "oauth", "access": "tok-123", "refresh": "r"}}', {
      mode: 0o600,
    });
    const { code, stderr } = await stage.robota(['-p', 'hi'], { env: { ANTHROPIC_API_KEY: '' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/"anthropic" is a sign-in .*robota login anthropic/);
    expect(stderr).not.toContain('tok-123');
  });
});
