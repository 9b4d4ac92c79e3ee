import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { servedConfig } from '@robota-sdk/agent-models';
import { createInteractiveSession, discoverModels, loadConfig } from '@robota-sdk/agent-sdk/front-end';
import {
  type FakeLlama,
  type FakeOllama,
  jsonReply,
  type ModelServer,
  startFakeLlama,
  startFakeOllama,
  startModelServer,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let gateway: ModelServer;
let llama: FakeLlama;
let ollama: FakeOllama;
let home: string;
let asked: string[];

const rows = [{ id: 'big', max_model_len: 40_960 }, { id: 'plain' }, { id: 'text-embedding-small' }];

beforeEach(async () => {
  asked = [];
  vi.stubEnv('TEAM', 'blue');
  home = await temporaryDirectory('robota-home');
  gateway = await startModelServer();
  gateway.handleQuestions(({ path, headers }) => {
    asked.push(path);
    const isOurs = headers.authorization === 'Bearer lab-key' && headers['x-team'] === 'blue';
    const isList = path === '/v1/models' && isOurs;
    return isList ? jsonReply(200, { data: rows }) : jsonReply(404, {});
  });
  llama = await startFakeLlama({ window: 12_288, answer: () => [''] });
  ollama = await startFakeOllama({ models: [{ name: 'coder:30b', trained: 65_536 }], answer: () => ({}) });
  await mkdir(join(home, '.robota'), { recursive: true });
  const headers = { 'x-team': '$ENV:TEAM' };
  const lab = { baseUrl: `${new URL(gateway.url).host}/v1`, apiKey: 'lab-key', headers, models: [] };
  await writeFile(join(home, '.robota', 'models.json'), JSON.stringify({ providers: { lab } }), {
    mode: 0o600,
  });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([gateway.close(), llama.close(), ollama.close()]);
});

async function load(settings = {}) {
  await writeFile(join(home, '.robota', 'settings.json'), JSON.stringify(settings));
  const env = {
    TEAM: 'blue',
    OLLAMA_HOST: ollama.url,
    LLAMA_CPP_BASE_URL: `${llama.url}/v1`,
    LMSTUDIO_BASE_URL: 'http://127.0.0.1:1/v1',
  };
  return loadConfig(await temporaryDirectory(), { host: { env, home } });
}

describe('models that servers list', () => {
  it('come with their windows from every server of the user, and are kept for later sessions', async () => {
    const listed = await discoverModels(await load());
    const found = Object.fromEntries(listed.map(({ vendor, models }) => [vendor, models]));
    expect(found).toEqual({
      lab: [{ id: 'big', window: 40_960 }, { id: 'plain' }],
      ollama: [{ id: 'coder:30b', window: 65_536 }],
      'llama.cpp': [{ id: '/models/tiny.gguf', window: 12_288 }],
    });
    const kept = await readFile(join(home, '.robota', 'cache', 'served-models.json'), 'utf8');
    expect(kept).toContain('40960');
    expect(kept).not.toContain('lab-key');
    await Promise.all([gateway.close(), llama.close(), ollama.close()]);
    const config = await load({ model: 'offline' });
    const { catalogue } = await servedConfig({ config, terminal: {} });
    expect(catalogue.models).toContainEqual(
      expect.objectContaining({ vendor: 'lab', id: 'big', contextWindow: 40_960 }),
    );
    const quiet = await servedConfig({ config });
    expect(quiet).toBe(config);
  });

  it('tell a session the real window of its model, by a scheme-less address too', async () => {
    const config = await load({ model: 'lab/big' });
    const { catalogue } = await servedConfig({ config });
    expect(catalogue.models.find(({ id }) => id === 'big')).toMatchObject({ contextWindow: 40_960 });
    const windowOf = async (model: string) =>
      (await servedConfig({ config, model })).catalogue.models.find(
        ({ vendor, id }) => `${vendor}/${id}` === model,
      );
    expect(await windowOf('llama.cpp/default')).toMatchObject({
      name: 'tiny',
      contextWindow: 12_288,
      maxOutput: 3_072,
      compat: { server: 'llama.cpp' },
    });
    expect(await windowOf('ollama/coder:30b')).toMatchObject({ contextWindow: 32_768 });
  });

  it('have the window of their server, too, where a user chooses one during a session', async () => {
    const { host } = await load({ model: 'offline' });
    const cwd = await temporaryDirectory();
    const session = await createInteractiveSession({ host, cwd, store: 'none' });
    expect(await session.setModel('lab/big')).toMatchObject({ contextWindow: 40_960 });
    expect(await session.setModel('llama.cpp/default')).toMatchObject({
      contextWindow: 12_288,
      compat: { server: 'llama.cpp' },
    });
    const names = (await session.executeCommand('model', ''))?.message.split('\n');
    expect(names).toEqual(
      expect.arrayContaining(['  lab/big  big (40K)', '  ollama/coder:30b  coder:30b (32K)']),
    );
    const told = await session.executeCommand('model', 'llama.cpp/default');
    expect(told?.message).toContain('has a window of 12,288 tokens: it gets fewer tools');
    await session.shutdown();
  });

  it('are left out where their names would harm a list, and have no window that the server did not name', async () => {
    const ids = ['constructor', '__proto__', 'a\u001b[2Jb', 'two\nlines', '', 'x'.repeat(301), 7, null];
    const windows = [1e300, -5, '4096', 0.5, { toString: 1 }];
    const odd = windows.map((window, index) => ({ id: `odd-${index}`, max_model_len: window }));
    gateway.handleQuestions(() =>
      jsonReply(200, { data: [...ids.map((id) => ({ id })), ...odd, 'text', null] }),
    );
    const listed = await discoverModels(await load());
    const names = ['constructor', '__proto__', ...odd.map(({ id }) => id)];
    expect(listed.find(({ vendor }) => vendor === 'lab')?.models).toEqual(names.map((id) => ({ id })));
  });

  it('ask each server once, however many models and vendors it has', async () => {
    const ids = Array.from({ length: 11 }, (_, index) => ({ id: `model-${index}` }));
    gateway.handleQuestions(({ path }) => {
      asked.push(path);
      return path === '/v1/models' ? jsonReply(200, { data: ids }) : jsonReply(404, {});
    });
    const baseUrl = `${gateway.url}/v1`;
    const providers = { lab: { baseUrl, models: [] }, other: { baseUrl, models: [] } };
    await writeFile(join(home, '.robota', 'models.json'), JSON.stringify({ providers }), { mode: 0o600 });
    const listed = await discoverModels(await load());
    expect(listed.filter(({ models }) => models.length === 11)).toHaveLength(2);
    expect(
      asked
        .filter((path) => path !== '/v1/models')
        .map((path) => path.replace(/\?.*/, ''))
        .sort(),
    ).toEqual(['/api/ps', '/api/v0/models', '/api/v1/models', '/props']);
    expect(asked.filter((path) => path === '/v1/models')).toHaveLength(2);
  });

  it.each([
    ['a list without an object', rows],
    ['a list beside an empty field', { data: null, models: rows }],
    ['a list with repetitions', { data: [...rows, ...rows] }],
  ])('are found in %s', async (_, answer) => {
    gateway.handleQuestions(() => jsonReply(200, answer));
    const config = await load({ model: 'lab/big' });
    const lab = (await discoverModels(config)).find(({ vendor }) => vendor === 'lab');
    expect(lab?.models.map(({ id }) => id)).toEqual(['big', 'plain']);
    const { catalogue } = await servedConfig({ config });
    expect(catalogue.models.find(({ id }) => id === 'big')).toMatchObject({ contextWindow: 40_960 });
  });

  it.for([9931, 8080])('are found on the port %i of llama.cpp', async (port, { skip }) => {
    const server = createServer((request, response) => {
      const isList = request.url === '/v1/models';
      response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isList ? { data: [{ id: `on-${port}`, max_model_len: 8_192 }] } : {}));
    });
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, 'localhost', () => resolve(true));
    });
    if (!isFree) skip('another program of this machine uses the port');
    try {
      const env = { OLLAMA_HOST: ollama.url, LMSTUDIO_BASE_URL: 'http://127.0.0.1:1/v1' };
      const config = await loadConfig(await temporaryDirectory(), { host: { env, home } });
      const found = await discoverModels(config);
      expect(found.find(({ vendor }) => vendor === 'llama.cpp')).toMatchObject({
        baseUrl: `http://localhost:${port}/v1`,
        models: [{ id: `on-${port}`, window: 8_192 }],
      });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('are not asked for where the settings say so, nor for a vendor of the catalogue', async () => {
    const off = await load({ model: 'lab/big', discoverModels: false });
    expect(await servedConfig({ config: off })).toBe(off);
    expect(await discoverModels(off)).toEqual([]);
    const vendor = await load({ model: 'anthropic/claude-sonnet-4-6' });
    expect(await servedConfig({ config: vendor })).toBe(vendor);
    expect(asked).toEqual([]);
  });
});
