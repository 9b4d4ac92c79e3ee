import { readFile } from 'node:fs/promises';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { apiKinds } from '../message/model-ref.ts';
import { findVendor, loadCatalogue, modelsOf } from './catalogue.ts';
import { type Model, type ThinkingStyle, thinkingLevels } from './model.ts';
import { modelDisplayName, modelMenuName, windowText } from './model-name.ts';

const catalogue = loadCatalogue();
const styles: readonly ThinkingStyle[] = ['none', 'budget', 'effort', 'adaptive', 'always'];

function model(vendor: string, id: string): Model {
  const found = catalogue.models.find((each) => each.vendor === vendor && each.id === id);
  if (!found) throw new Error(`${vendor}/${id} is not in the catalogue`);
  return found;
}

describe('the catalogue', () => {
  it.each(catalogue.vendors)('describes $id so that it can be reached', (vendor) => {
    expect(apiKinds).toContain(vendor.api);
    expect(vendor.api === 'offline' || URL.canParse(vendor.baseUrl)).toBe(true);
    expect(vendor.baseUrl).not.toMatch(/\/$/);
    expect(vendor.needsKey).toBe(vendor.keyVariables.length > 0);
    expect(vendor.defaultModel).not.toBe('');
    const ids = modelsOf(catalogue, vendor).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    if (ids.length > 0) expect(ids).toContain(vendor.defaultModel);
    for (const [alias, id] of Object.entries(vendor.aliases)) {
      expect(alias).toBe(alias.toLowerCase());
      expect(ids).toContain(id);
    }
  });

  it.each(catalogue.models)('has sane facts of $vendor/$id', (each) => {
    expect(findVendor(catalogue, each.vendor)?.id).toBe(each.vendor);
    expect(each.name).not.toBe('');
    expect(Number.isSafeInteger(each.contextWindow) && Number.isSafeInteger(each.maxOutput)).toBe(true);
    expect(each.maxOutput).toBeGreaterThan(0);
    expect(each.maxOutput).toBeLessThan(each.contextWindow);
    expect(styles).toContain(each.thinking);
    for (const level of Object.keys(each.compat?.reasoningEffortMap ?? {}))
      expect(thinkingLevels).toContain(level);
    const { input = 0, output = 0, cacheRead = 0 } = each.price ?? {};
    expect(cacheRead).toBeLessThanOrEqual(input);
    expect(input).toBeLessThanOrEqual(output);
  });

  it('gives a short name to one model only', () => {
    const aliases = catalogue.vendors.flatMap((vendor) => Object.keys(vendor.aliases));
    expect(new Set(aliases).size).toBe(aliases.length);
    expect(aliases).toEqual(expect.arrayContaining(['sonnet', 'opus', 'haiku']));
  });

  it('stays small, and says where its figures come from', async () => {
    const text = await readFile(new URL('./catalogue.json', import.meta.url), 'utf8');
    expect(text.length).toBeLessThan(25_000);
    expect(JSON.parse(text).about).toMatchObject({
      date: expect.stringMatching(/^20\d\d-/),
      sources: expect.any(String),
    });
  });

  it('knows the windows of the Claude models', () => {
    proves('R-53');
    const windows = ['claude-sonnet-4-6', 'claude-opus-4-6', 'claude-haiku-4-5'].map((id) =>
      modelMenuName(model('anthropic', id)),
    );
    expect(windows).toEqual(['Claude Sonnet 4.6 (1M)', 'Claude Opus 4.6 (1M)', 'Claude Haiku 4.5 (200K)']);
  });

  it('offers OpenCode Go with its two models, the fast one by default', () => {
    proves('P-51');
    const vendor = findVendor(catalogue, 'opencode-go');
    expect(vendor).toMatchObject({
      api: 'openai',
      baseUrl: 'https://opencode.ai/zen/go/v1',
      defaultModel: 'deepseek-v4-flash',
    });
    expect(modelDisplayName(model('opencode-go', 'deepseek-v4-flash'))).toBe('DeepSeek V4 Flash');
    expect(modelDisplayName(model('opencode-go', 'deepseek-v4-pro'))).toBe('DeepSeek V4 Pro');
  });
});

describe('windowText', () => {
  it.each([
    [200_000, '200K'],
    [1_000_000, '1M'],
    [1_048_576, '1M'],
    [1_050_000, '1.05M'],
    [2_000_000, '2M'],
    [128_000, '128K'],
    [131_072, '128K'],
    [256_000, '256K'],
    [204_800, '200K'],
    [8192, '8K'],
    [500, '500'],
  ])('writes %d as %s', (tokens, text) => {
    expect(windowText(tokens)).toBe(text);
  });
});
