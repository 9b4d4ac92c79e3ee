import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeProblems } from '../problem/problem.ts';
import { applyUserModels } from './apply-user-models.ts';
import { loadCatalogue } from './catalogue.ts';
import { resolveModel } from './resolve-model.ts';
import { parseUserModels } from './user-models.ts';

function load(file: unknown) {
  return applyUserModels(loadCatalogue(), parseUserModels(file));
}

describe("the user's models.json", () => {
  it('adds vendors and models that then resolve by name', () => {
    proves('P-57');
    const { catalogue, problems } = load({
      providers: {
        corp: {
          baseUrl: 'https://llm.corp.example/v1',
          api: 'openai-completions',
          apiKey: 'CORP_KEY',
          headers: { 'x-team': 'tools' },
          authHeader: true,
          compat: { supportsStore: false, maxTokensField: 'max_tokens' },
          models: [
            {
              id: 'house-coder',
              name: 'House Coder',
              reasoning: true,
              input: ['text', 'image'],
              contextWindow: 64_000,
              maxTokens: 4000,
              cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
              compat: { supportsStore: true },
            },
            { id: 'plain' },
            { id: 'claudish', api: 'anthropic-messages', reasoning: true },
          ],
        },
      },
    });
    expect(problems).toEqual([]);
    expect(resolveModel('house-coder', { catalogue })).toMatchObject({
      ok: true,
      baseUrl: 'https://llm.corp.example/v1',
      vendor: {
        id: 'corp',
        apiKey: 'CORP_KEY',
        needsKey: true,
        headers: { 'x-team': 'tools' },
        authHeader: true,
      },
      model: {
        vendor: 'corp',
        id: 'house-coder',
        api: 'openai',
        name: 'House Coder',
        thinking: 'effort',
        images: true,
        contextWindow: 64_000,
        maxOutput: 4000,
        price: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
        compat: { supportsStore: true, maxTokensField: 'max_tokens' },
      },
    });
    expect(resolveModel('corp/plain', { catalogue })).toMatchObject({
      model: { contextWindow: 128_000, maxOutput: 16_384, images: false, thinking: 'none' },
    });
    expect(resolveModel('corp/claudish', { catalogue })).toMatchObject({
      model: { api: 'anthropic', thinking: 'budget' },
    });
    expect(resolveModel('corp', { catalogue })).toMatchObject({ model: { id: 'house-coder' } });
  });

  it('changes a built-in vendor and keeps what the file does not mention', () => {
    proves('P-57');
    const { catalogue, problems } = load({
      providers: {
        openai: {
          baseUrl: 'https://proxy.example/v1',
          models: [{ id: 'gpt-5', contextWindow: 1000 }, { id: 'gpt-next' }],
          modelOverrides: { 'gpt-4o': { name: 'Old Faithful' } },
        },
      },
    });
    expect(problems).toEqual([]);
    const gpt5 = resolveModel('gpt-5', { catalogue });
    expect(gpt5).toMatchObject({
      baseUrl: 'https://proxy.example/v1',
      model: { api: 'openai', name: 'GPT-5', contextWindow: 1000, maxOutput: 128_000, thinking: 'effort' },
    });
    expect(resolveModel('gpt-4o', { catalogue })).toMatchObject({
      model: { name: 'Old Faithful', contextWindow: 128_000 },
    });
    expect(resolveModel('gpt-next', { catalogue })).toMatchObject({ vendor: { id: 'openai' } });
    expect(resolveModel('gpt-5')).toMatchObject({
      model: { api: 'openai-responses', contextWindow: 400_000 },
    });
  });

  it('names the path of each bad field, leaves that entry out and keeps the others', () => {
    proves('P-57');
    const { catalogue, problems } = load({
      providers: {
        foo: {
          baseUrl: 'http://localhost:1/v1',
          models: [
            { id: 'good' },
            { name: 'no id' },
            { id: 'bad', contextWindow: '128k', cost: { input: -1 } },
            'what',
          ],
          modelOverrides: { goood: { name: 'x' } },
        },
        bar: { baseUrl: 'http://localhost:2/v1', api: 'soap', compat: { supportsStore: 'yes' } },
        antropic: { apiKey: 'x' },
        baz: 7,
      },
    });
    expect(describeProblems(problems).sort()).toEqual([
      'Unknown model "goood" in providers.foo.modelOverrides. Did you mean "good"?',
      'Unknown vendor "antropic" needs a "baseUrl" in providers. Did you mean "anthropic"?',
      'providers.bar.api: expected one of "anthropic", "openai", "openai-responses", "google", "ollama", "openai-completions", "anthropic-messages", "google-generative-ai", got the string "soap"',
      'providers.bar.compat.supportsStore: expected true or false, got the string "yes"',
      'providers.baz: expected an object, got a number',
      'providers.foo.models[1].id: expected a string that is not empty, but it is missing',
      'providers.foo.models[2].contextWindow: expected an integer of at least 1, got the string "128k"',
      'providers.foo.models[2].cost.input: expected a number of at least 0, got -1',
      'providers.foo.models[3]: expected an object, got a string',
    ]);
    expect(problems).toHaveLength(9);
    expect(catalogue.models.filter((model) => model.vendor === 'foo').map(({ id }) => id)).toEqual(['good']);
    expect(catalogue.vendors.some(({ id }) => id === 'bar')).toBe(false);
  });

  it.each(['x', 'ftp://x', '//x/v1'])('reports the base URL %j by its field', (baseUrl) => {
    proves('P-57');
    const { problems } = load({ providers: { lab: { baseUrl, models: [{ id: 'big' }] } } });
    expect(describeProblems(problems)).toEqual([
      `providers.lab.baseUrl: expected a URL that begins with http:// or https://, got the string "${baseUrl}"`,
    ]);
  });

  it('never throws, whatever JSON it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.jsonValue().map((providers) => ({ providers })),
        ),
        (file) => {
          expect(load(file).catalogue.models.length).toBeGreaterThan(0);
        },
      ),
    );
    const entry = fc.dictionary(
      fc.constantFrom('baseUrl', 'api', 'apiKey', 'headers', 'models', 'modelOverrides', 'compat'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('openai', 'mine', '__proto__'), entry), (providers) => {
        expect(load({ providers }).catalogue.vendors.length).toBeGreaterThan(0);
      }),
    );
  });

  it('refuses a format of thinking that is none, and names those there are', () => {
    const { problems, vendors } = parseUserModels({
      providers: { lab: { baseUrl: 'http://localhost:1/v1', compat: { thinkingFormat: 'zzz' } } },
    });
    expect(vendors).toEqual([]);
    const text = JSON.stringify(problems);
    for (const name of ['thinkingFormat', 'deepseek', 'qwen-chat-template', 'think-tags'])
      expect(text).toContain(name);
  });
});
