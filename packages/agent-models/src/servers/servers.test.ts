import { findVendor, loadCatalogue } from '@robota-sdk/agent-core';
import { jsonReply, startModelServer } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { describe, expect, it } from 'vitest';
import { testConfig } from '../fixtures/test-config.ts';
import { configuredServers, modelInUse } from './configured-servers.ts';
import { keyOrigins } from './key-origins.ts';
import { listAddress, listServerModels } from './list-models.ts';
import { findLocalServers } from './local-servers.ts';
import { describeServed } from './served-model.ts';

const server = modelServerPerTest();

describe('listServerModels', () => {
  it('reads names and windows, and leaves out names that no list may show', async () => {
    server.handleQuestions(() =>
      jsonReply(200, {
        data: [
          { id: 'small', max_model_len: 8192 },
          { id: 'constructor' },
          { id: 'bell\u0007' },
          { id: '' },
          { id: 'x'.repeat(400) },
          'not an object',
        ],
      }),
    );
    const listing = await listServerModels({ baseUrl: server.url, api: 'openai', apiKey: 'k1' }, 5_000);
    expect(listing).toMatchObject({ ok: true, models: ['small', 'constructor'], windows: { small: 8192 } });
    expect(server.questions[0]).toMatchObject({ path: '/models', headers: { authorization: 'Bearer k1' } });
  });

  it('says why there is no list, and never shows the key', async () => {
    server.handleQuestions(() => jsonReply(401, { error: 'k1 is wrong' }));
    const address = { baseUrl: server.url, api: 'anthropic', apiKey: 'k1' } as const;
    expect(await listServerModels(address, 5_000)).toMatchObject({ ok: false, status: 401, why: 'HTTP 401' });
    expect(server.questions[0]).toMatchObject({
      path: '/v1/models?limit=100',
      headers: { 'x-api-key': 'k1' },
    });
    const gone = await startModelServer();
    await gone.close();
    expect(await listServerModels({ ...address, baseUrl: gone.url }, 5_000)).toMatchObject({
      ok: false,
      why: 'nothing answers there (connection refused)',
    });
  });

  it('follows no redirect, which would carry the key along', async () => {
    server.handleQuestions(({ path }) =>
      path === '/models'
        ? { status: 302, headers: { location: `${server.url}/elsewhere` }, chunks: [] }
        : jsonReply(200, { data: [{ id: 'stolen' }] }),
    );
    const listing = await listServerModels({ baseUrl: server.url, api: 'openai', apiKey: 'k1' }, 5_000);
    expect(listing).toMatchObject({ ok: false, status: 302 });
    expect(server.questions).toHaveLength(1);
  });

  it.each([
    ['anthropic', 'https://a.b/v1/', 'https://a.b/v1/models?limit=100'],
    ['google', 'https://a.b/v1beta', 'https://a.b/v1beta/models?pageSize=100'],
    ['ollama', 'http://a.b/api', 'http://a.b/v1/models'],
    ['openai', 'https://a.b/v1//', 'https://a.b/v1/models'],
  ] as const)('asks %s servers at their own address', (api, baseUrl, expected) => {
    expect(listAddress({ api, baseUrl })).toBe(expected);
  });
});

/** The list of llama.cpp's server for several models. */
function llamaRow(more: object) {
  return { data: [{ id: 'm', owned_by: 'llamacpp', context_length: 131_072, ...more }] };
}

interface LmStudioModel {
  readonly key: string;
  /** The windows of its loaded instances, by their names. */
  readonly loaded: Readonly<Record<string, number>>;
  readonly trained?: number;
}

/** The list of LM Studio 0.4, with one model and one for embeddings. */
function lmStudio({ key, loaded, trained = 131_072 }: LmStudioModel) {
  const instances = Object.entries(loaded).map(([id, tokens]) => ({
    id,
    config: { context_length: tokens },
  }));
  return {
    models: [
      { type: 'embedding', key: 'embed', loaded_instances: [], max_context_length: 2048 },
      {
        type: 'llm',
        key,
        loaded_instances: instances,
        max_context_length: trained,
        capabilities: { vision: true, trained_for_tool_use: false },
      },
    ],
  };
}

