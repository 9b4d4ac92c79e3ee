import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { resolveModel } from './resolve-model.ts';

const nameOf = (name: string) => {
  const found = resolveModel(name);
  return found.ok ? `${found.model.vendor}/${found.model.id}` : found.error;
};

describe('resolveModel', () => {
  it.each([
    ['claude-opus-4-6', 'anthropic/claude-opus-4-6'],
    ['claude-opus-9', 'anthropic/claude-opus-9'],
    ['gpt-5', 'openai/gpt-5'],
    ['gpt-9', 'openai/gpt-9'],
    ['o3-pro', 'openai/o3-pro'],
    ['chatgpt-latest', 'openai/chatgpt-latest'],
    ['ft:gpt-4o:team::id', 'openai/ft:gpt-4o:team::id'],
    ['gemini-2.5-flash', 'google/gemini-2.5-flash'],
    ['gemini-9-ultra', 'google/gemini-9-ultra'],
    ['grok-4', 'xai/grok-4'],
    ['codestral-2508', 'mistral/codestral-2508'],
    ['deepseek-chat', 'deepseek/deepseek-chat'],
    ['phi4', 'ollama/phi4'],
    ['llama3', 'ollama/llama3'],
    ['mixtral', 'ollama/mixtral'],
    ['gemma3', 'ollama/gemma3'],
    ['qwen3-coder', 'ollama/qwen3-coder'],
    ['o5', 'ollama/o5'],
    ['my-own-model', 'ollama/my-own-model'],
    ['gpt-oss:20b', 'ollama/gpt-oss:20b'],
    ['deepseek-r1:8b', 'ollama/deepseek-r1:8b'],
  ])('finds the vendor of %s by its beginning, else Ollama', (name, expected) => {
    proves('P-52');
    expect(nameOf(name)).toBe(expected);
  });

  it.each([
    ['sonnet', 'anthropic/claude-sonnet-5-5'],
    ['Opus', 'anthropic/claude-opus-5-5'],
    ['anthropic', 'anthropic/claude-sonnet-5-5'],
    ['anthropic/haiku', 'anthropic/claude-haiku-5-5'],
    ['offline', 'offline/offline'],
    ['openai/any-deployment', 'openai/any-deployment'],
    ['openrouter/anthropic/claude-sonnet-4.6', 'openrouter/anthropic/claude-sonnet-4.6'],
    ['openrouter/someone/new:free', 'openrouter/someone/new:free'],
    ['qwen/qwen3-32b', 'groq/qwen/qwen3-32b'],
    ['opencode-go/deepseek-v4-pro', 'opencode-go/deepseek-v4-pro'],
    ['claude-sonnet-4.6', 'anthropic/claude-sonnet-4-6'],
    ['gpt5', 'openai/gpt-5'],
    ['  gpt-4o ', 'openai/gpt-4o'],
    ['ollama/hf.co/someone/model:Q4', 'ollama/hf.co/someone/model:Q4'],
  ])('understands %s', (name, expected) => {
    expect(nameOf(name)).toBe(expected);
  });

  it.each([
    ['sonet', ['sonnet']],
    ['sonnnet', ['sonnet']],
    ['claud', ['claude-fable-5-1']],
    ['Anthro', ['anthropic']],
    ['antropic', ['anthropic']],
    ['gpt', ['gpt-6.1-sol']],
    ['hai', ['haiku']],
    ['claude-sonet-4-6', ['claude-sonnet-4-6']],
    ['gemni-2.5-pro', ['gemini-2.5-pro']],
    ['antropic/claude-opus-4-6', ['anthropic/claude-opus-4-6']],
    ['cluade-opus-9', ['claude-opus-5-5']],
    ['gemni-3', ['gemini-3.8-flash']],
    ['claud-x', ['claude-opus-5']],
    ['claud-3', ['claude-opus-5']],
    ['anthropic/', ['anthropic/claude-sonnet-5-5']],
  ])('offers near names for %s', (name, near) => {
    const found = resolveModel(name);
    expect(found).toMatchObject({ ok: false, near: expect.arrayContaining(near) });
    const { models, vendors } = loadCatalogue();
    const known = [
      ...models.flatMap(({ vendor, id }) => [id, `${vendor}/${id}`]),
      ...vendors.flatMap(({ id, aliases }) => [id, ...Object.keys(aliases)]),
    ];
    if (!found.ok) expect(known).toEqual(expect.arrayContaining([...found.near]));
  });

  it('says what a name must look like', () => {
    expect(resolveModel(' ')).toMatchObject({ ok: false });
    expect(resolveModel('the best one')).toMatchObject({
      ok: false,
      error: expect.stringContaining('vendor/id'),
    });
    expect(resolveModel('nowhere/model')).toMatchObject({
      ok: false,
      error: expect.stringContaining('The vendors are anthropic'),
    });
    expect(resolveModel('claude-sonet-6')).toMatchObject({
      error: expect.stringContaining('write anthropic/claude-sonet-6'),
    });
  });

  it('takes a dated id for the model it dates, price and all', () => {
    expect(resolveModel('claude-haiku-4-5-20251001')).toMatchObject({
      model: {
        id: 'claude-haiku-4-5-20251001',
        name: 'Claude Haiku 4.5',
        contextWindow: 200_000,
        price: { input: 1 },
      },
    });
    expect(resolveModel('gpt-5-2025-08-07')).toMatchObject({
      model: { name: 'GPT-5', price: { input: 1.25 } },
    });
  });

  it('takes an unknown id for a relative of the newest like it, without a price', () => {
    const found = resolveModel('claude-opus-9');
    expect(found).toMatchObject({
      model: { name: 'claude-opus-9', contextWindow: 1_000_000, thinking: 'always', images: true },
    });
    expect(found.ok && found.model.price).toBe(undefined);
    expect(resolveModel('ollama/x')).toMatchObject({
      model: { contextWindow: 32_768, thinking: 'none', compat: { supportsStore: false } },
    });
  });

  it.each([
    ['bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0', 'Claude Haiku 4.5', 'anthropic'],
    ['bedrock/anthropic.claude-sonnet-4-6', 'Claude Sonnet 4.6', 'anthropic'],
    [
      'bedrock/arn:aws:bedrock:x-1:1:inference-profile/eu.anthropic.claude-opus-4-5-20251101-v1:0',
      'Claude Opus 4.5',
      'anthropic',
    ],
    ['vertex/claude-opus-4-1@20250805', 'Claude Opus 4.1', 'anthropic'],
    ['vertex/gemini-2.5-pro', 'Gemini 2.5 Pro', 'google'],
    ['azure/gpt-4.1', 'GPT-4.1', 'openai-responses'],
    ['azure/my-deployment', 'my-deployment', 'openai-responses'],
  ])('takes %s for the model its vendor makes, with its limits and price', (name, title, api) => {
    const resolved = resolveModel(name);
    const slash = name.indexOf('/');
    expect(resolved).toMatchObject({
      ok: true,
      model: { vendor: name.slice(0, slash), id: name.slice(slash + 1), name: title, api },
    });
    if (resolved.ok && title !== 'my-deployment') expect(resolved.model.price).toBeDefined();
  });

  it('looks into the environment for base URLs', () => {
    const env = { OPENAI_BASE_URL: 'http://localhost:9/v1' };
    expect(resolveModel('gpt-5', { env })).toMatchObject({
      baseUrl: 'http://localhost:9/v1',
      model: { api: 'openai' },
    });
  });

  it('resolves every name it knows to itself, and never throws', () => {
    for (const model of loadCatalogue().models)
      expect(nameOf(`${model.vendor}/${model.id}`)).toBe(`${model.vendor}/${model.id}`);
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '/', '//', ':')),
        (name) => {
          const found = resolveModel(name);
          expect(found.ok ? found.model.id : found.error).not.toBe('');
        },
      ),
    );
  });
});
