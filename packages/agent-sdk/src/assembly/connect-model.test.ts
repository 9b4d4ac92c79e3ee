import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorReport } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSessionOptions } from '../session/create-interactive-session.ts';

/** How the model of a session is reached. */
async function connect(place: TestProject, options: InteractiveSessionOptions = {}) {
  const { session, connections } = await openScripted(place, undefined, { apiKey: undefined, ...options });
  await session.submit('hi');
  await session.shutdown();
  return { ...connections[0], model: session.getSession().model };
}

describe('the way to a model', () => {
  it('a key comes from the flag, then the environment, then auth.json, then settings', async () => {
    proves('P-56');
    const everywhere = await makeTestProject({ ANTHROPIC_API_KEY: 'from-environment' });
    const files = await makeTestProject();
    for (const { put } of [everywhere, files]) {
      await put('~/.robota/auth.json', { anthropic: { type: 'api_key', key: 'from-auth' } });
      await put('~/.robota/settings.json', { apiKeys: { anthropic: 'from-settings' } });
    }
    const settings = await makeTestProject({ KEY: 'from-variable' });
    await settings.put('~/.robota/settings.json', { apiKeys: { anthropic: '$ENV:KEY' } });
    expect(await connect(everywhere, { apiKey: 'from-flag' })).toMatchObject({ apiKey: 'from-flag' });
    expect(await connect(everywhere)).toMatchObject({ apiKey: 'from-environment' });
    expect(await connect(files)).toMatchObject({ apiKey: 'from-auth' });
    expect(await connect(settings)).toMatchObject({ apiKey: 'from-variable' });
  });

  it('ANTHROPIC_AUTH_TOKEN is a bearer token for Anthropic or a gateway, below ANTHROPIC_API_KEY', async () => {
    proves('P-56');
    const gateway = { ANTHROPIC_AUTH_TOKEN: 'tok-secret-1', ANTHROPIC_BASE_URL: 'https://gate.example' };
    const place = await makeTestProject(gateway);
    const reached = await connect(place, { model: undefined });
    expect(reached).toMatchObject({
      vendor: 'anthropic',
      baseUrl: 'https://gate.example',
      headers: { authorization: 'Bearer tok-secret-1' },
    });
    expect(reached.apiKey).toBe(undefined);
    const both = await connect(await makeTestProject({ ...gateway, ANTHROPIC_API_KEY: 'key-1' }));
    expect(both).toMatchObject({ apiKey: 'key-1', headers: {} });
    expect(both.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['ollama/qwen3:8b', 'http://127.0.0.1:9', ['readAhead']],
    ['ollama/qwen3:8b', 'http://ollama.invalid:11434', []],
    ['ollama/gpt-oss:120b-cloud', 'http://127.0.0.1:9', []],
    ['openai/gpt-5', 'http://127.0.0.1:9', []],
    ['anthropic/claude-sonnet-4-6', 'http://127.0.0.1:9', ['prepare']],
  ])('%s at %s before a prompt can %s', async (model, baseUrl, abilities) => {
    const { createInteractiveSession } = await import('../session/create-interactive-session.ts');
    const { cwd, host } = await makeTestProject();
    const options = {
      cwd,
      host,
      model,
      baseUrl,
      apiKey: 'k',
      allowInsecureHttp: true,
      store: 'none',
    } as const;
    const session = await createInteractiveSession(options);
    const { provider } = session.getSession().models[0];
    expect((['readAhead', 'prepare'] as const).filter((name) => provider[name])).toEqual(abilities);
    await session.shutdown();
  });

  it.each(['SILICONFLOW_API_KEY', 'SILICONFLOW_TOKEN'])(
    '%s overrides the key of the active profile',
    async (variable) => {
      proves('E-20');
      const profile = { name: 'main', provider: 'siliconflow', model: 'a-model', apiKey: 'from-profile' };
      const config = { models: { active: 'main', profiles: [profile] } };
      const without = await makeTestProject();
      await without.put('~/.eidolon/config.json', config);
      expect(await connect(without, { model: undefined })).toMatchObject({
        vendor: 'siliconflow',
        apiKey: 'from-profile',
        model: { id: 'a-model', api: 'openai' },
      });
      const overridden = await makeTestProject({ [variable]: 'from-environment' });
      await overridden.put('~/.eidolon/config.json', config);
      expect(await connect(overridden, { model: undefined })).toMatchObject({ apiKey: 'from-environment' });
    },
  );

  it('a vendor of models.json is reached at its address with its key and headers', async () => {
    proves('P-57');
    const place = await makeTestProject({ PROXY_KEY: 'k-proxy', TEAM: 'blue' });
    await place.put('~/.robota/models.json', {
      providers: {
        proxy: {
          baseUrl: 'https://proxy.example/v1',
          api: 'anthropic-messages',
          apiKey: 'PROXY_KEY',
          authHeader: true,
          headers: {
            'x-team': '$ENV:TEAM',
            'x-short': '$TEAM',
            'x-bearer': 'Team $ENV:TEAM',
            'x-plain': 'BETA_1',
          },
          models: [{ id: 'big' }],
        },
      },
    });
    expect(await connect(place, { model: 'proxy/big' })).toMatchObject({
      baseUrl: 'https://proxy.example/v1',
      apiKey: 'k-proxy',
      headers: {
        'x-team': 'blue',
        'x-short': 'blue',
        'x-bearer': 'Team blue',
        'x-plain': 'BETA_1',
        authorization: 'Bearer k-proxy',
      },
    });
  });

  it('a model that two vendors offer is asked of the one there is a key for', async () => {
    proves('P-32', 'P-51');
    const place = await makeTestProject();
    await place.put('~/.rab/agent/auth.json', { opencode_go: { type: 'api_key', key: 'k-opencode' } });
    const reached = await connect(place, { model: 'deepseek-v4-pro' });
    expect(reached).toMatchObject({ vendor: 'opencode-go', apiKey: 'k-opencode' });
    const both = await makeTestProject({ DEEPSEEK_API_KEY: 'k-deepseek', OPENCODE_API_KEY: 'k-opencode' });
    expect(await connect(both, { model: 'deepseek-v4-pro' })).toMatchObject({ vendor: 'deepseek' });
    expect(await connect(both, { model: 'opencode_go/deepseek-v4-pro' })).toMatchObject({
      vendor: 'opencode-go',
    });
  });

  it('the model of another tool is named with what it lacks, where there is no other', async () => {
    proves('P-51', 'P-55');
    const place = await makeTestProject();
    const settings = { defaultProvider: 'opencode_go', defaultModel: 'deepseek-v4-pro' };
    await place.put('~/.rab/agent/settings.json', settings);
    await expect(connect(place, { model: undefined })).rejects.toThrow('No key for OpenCode');
  });

  it('a stored key may be the name of a variable, with a dollar sign or without', async () => {
    proves('P-56');
    const model = 'groq/some-model';
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable as shells write it.
    for (const key of ['MY_GROQ_KEY', '$MY_GROQ_KEY', '${MY_GROQ_KEY}', '$ENV:MY_GROQ_KEY']) {
      const named = await makeTestProject({ MY_GROQ_KEY: 'k-groq' });
      await named.put('~/.pi/agent/auth.json', { groq: { type: 'api_key', key } });
      expect(await connect(named, { model })).toMatchObject({ apiKey: 'k-groq' });
      const unset = await makeTestProject();
      await unset.put('~/.pi/agent/auth.json', { groq: { type: 'api_key', key } });
      await expect(connect(unset, { model })).rejects.toThrow('MY_GROQ_KEY is not set');
    }
  });

  it('a command of the user prints a key or a header once, outside the project, and it is hidden', async () => {
    proves('P-56', 'P-57');
    const place = await makeTestProject();
    const runs = join(place.home, 'runs');
    const lab = { baseUrl: 'https://lab.example/v1', api: 'openai-completions', models: [{ id: 'big' }] };
    await place.put('~/.pi/agent/models.json', {
      providers: { lab: { ...lab, headers: { 'x-team': '!echo blue' } } },
    });
    await place.put('~/.pi/agent/auth.json', {
      lab: { type: 'api_key', key: `!echo $PWD >> "${runs}"; echo k-printed-1234` },
    });
    const { session, connections } = await openScripted(place, undefined, {
      apiKey: undefined,
      model: 'lab/big',
    });
    expect(existsSync(runs)).toBe(false);
    await session.submit('hi');
    await session.submit('again');
    expect(connections[0]).toMatchObject({ apiKey: 'k-printed-1234', headers: { 'x-team': 'blue' } });
    expect(readFileSync(runs, 'utf8').split('\n')).toHaveLength(2);
    expect(readFileSync(runs, 'utf8')).not.toContain(place.cwd);
    expect(session.redact('the key is k-printed-1234')).toBe('the key is [redacted]');
    await session.shutdown();
  });

  it('a command that fails is a failure that names it, and the next request runs it again', async () => {
    proves('P-57');
    const place = await makeTestProject();
    const ready = join(place.home, 'ready');
    await place.put('~/.rab/agent/auth.json', {
      groq: {
        type: 'api_key',
        key: `!test -e "${ready}" || { echo locked-secret | tee /dev/stderr; exit 3; }; echo k-unlocked`,
      },
    });
    const options = { apiKey: undefined, model: 'groq/some-model' };
    const { session, connections } = await openScripted(place, undefined, options);
    const { error } = await session.getSession().prompt([{ type: 'text', text: 'hi' }]);
    expect(error?.message).toContain('The command for the key, test, failed (exit code 3).');
    writeFileSync(ready, '');
    await session.submit('again');
    expect(connections).toMatchObject([{ apiKey: 'k-unlocked' }]);
    await session.shutdown();
  });

  it('a command in a file of the repository is never run, trusted or not', async () => {
    proves('P-57');
    const place = await makeTestProject();
    const ran = join(place.home, 'ran');
    const stolen = `!touch "${ran}"; echo k`;
    await place.put('.robota/settings.json', {
      apiKeys: { groq: stolen },
      models: { active: 'p', profiles: [{ name: 'p', provider: 'groq', model: 'm', apiKey: stolen }] },
    });
    await place.put('.pi/auth.json', { groq: { type: 'api_key', key: stolen } });
    await place.put('.pi/models.json', { providers: { groq: { apiKey: stolen } } });
    await expect(connect(place, { model: 'groq/m', trustProject: true })).rejects.toThrow('No key for Groq');
    expect(existsSync(ran)).toBe(false);
  });

  it('a variable or an option whose value begins with an exclamation mark is a key and no command', async () => {
    const place = await makeTestProject({ GROQ_API_KEY: '!touch nothing' });
    expect(await connect(place, { model: 'groq/m' })).toMatchObject({ apiKey: '!touch nothing' });
    expect(await connect(place, { model: 'groq/m', apiKey: '!false' })).toMatchObject({ apiKey: '!false' });
  });

  it('a password of a proxy and the secrets of clouds are hidden, and stay in the environment of commands', async () => {
    const place = await makeTestProject({
      HTTPS_PROXY: 'http://user:sword%40fish-4711-0815@proxy.example:3128',
      AWS_SECRET_ACCESS_KEY: 'aws-secret-1234-5678-9012',
    });
    const message = 'The server said: sword@fish-4711-0815 and aws-secret-1234-5678-9012.';
    const failure = { code: 'network', message, retryable: false } as const;
    const { session } = await openScripted(place, [{ failure }, { failure }]);
    const { error } = await session.getSession().prompt([{ type: 'text', text: 'hi' }]);
    expect(error?.message).toContain('The server said');
    expect(error?.message).not.toMatch(/sword|aws-secret/);
    await session.shutdown();
  });

  it('without a model named, the first vendor with a key is asked; without any, it says what to do', async () => {
    const place = await makeTestProject({ OPENAI_API_KEY: 'k-openai' });
    expect(await connect(place, { model: undefined })).toMatchObject({ vendor: 'openai' });
    const nothing = await makeTestProject();
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

  it('what is wrong in models.json is said with the model it makes unknown', async () => {
    proves('P-57', 'E-23');
    const place = await makeTestProject();
    const lab = { baseUrl: 'https://lab.example/v1', api: 'openai-compl', models: [{ id: 'big' }] };
    const file = await place.put('~/.robota/models.json', { providers: { lab } });
    const failed = connect(place, { model: 'lab/big' });
    await expect(failed).rejects.toMatchObject({ code: 'unknown-model' });
    await expect(failed).rejects.toThrow('Unknown vendor "lab"');
    const problem = {
      source: { file },
      message: expect.stringMatching(/^providers\.lab\.api: expected one of .*got the string "openai-compl"/),
    };
    await expect(failed).rejects.toMatchObject({ problems: [problem] });
    await expect(failed).rejects.not.toThrow(file);
    expect(errorReport(await failed.catch((thrown: unknown) => thrown))).toContain(`\nwarning: ${file}: `);
    const bare = await makeTestProject();
    await bare.put('~/.robota/settings.json', { modle: 'sonnet' });
    await expect(connect(bare, { model: undefined })).rejects.toMatchObject({
      message: expect.not.stringContaining('modle'),
      problems: [expect.objectContaining({ hint: 'Did you mean "model"?' })],
    });
  });

  it('the name of a variable that is not set is never sent as a key', async () => {
    proves('P-57');
    const place = await makeTestProject({ SET_KEY: 'k-set' });
    const lab = { baseUrl: 'https://lab.example/v1', models: [{ id: 'big' }] };
    await place.put('~/.robota/models.json', {
      providers: {
        lab: { ...lab, apiKey: 'LAB_KEY' },
        set: { ...lab, apiKey: 'SET_KEY' },
        any: { ...lab, apiKey: 'EMPTY' },
        headed: { ...lab, headers: { 'x-team': '$ENV:TEAM' } },
        short: { ...lab, headers: { 'x-team': '$TEAM' } },
        inside: { ...lab, headers: { 'x-team': '$ENV:SET_KEY $ENV:TEAM' } },
      },
    });
    const profile = { name: 'work', provider: 'own', baseUrl: 'https://own.example', model: 'm' };
    await place.put('~/.robota/settings.json', {
      models: { active: 'work', profiles: [{ ...profile, apiKey: '$ENV:SF_KEY' }] },
    });
    await expect(connect(place, { model: 'lab/big' })).rejects.toThrow(
      'the environment variable LAB_KEY is not set (from models.json)',
    );
    await expect(connect(place, { model: 'work' })).rejects.toThrow(
      'the profile "work": the environment variable SF_KEY is not set',
    );
    for (const name of ['headed', 'short', 'inside'])
      await expect(connect(place, { model: `${name}/big` })).rejects.toThrow('variable TEAM is not set');
    expect(await connect(place, { model: 'set/big' })).toMatchObject({ apiKey: 'k-set' });
    expect(await connect(place, { model: 'any/big' })).toMatchObject({ apiKey: 'EMPTY' });
  });

  it('a name that was only guessed to be one of Ollama says so when it cannot be reached', async () => {
    const failure = { code: 'network', message: 'ollama: nothing answers.', retryable: false } as const;
    const said = async (model: string) => {
      const { session } = await openScripted(await makeTestProject(), [{ failure }], { model });
      const result = await session.submit('hi');
      await session.shutdown();
      return JSON.stringify(result);
    };
    expect(await said('foo')).toContain('used as an Ollama model; write vendor/foo');
    expect(await said('ollama/foo')).not.toContain('used as an Ollama model');
  });

  it('a key and a base URL on the command line belong to that model only, not to its fallbacks', async () => {
    const place = await makeTestProject({ OPENAI_API_KEY: 'k-openai' });
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
