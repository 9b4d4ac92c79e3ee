import type { Price } from '../message/usage.ts';
import { isJsonObject } from '../shape/json.ts';
import type { Vendor } from './catalogue.ts';
import { FieldReader } from './field-reader.ts';
import { given } from './given.ts';
import { type Compat, type Model, toolProtocols } from './model.ts';

/** The fields of a model entry. */
export interface ModelPatch extends Partial<Omit<Model, 'vendor' | 'thinking'>> {
  readonly id: string;
  readonly reasoning?: boolean;
}

/** The fields of a vendor entry. */
export interface VendorPatch
  extends Partial<Pick<Vendor, 'baseUrl' | 'api' | 'apiKey' | 'headers' | 'authHeader' | 'compat'>> {
  readonly id: string;
  /** Added, or laid over the known model of that id. */
  readonly models: readonly ModelPatch[];
  /** Laid over known models only. */
  readonly overrides: readonly ModelPatch[];
}

/** The content of `models.json`, and its unusable fields. */
export interface UserModels {
  readonly vendors: readonly VendorPatch[];
  /** One line each, beginning with the path of the field. */
  readonly problems: readonly string[];
}

/** Reads a parsed `models.json` in pi's shape. A bad entry is reported and left out; the others count. */
export function parseUserModels(value: unknown): UserModels {
  if (!isJsonObject(value))
    return { vendors: [], problems: ['The file must be an object with "providers".'] };
  const problems: string[] = [];
  const providers = new FieldReader(value, '', problems).members('providers');
  return { vendors: providers.flatMap(([id, fields]) => parseVendor(id, fields) ?? []), problems };
}

function parseVendor(id: string, fields: FieldReader): VendorPatch | undefined {
  const vendor = {
    id,
    ...given('baseUrl', fields.url('baseUrl')),
    ...given('api', fields.apiKind('api')),
    ...given('apiKey', fields.text('apiKey')),
    ...given('headers', fields.texts('headers')),
    ...given('authHeader', fields.flag('authHeader')),
    ...given('compat', parseCompat(fields.part('compat'))),
  };
  const models = fields.items('models').flatMap((model) => parseModel(model, model.requiredText('id')) ?? []);
  const overrides = fields.members('modelOverrides').flatMap(([key, model]) => parseModel(model, key) ?? []);
  return fields.isSound ? { ...vendor, models, overrides } : undefined;
}

function parseModel(fields: FieldReader, id: string): ModelPatch | undefined {
  const patch: ModelPatch = {
    id,
    ...given('name', fields.text('name')),
    ...given('api', fields.apiKind('api')),
    ...given('reasoning', fields.flag('reasoning')),
    ...given('images', fields.has('input') ? fields.list('input').includes('image') : undefined),
    ...given('contextWindow', fields.count('contextWindow')),
    ...given('maxOutput', fields.count('maxTokens')),
    ...given('toolProtocol', fields.oneOf('toolProtocol', toolProtocols)),
    ...given('price', parsePrice(fields.part('cost'))),
    ...given('compat', parseCompat(fields.part('compat'))),
  };
  return fields.isSound ? patch : undefined;
}

function parsePrice(fields: FieldReader | undefined): Price | undefined {
  if (!fields) return undefined;
  return {
    input: fields.amount('input') ?? 0,
    output: fields.amount('output') ?? 0,
    ...given('cacheRead', fields.amount('cacheRead')),
    ...given('cacheWrite', fields.amount('cacheWrite')),
  };
}

const compatFlags = [
  'supportsTools',
  'supportsDeveloperRole',
  'supportsStore',
  'supportsReasoningEffort',
  'supportsUsageInStreaming',
  'requiresToolResultName',
  'requiresAssistantAfterToolResult',
  'requiresThinkingAsText',
  'supportsStrictMode',
] as const satisfies readonly (keyof Compat)[];

function parseCompat(fields: FieldReader | undefined): Compat | undefined {
  if (!fields) return undefined;
  const flags = Object.assign({}, ...compatFlags.map((name) => given(name, fields.flag(name))));
  return {
    ...flags,
    ...given('maxTokensField', fields.oneOf('maxTokensField', ['max_tokens', 'max_completion_tokens'])),
    ...given('reasoningEffortMap', fields.texts('reasoningEffortMap')),
    ...given('thinkingFormat', fields.text('thinkingFormat')),
  };
}
