import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anthropicReply,
  jsonReply,
  type ModelServer,
  openaiChatReply,
  type RecordedRequest,
  startModelServer,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const stage = stagePerTest();
let local: ModelServer;
let terminal: Terminal | undefined;

beforeEach(async () => {
  local = await startModelServer();
});

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
  await local.close();
});

const enter = '\r';
const ctrlC = '\u0003';
const nobody = 'http://127.0.0.1:1/v1';
const noServers = { OLLAMA_HOST: nobody, LMSTUDIO_BASE_URL: nobody, LLAMA_CPP_BASE_URL: nobody };

/** Starts the command in a terminal where nothing is configured, and where no server is found unless given. */
function start(args: readonly string[] = [], env: Record<string, string> = {}): Terminal {
  terminal = openTerminal(['--plain', ...args], {
    cwd: stage.cwd,
    home: stage.home,
    env: { ...noServers, ...env },
  });
  return terminal;
}

/** A question that is shown to its end: earlier keys would not be taken for an answer. */
const asking = (title: string) =>
  new RegExp(`${title.replaceAll('?', '\\?')}[^\n]*(?:\n[^\n]+)*(?:\n>|\\(Enter[^)]*\\):?)$`);

const own = (name: string) => join(stage.home, '.robota', name);
const settings = async () => JSON.parse(await readFile(own('settings.json'), 'utf8'));

