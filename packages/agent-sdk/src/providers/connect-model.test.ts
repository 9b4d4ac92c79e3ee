import { describe, expect, it } from 'vitest';
import type { InteractiveSessionOptions } from '../create-interactive-session.ts';
import { makePlace, type Place } from '../fixtures/place.ts';
import { openScripted } from '../fixtures/scripted-session.ts';

/** How the model of a session is reached. */
async function connect(place: Place, options: InteractiveSessionOptions = {}) {
  const { session, connections } = await openScripted(place, undefined, { apiKey: undefined, ...options });
  await session.submit('hi');
  await session.shutdown();
  return { ...connections[0], model: session.getSession().model };
}

describe('the way to a model', () => {
  it('P-56 a key comes from the flag, then the environment, then auth.json, then settings', async () => {
    const everywhere = await makePlace({ ANTHROPIC_API_KEY: 'from-environment' });
    const files = await makePlace();
    for (const { put } of [everywhere, files]) {
      await put('~/.robota/auth.json', { anthropic: { type: 'api_key', key: 'from-auth' } });
      await put('~/.robota/settings.json', { apiKeys: { anthropic: 'from-settings' } });
    }
    const settings = await makePlace({ KEY: 'from-variable' });
    await settings.put('~/.robota/settings.json', { apiKeys: { anthropic: '$ENV:KEY' } });
    expect(await connect(everywhere, { apiKey: 'from-flag' })).toMatchObject({ apiKey: 'from-flag' });
    expect(await connect(everywhere)).toMatchObject({ apiKey: 'from-environment' });
    expect(await connect(files)).toMatchObject({ apiKey: 'from-auth' });
    expect(await connect(settings)).toMatchObject({ apiKey: 'from-variable' });
  });

  it.each(['SILICONFLOW_API_KEY', 'SILICONFLOW_TOKEN'])(
    'E-20 %s overrides the key of the active profile',
    async (variable) => {
      const profile = { name: 'main', provider: 'siliconflow', model: 'a-model', apiKey: 'from-profile' };
      const config = { models: { active: 'main', profiles: [profile] } };
      const without = await makePlace();
      await without.put('~/.eidolon/config.json', config);
      expect(await connect(without, { model: undefined })).toMatchObject({
        vendor: 'siliconflow',
        apiKey: 'from-profile',
        model: { id: 'a-model', api: 'openai' },
      });
      const overridden = await makePlace({ [variable]: 'from-environment' });
      await overridden.put('~/.eidolon/config.json', config);
      expect(await connect(overridden, { model: undefined })).toMatchObject({ apiKey: 'from-environment' });
    },
  );

  it('P-57 a vendor of models.json is reached at its address with its key and headers', async () => {
    const place = await makePlace({ PROXY_KEY: 'k-proxy', TEAM: 'blue' });
    await place.put('~/.robota/models.json', {
      providers: {
        proxy: {
          baseUrl: 'https://proxy.example/v1',
          api: 'anthropic-messages',
          apiKey: 'PROXY_KEY',
          authHeader: true,
          headers: { 'x-team': '$ENV:TEAM' },
          models: [{ id: 'big' }],
        },
      },
    });
    expect(await connect(place, { model: 'proxy/big' })).toMatchObject({
      baseUrl: 'https://proxy.example/v1',
      apiKey: 'k-proxy',
      headers: { 'x-team': 'blue', authorization: 'Bearer k-proxy' },
    });
  });

  it('without a model named, the first vendor with a key is asked; without any, it says what to do', async () => {
    const place = await makePlace({ OPENAI_API_KEY: 'k-openai' });
    expect(await connect(place, { model: undefined })).toMatchObject({ vendor: 'openai' });
    const nothing = await makePlace();
    await expect(connect(nothing, { model: undefined })).rejects.toMatchObject({
      code: 'no-provider',
      message: expect.stringContaining('--model offline'),
    });
    await expect(connect(nothing, { model: 'claude-sonnet-4-6' })).rejects.toMatchObject({
      code: 'no-provider',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    await expect(connect(nothing, { model: 'cluade-sonnet-4-6' })).rejects.toMatchObject({
      code: 'unknown-model',
      message: expect.stringContaining('claude-sonnet-4-6'),
    });
  });

  it('a key and a base URL on the command line belong to that model only, not to its fallbacks', async () => {
    const place = await makePlace({ OPENAI_API_KEY: 'k-openai' });
    const options = { apiKey: 'k-flag', baseUrl: 'http://localhost:9', fallbackModels: ['openai/gpt-5'] };
    const script = [{ failure: { retryable: false } }, { text: 'from the fallback' }];
    const { session, connections } = await openScripted(place, script, options);
    await session.submit('hi');
    expect(connections).toMatchObject([
      { vendor: 'anthropic', baseUrl: 'http://localhost:9', apiKey: 'k-flag' },
      { vendor: 'openai', apiKey: 'k-openai' },
    ]);
    expect(connections[1]?.baseUrl).not.toContain('localhost');
    await session.shutdown();
  });
});