describe('describeServed', () => {
  const props = { default_generation_settings: { n_ctx: 1024 }, modalities: { vision: true } };

  it.each([
    ['llama.cpp', '/props', props],
    ['llama.cpp', '/models', llamaRow({ meta: { n_ctx: 1024, n_ctx_train: 131_072 } })],
    [
      'llama.cpp',
      '/models',
      llamaRow({ status: { value: 'unloaded', args: ['-t', '1', '--ctx-size', '1024'] } }),
    ],
    ['llama.cpp', '/models', llamaRow({ status: { args: ['--ctx-size', '0'] }, context_length: 1024 })],
    ['lmstudio', '/api/v0/models', { data: [{ id: 'm', loaded_context_length: 1024 }] }],
    ['lmstudio', '/api/v1/models', lmStudio({ key: 'm', loaded: { m: 1024, 'm:2': 512 } })],
    ['lmstudio', '/api/v1/models', lmStudio({ key: 'lab/m', loaded: { other: 512, m: 1024 } })],
    ['lmstudio', '/api/v1/models', lmStudio({ key: 'm', loaded: { a: 4096, b: 1024 } })],
    ['lmstudio', '/api/v1/models', lmStudio({ key: 'm', loaded: {}, trained: 1024 })],
    ['other', '/models', { data: [{ id: 'm', context_length: 1024 }] }],
  ])('finds the window that %s tells', async (name, path, body) => {
    server.handleQuestions((request) =>
      request.path.startsWith(path) ? jsonReply(200, body) : jsonReply(404, {}),
    );
    const address = { baseUrl: server.url, api: 'openai' } as const;
    const served = await describeServed({ address, model: 'm', isOwn: true });
    expect(served).toMatchObject({ server: name, tokens: 1024 });
  });

  it.each([
    [{ model_path: '/models/tiny-Q4.gguf' }, 'tiny-Q4'],
    [{ model_path: 'C:\\models\\tiny.gguf', model_alias: '' }, 'tiny'],
    [{ model_path: '/models/tiny.gguf', model_alias: 'my model' }, 'my model'],
    [{ model_path: '' }, undefined],
    [{ model_path: 3 }, undefined],
  ])('knows from llama.cpp, which tells %j, the name of the loaded model', async (told, name) => {
    server.handleQuestions(({ path }) =>
      path.startsWith('/props') ? jsonReply(200, { ...props, ...told }) : jsonReply(404, {}),
    );
    const address = { baseUrl: server.url, api: 'openai' } as const;
    expect((await describeServed({ address, model: 'default', isOwn: true }))?.name).toBe(name);
  });

  it('knows from LM Studio whether a model sees images', async () => {
    server.handleQuestions(({ path }) =>
      path === '/api/v1/models'
        ? jsonReply(200, lmStudio({ key: 'm', loaded: { m: 8192 } }))
        : jsonReply(404, {}),
    );
    const address = { baseUrl: `${server.url}/v1`, api: 'openai' } as const;
    expect(await describeServed({ address, model: 'm', isOwn: true })).toEqual({
      server: 'lmstudio',
      tokens: 8192,
      trained: 131_072,
      images: true,
    });
  });

  it('asks a server of a vendor only for its list, and takes broken answers for none', async () => {
    server.handleQuestions(() => ({ chunks: ['{"data": [{'] }));
    const address = { baseUrl: server.url, api: 'openai' } as const;
    expect(await describeServed({ address, model: 'm', isOwn: false })).toBeUndefined();
    expect(server.questions.map(({ path }) => path)).toEqual(['/models']);
  });
});

describe('findLocalServers', () => {
  it('finds a server where the environment says, with its models', async () => {
    server.handleQuestions(({ path }) =>
      path === '/v1/models' ? jsonReply(200, { data: [{ id: 'tiny' }] }) : jsonReply(404, {}),
    );
    const off = `${server.url}/off`;
    const env = { OLLAMA_HOST: server.url, LMSTUDIO_BASE_URL: off, LLAMA_CPP_BASE_URL: off };
    expect(await findLocalServers(testConfig({}, env))).toMatchObject([
      { vendor: { id: 'ollama' }, models: ['tiny'] },
    ]);
  });
});

describe('configuredServers', () => {
  const vendorOf = (id: string) => findVendor(loadCatalogue(), id);

  it('lists the server of the model in use first, then all with keys', () => {
    const config = testConfig(
      { model: 'groq/openai/gpt-oss-120b' },
      { ANTHROPIC_API_KEY: 'a', GROQ_API_KEY: 'g' },
    );
    expect(modelInUse(config)).toMatchObject({ ok: true, model: { vendor: 'groq' } });
    const servers = configuredServers(config);
    expect(servers.map(({ vendor }) => vendor.id)).toEqual(['groq', 'anthropic']);
    expect(servers[1]?.address).toMatchObject({ apiKey: 'a', baseUrl: vendorOf('anthropic')?.baseUrl });
    expect(servers[1]?.origin).toBe('https://api.anthropic.com is the usual one');
  });

  it('warns of a key that would be sent unencrypted, unless that is allowed or stays on this machine', () => {
    const problemWith = (baseUrl: string, settings = {}) =>
      configuredServers(
        testConfig({ baseUrls: { anthropic: baseUrl }, ...settings }, { ANTHROPIC_API_KEY: 'a' }),
      )[0]?.problem;
    expect(problemWith('http://10.0.0.1')).toBe('10.0.0.1 would be sent the key unencrypted');
    expect(problemWith('http://10.0.0.1', { allowInsecureHttp: true })).toBeUndefined();
    expect(problemWith('http://127.0.0.1:80')).toBeUndefined();
    expect(problemWith('https://10.0.0.1')).toBeUndefined();
  });

  it('says why no model can be used', () => {
    expect(modelInUse(testConfig({ model: 'anthropic/claude-sonnet-5-5' }))).toMatchObject({ ok: false });
  });
});

it('keyOrigins names where each key comes from and which ones it hides, without a key', () => {
  const config = testConfig(
    { apiKeys: { anthropic: 'written', groq: '$ENV:NOT_SET' } },
    { ANTHROPIC_API_KEY: 'variable' },
    { storedKeys: { anthropic: 'stored' }, keyFiles: { anthropic: '/home/user/auth.json' } },
  );
  const origins = keyOrigins(config);
  const of = (id: string) => origins.find(({ vendor }) => vendor.id === id);
  expect(of('anthropic')).toMatchObject({
    origin: 'ANTHROPIC_API_KEY',
    hidden: ['/home/user/auth.json', expect.any(String)],
  });
  expect(of('groq')).not.toHaveProperty('origin');
  expect(JSON.stringify(origins.map(({ vendor: _, ...rest }) => rest))).not.toMatch(
    /written|variable"|stored"/,
  );
});