describe('the first run', () => {
  it('asks for a key that is never shown, checks it, asks for the language and continues', async () => {
    proves('C-80', 'C-81', 'C-82');
    stage.server.reply(anthropicReply({ text: 'ok' }), anthropicReply({ text: '안녕하세요.' }));
    const run = start([], { ANTHROPIC_BASE_URL: stage.server.url });
    await run.shows(asking('Which model would you like to use?'));
    run.type(`8${enter}`);
    await run.shows(asking('Which language should the answers be in?'));
    run.type(`ko${enter}`);
    await run.shows(/of the answers: ko\)\n[^\n]*\(Enter cancels\):$/);
    run.type(`1${enter}`);
    await run.shows(asking('The key for Anthropic'));
    run.type('sk-ant-first-key-1234x');
    run.type('\u007f');
    await run.shows(/> \*{21}$/);
    run.type(enter);
    await run.shows(/robota \d.* · Claude .* · default/);
    run.type(`hi${enter}`);
    await run.shows('안녕하세요.');
    expect(run.raw).not.toContain('sk-ant-first-key');
    expect(stage.server.requests[0]?.headers['x-api-key']).toBe('sk-ant-first-key-1234');
    expect(JSON.stringify(stage.server.requests[1]?.body)).toMatch(/Always respond in ko|Korean/i);
    expect(await settings()).toEqual({ model: expect.stringMatching(/^anthropic\//), language: 'ko' });
    expect(JSON.parse(await readFile(own('auth.json'), 'utf8'))).toEqual({
      anthropic: { type: 'api_key', key: 'sk-ant-first-key-1234' },
    });
    expect((await stat(own('auth.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(own('settings.json'))).mode & 0o777).toBe(0o600);
  });

  it('keeps a prompt that is typed at its question, and sends it to the model that is chosen', async () => {
    terminal = openTerminal([], { cwd: stage.cwd, home: stage.home, env: noServers });
    await terminal.shows(/── Welcome to Robota[\s\S]*enter select/);
    terminal.type('help');
    await terminal.shows(/You were typing\. enter send your text[\s\S]*\n> help\n/);
    terminal.type(enter);
    await terminal.shows(/◷ next: help\n[\s\S]*── Welcome/);
    terminal.type('\u001b[B');
    terminal.type('7');
    await terminal.shows('❯ 7  Offline');
    terminal.type(enter);
    await terminal.shows(/\n> help\n[\s\S]*● /);
    expect(await settings()).toEqual({ model: 'offline' });
  });

  it('a key that is refused is not kept, and can be typed again', async () => {
    proves('C-80');
    const refusal = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } };
    stage.server.reply(jsonReply(401, refusal), anthropicReply({ text: 'ok' }));
    const run = start([], { ANTHROPIC_BASE_URL: stage.server.url });
    await run.shows(asking('Which model would you like to use'));
    run.type(`8${enter}`);
    await run.shows('Enter alone means en');
    await run.shows(asking('Which language'));
    run.type(enter);
    await run.shows(/of the answers: en\)\n[^\n]*\(Enter cancels\):$/);
    run.type(`5${enter}`);
    await run.shows(asking('Which vendor'));
    run.type(`anthropic${enter}`);
    await run.shows(asking('The key for Anthropic'));
    run.type(`wrong-key-000000${enter}`);
    await run.shows('Anthropic refused the key.');
    await expect(readFile(own('auth.json'), 'utf8')).rejects.toThrow('ENOENT');
    run.type(`1${enter}`);
    await run.shows(/The key for Anthropic[\s\S]*The key for Anthropic/);
    run.type(`right-key-111111${enter}`);
    await run.shows(/robota \d.* · Claude/);
    expect(run.raw).not.toMatch(/wrong-key|right-key/);
    expect(await settings()).toMatchObject({ language: 'en' });
  });

  it('offers a server that runs on this machine first, and lists its models', async () => {
    proves('C-82');
    local.handleQuestions(({ path }) =>
      path === '/v1/models'
        ? jsonReply(200, { data: [{ id: 'qwen3:8b' }, { id: 'llama3.3' }] })
        : jsonReply(404, {}),
    );
    const run = start([], { OLLAMA_HOST: local.url });
    const choices = await run.shows(asking('Which model would you like to use'));
    expect(choices).toMatch(/1\. Ollama {2}\(running here: qwen3:8b, llama3\.3\)/);
    expect(choices).not.toContain('No model is configured');
    run.type(`1${enter}`);
    await run.shows(asking('Which model of Ollama?'));
    run.type(`2${enter}`);
    await run.shows(/robota .* · default/);
    expect(await settings()).toEqual({ model: 'ollama/llama3.3' });
  });

  it('sets up a server that speaks as OpenAI does, and talks to it', async () => {
    proves('C-80');
    const isKnown = ({ headers }: RecordedRequest) => headers.authorization === 'Bearer lab-key-1234';
    local.handleQuestions((request) => {
      const status = request.path === '/v1/models' ? 200 : 404;
      return isKnown(request)
        ? jsonReply(status, { data: [{ id: 'big' }, { id: 'small' }] })
        : jsonReply(401, {});
    });
    local.handle((request) => (isKnown(request) ? openaiChatReply({ text: 'hello' }) : jsonReply(401, {})));
    const run = start();
    await run.shows(asking('Which model would you like to use'));
    run.type(`6${enter}`);
    await run.shows(asking('Where is the server?'));
    run.type(`not an address${enter}`);
    await run.shows('"not an address" is not a URL.');
    // Only /v1/models answers there.
    run.type(`${local.url}${enter}`);
    await run.shows(asking('The key for 127.0.0.1'));
    run.type(`lab-key-1234${enter}`);
    await run.shows(asking('Which model?'));
    run.type(`2${enter}`);
    await run.shows(/robota .* · default/);
    run.type(`hi${enter}`);
    await run.shows('hello');
    expect(run.raw).not.toContain('lab-key');
    expect(JSON.stringify(await settings())).not.toContain('lab-key');
    expect(await settings()).toMatchObject({ model: 'server' });
    expect(local.requests.at(-1)).toMatchObject({ path: '/v1/chat/completions', body: { model: 'small' } });
  });

  it('the offline model does real work, and the next start asks nothing', async () => {
    await stage.file('src/a.ts', 'export const a = 1;\n');
    const run = start();
    expect(await run.shows(/7\. Offline .*not AI/)).toContain('none found');
    run.type(`4${enter}`);
    await run.shows('No local server found.');
    run.type(`offline${enter}`);
    await run.shows(/Written to .*settings\.json/);
    await run.shows(/\n>$/);
    run.type(`list the files in src${enter}`);
    await run.shows('a.ts');
    run.type(`/new${enter}`);
    await run.shows('New session');
    run.type(`/exit${enter}`);
    expect(await run.exit).toBe(0);
    const again = start();
    await again.shows(/robota .* · Offline/);
    expect(await again.screen()).not.toContain('Welcome');
  });

  it('ends with 2 and says what can be done where the user gives up, and writes nothing', async () => {
    const run = start();
    await run.shows(asking('Which model would you like to use'));
    run.type(enter);
    expect(await run.exit).toBe(2);
    expect(await run.screen()).toContain('ANTHROPIC_API_KEY');
    const second = start();
    await second.shows(asking('Which model would you like to use'));
    second.type(`1${enter}`);
    await second.shows(asking('The key for'));
    second.type(`half-a-key${ctrlC}`);
    await second.shows(/Which model would you like to use[\s\S]*Which model would you like to use/);
    second.type(ctrlC);
    expect(await second.exit).toBe(2);
    await expect(readFile(own('settings.json'), 'utf8')).rejects.toThrow('ENOENT');
  });

  it('says why a configured model cannot be used, and leaves the settings alone', async () => {
    const written = '{\n  "language": "ko",\n  "model": "sonnet"\n}\n';
    await stage.settings(written);
    const run = start();
    const shown = await run.shows(asking('Which model would you like to use in this session?'));
    expect(shown.replaceAll(/\s+/g, '')).toMatch(
      /"model"issonnet\(\S+settings\.json:3\)\.NokeyforAnthropic\.SetANTHROPIC_API_KEY/,
    );
    run.type(`offline${enter}`);
    await run.shows(/robota .* · Offline/);
    expect(await readFile(own('settings.json'), 'utf8')).toBe(written);
  });

  it('offers the language that is set', async () => {
    proves('C-81');
    await stage.settings({ language: 'ko' });
    const run = start();
    await run.shows(asking('Which model would you like to use?'));
    run.type(`8${enter}`);
    await run.shows('Enter alone means ko');
    await run.shows(asking('Which language'));
    run.type(enter);
    await run.shows(/of the answers: ko\)\n[^\n]*\(Enter cancels\):$/);
    run.type(`offline${enter}`);
    await run.shows(/robota .* · Offline/);
    expect(await settings()).toEqual({ language: 'ko', model: 'offline' });
  });

  it('appears only where no provider is configured anywhere, and never without a terminal', async () => {
    const piped = await stage.robota(['-p', 'hi'], { env: { ANTHROPIC_API_KEY: '' } });
    expect(piped.code).toBe(2);
    expect(piped.stderr).toContain('No model is configured');
    await stage.settings({ model: 'openai/gpt-5' });
    const other = start([], { ANTHROPIC_API_KEY: 'sk-other' });
    expect(await other.exit).toBe(2);
    expect(await other.screen()).toContain('No key for OpenAI');
    expect(await other.screen()).not.toContain('Welcome');
  });
});
