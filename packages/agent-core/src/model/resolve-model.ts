import { commonLength, editDistance, nearest } from '@robota-sdk/agent-diff';
import {
  type Catalogue,
  createVendor,
  findVendor,
  loadCatalogue,
  modelsOf,
  type Vendor,
} from './catalogue.ts';
import { given } from './given.ts';
import type { Model } from './model.ts';
import type { Profile } from './profiles.ts';
import { endpointOf } from './vendor-endpoint.ts';

interface ResolveOptions {
  /** Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  readonly profiles?: readonly Profile[];
  /** Environment variables with base URLs. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The model that a name means and its endpoint, or why there is none, with similar names. */
export type ModelResolution =
  | {
      readonly ok: true;
      readonly model: Model;
      readonly vendor: Vendor;
      readonly baseUrl: string;
      readonly profile?: Profile;
    }
  | { readonly ok: false; readonly error: string; readonly near: readonly string[] };

interface Context {
  readonly catalogue: Catalogue;
  readonly profiles: readonly Profile[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds a model by name. In this order: a profile, a short name, a vendor (its default model), `vendor/id`, an id of
 * the catalogue, `name:tag` of Ollama, an id with a vendor's prefix. After that, a name that looks mistyped is an
 * error, and any other belongs to Ollama.
 */
export function resolveModel(name: string, options: ResolveOptions = {}): ModelResolution {
  const wanted = name.trim();
  const context = {
    catalogue: options.catalogue ?? loadCatalogue(),
    profiles: options.profiles ?? [],
    env: options.env ?? {},
  };
  if (wanted === '') return failure('The name of the model is empty.', []);
  const profile = context.profiles.find((each) => each.name === wanted);
  return profile ? resolveProfile(profile, context) : resolveName(pinnedName(wanted, context.env), context);
}

/** Claude Code's variables pin the models of its short names. */
const pins: Readonly<Record<string, readonly string[]>> = {
  opus: ['ANTHROPIC_DEFAULT_OPUS_MODEL'],
  sonnet: ['ANTHROPIC_DEFAULT_SONNET_MODEL'],
  haiku: ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL'],
};

function pinnedName(name: string, env: Context['env']): string {
  const variables = Object.hasOwn(pins, name) ? (pins[name] ?? []) : [];
  return variables.map((variable) => env[variable]?.trim()).find(Boolean) ?? name;
}

function resolveName(name: string, context: Context): ModelResolution {
  const vendor = findVendor(context.catalogue, name);
  return (
    byAlias(name, context) ??
    (vendor && accept({ vendor, model: describe(vendor, vendor.defaultModel, context) }, context)) ??
    byVendorAndId(name, context) ??
    byTag(name, context) ??
    byPrefix(name, context) ??
    mistyped(name, context) ??
    byOllama(name, context)
  );
}

function byAlias(name: string, context: Context): ModelResolution | undefined {
  const vendor = context.catalogue.vendors.find((each) => Object.hasOwn(each.aliases, name.toLowerCase()));
  return vendor && accept({ vendor, model: describe(vendor, name, context) }, context);
}

/** `vendor/id`, or an id of the catalogue, which may contain a slash. */
function byVendorAndId(name: string, context: Context): ModelResolution | undefined {
  const slash = name.indexOf('/');
  const vendor = slash < 0 ? undefined : findVendor(context.catalogue, name.slice(0, slash));
  if (vendor) {
    const id = name.slice(slash + 1);
    const isKnown = modelsOf(context.catalogue, vendor).some((model) => model.id === id);
    if (id !== '' && vendor.api === 'offline' && !isKnown)
      return failure(`Unknown model "${name}". Without a server, only "${vendor.id}" is available.`, [
        vendor.id,
      ]);
    if (id !== '') return accept({ vendor, model: describe(vendor, id, context) }, context);
    return failure(`"${name}" names no model. Write one after the slash.`, [`${name}${vendor.defaultModel}`]);
  }
  const model = context.catalogue.models.find((each) => each.id.toLowerCase() === name.toLowerCase());
  const owner = model && findVendor(context.catalogue, model.vendor);
  if (model && owner) return accept({ vendor: owner, model }, context);
  if (slash < 0) return undefined;
  const vendors = context.catalogue.vendors.map(({ id }) => id);
  const near = nearest(name.slice(0, slash), vendors);
  const hint =
    near.length > 0
      ? didYouMean(near)
      : `The vendors are ${vendors.join(', ')}; a model of your Ollama server is ollama/${name}.`;
  return failure(
    `Unknown vendor "${name.slice(0, slash)}". ${hint}`,
    near.map((id) => id + name.slice(slash)),
  );
}

/** Only Ollama uses `name:tag`; fine-tuned models of OpenAI start with `ft:`. */
function byTag(name: string, context: Context): ModelResolution | undefined {
  return /^(?!ft:)[\w.-]+:[\w.-]+$/.test(name) ? byOllama(name, context) : undefined;
}

function byPrefix(name: string, context: Context): ModelResolution | undefined {
  const id = name.toLowerCase().replace(/^ft:/, '');
  const vendor = context.catalogue.vendors.find(({ prefixes }) =>
    prefixes.some((prefix) => id.startsWith(prefix)),
  );
  if (!vendor) return undefined;
  const models = modelsOf(context.catalogue, vendor);
  const model = models.find((each) => withoutMarks(each.id) === withoutMarks(id));
  if (model) return accept({ vendor, model }, context);
  const near = vendor.prefixes.includes(id) ? begun(id, context).slice(0, 3) : mistypedIds(id, models);
  if (near.length === 0) return accept({ vendor, model: describe(vendor, name, context) }, context);
  return failure(
    `Unknown model "${name}". ${didYouMean(near)} If it is new, write ${vendor.id}/${name}.`,
    near,
  );
}

/** `claude-sonnet-4.6` and `gpt5` are unambiguous. */
function withoutMarks(id: string): string {
  return id.toLowerCase().replace(/[-._]/g, '');
}

/** New versions differ in numbers; a word that is almost one of the vendor's is a typo. */
function mistypedIds(id: string, models: readonly Model[]): string[] {
  const words = wordsOf(id);
  const limit = words.length < 10 ? 1 : 2;
  const distances = models.map((model) => editDistance(words, wordsOf(model.id), limit));
  if (distances.includes(0)) return [];
  const ids = models.filter((_, index) => (distances[index] ?? limit + 1) <= limit).map((model) => model.id);
  return ids.sort((a, b) => editDistance(id, a, 99) - editDistance(id, b, 99)).slice(0, 3);
}

function wordsOf(id: string): string {
  return id.toLowerCase().replace(/[^a-z]/g, '');
}

function mistyped(name: string, context: Context): ModelResolution | undefined {
  if (ownFamilies.has(name.toLowerCase())) return undefined;
  const found = [nearNames, begun, nearPrefix].flatMap((find) => find(name, context));
  const near = [...new Set(found)].slice(0, 3);
  if (near.length === 0) return undefined;
  return failure(
    `Unknown model "${name}". ${didYouMean(near)} A model of your Ollama server is ollama/${name}.`,
    near,
  );
}

/** Models for local servers whose names resemble a vendor's. */
const ownFamilies: ReadonlySet<string> = new Set(['mixtral']);

/** Matches prefixes of names: `claud`, `anthro`. */
function begun(name: string, { catalogue }: Context): string[] {
  if (name.length < 3) return [];
  const word = name.toLowerCase();
  const isBegun = (each: string) => each.toLowerCase().startsWith(word);
  return catalogue.vendors.flatMap((vendor) => {
    const aliases = Object.keys(vendor.aliases).filter(isBegun);
    if (isBegun(vendor.id) && isFar(vendor)) return [...aliases, vendor.id];
    const models = vendor.prefixes.some(isBegun) ? modelsOf(catalogue, vendor).map(({ id }) => id) : [];
    return [...aliases, ...models.filter(isBegun)];
  });
}

/** Names of local servers are too similar to the models that run there. */
function isFar({ needsKey, api, cloud }: Vendor): boolean {
  return needsKey || api === 'offline' || cloud !== undefined;
}

/** Stricter than suggestions, because every name found here cannot be an Ollama model. */
function nearNames(name: string, { catalogue, profiles }: Context): string[] {
  if (name.length < 4) return [];
  const names = [
    ...profiles.map((profile) => profile.name),
    ...catalogue.vendors.flatMap((vendor) => [
      ...(isFar(vendor) ? [vendor.id] : []),
      ...Object.keys(vendor.aliases),
    ]),
    ...catalogue.models.map((model) => model.id),
  ];
  const limit = name.length === 4 ? 1 : 2;
  return nearest(name, names).filter(
    (each) => editDistance(name.toLowerCase(), each.toLowerCase(), limit) <= limit,
  );
}

/** An unknown name such as `cluade-opus-9` is probably a typo; returns the closest models first. */
function nearPrefix(name: string, { catalogue }: Context): string[] {
  const word = /^[a-z]{4,}(?=-)/i.exec(name)?.[0];
  if (word === undefined) return [];
  return catalogue.vendors.flatMap((vendor) => {
    const prefix = vendor.prefixes.find((each) => editDistance(word.toLowerCase(), each, 1) <= 1);
    if (prefix === undefined) return [];
    const meant = prefix + name.slice(word.length).toLowerCase();
    const ids = modelsOf(catalogue, vendor).map(({ id }) => id);
    const near = ids
      .filter((id) => id.startsWith(prefix))
      .sort((a, b) => unlikeness(meant, a) - unlikeness(meant, b));
    return near.length > 0 ? near : [vendor.defaultModel];
  });
}

/** Grows with edits and shrinks with the common prefix. */
function unlikeness(a: string, b: string): number {
  return editDistance(a, b, 99) - 2 * commonLength(a, b);
}

function byOllama(name: string, context: Context): ModelResolution {
  const vendor = findVendor(context.catalogue, 'ollama');
  if (vendor && !/\s/.test(name)) return accept({ vendor, model: describe(vendor, name, context) }, context);
  return failure(
    `"${name}" is not the name of a model. Write vendor/id, such as anthropic/claude-sonnet-4-6.`,
    [],
  );
}

function resolveProfile(profile: Profile, context: Context): ModelResolution {
  const found = profile.vendor === undefined ? resolveName(profile.model, context) : undefined;
  if (found?.ok) return accept({ ...found, profile }, context);
  if (found) return failure(`The profile "${profile.name}" can't be used: ${found.error}`, found.near);
  const name = profile.vendor ?? '';
  const vendor = findVendor(context.catalogue, name) ?? customVendor(name, profile);
  if (vendor) return accept({ vendor, model: describe(vendor, profile.model, context), profile }, context);
  const near = nearest(
    name,
    context.catalogue.vendors.map(({ id }) => id),
  );
  const hint = near.length > 0 ? didYouMean(near) : 'A vendor of your own needs a baseUrl.';
  return failure(`The profile "${profile.name}" names the unknown vendor "${name}". ${hint}`, near);
}

/** A vendor defined only by a profile; it uses Chat Completions unless the profile says otherwise. */
function customVendor(id: string, { baseUrl, api, apiKey, model }: Profile): Vendor | undefined {
  if (baseUrl === undefined) return undefined;
  return createVendor({ id, api: api ?? 'openai', baseUrl, defaultModel: model, ...given('apiKey', apiKey) });
}

interface Found {
  readonly vendor: Vendor;
  readonly model: Model;
  readonly profile?: Profile;
}

function accept({ vendor, model, profile }: Found, { env }: Context): ModelResolution {
  const { baseUrl, api } = endpointOf(vendor, { modelApi: model.api, ...profile, env });
  const maxOutput = profile?.maxOutput ?? model.maxOutput;
  return { ok: true, model: { ...model, api, maxOutput }, vendor, baseUrl, ...given('profile', profile) };
}

/** A vendor's model by id or short name; an unlisted id gets the properties of the most similar one. */
function describe(vendor: Vendor, name: string, context: Context): Model {
  const { catalogue } = context;
  const origin = originOf(vendor, name, catalogue);
  if (origin) return { ...describe(origin, plainId(name), context), vendor: vendor.id, id: name };
  const alias = Object.hasOwn(vendor.aliases, name.toLowerCase())
    ? vendor.aliases[name.toLowerCase()]
    : undefined;
  const id = alias ?? name;
  const models = modelsOf(catalogue, vendor);
  const exact = models.find((model) => model.id.toLowerCase() === id.toLowerCase());
  if (exact) return exact;
  const same = models.find((model) => isVersionOf(id, model.id));
  if (same) return { ...same, id };
  const { contextWindow, maxOutput, images, thinking, compat } = relativeOf(id, models) ?? {
    ...vendor.defaults,
    compat: vendor.compat,
  };
  return {
    vendor: vendor.id,
    id,
    api: vendor.api,
    name: id,
    contextWindow,
    maxOutput,
    images,
    thinking,
    ...given('compat', compat),
  };
}

/** The vendor of a model that a cloud offers. */
function originOf({ offers = [] }: Vendor, id: string, catalogue: Catalogue): Vendor | undefined {
  const vendors = offers.flatMap((each) => findVendor(catalogue, each) ?? []);
  const plain = plainId(id);
  return vendors.find(({ prefixes }) => prefixes.some((prefix) => plain.startsWith(prefix))) ?? vendors[0];
}

/** Turns `arn:…/us.anthropic.claude-x-20250101-v1:0` and `claude-x@20250101` into the vendor's own id. */
function plainId(id: string): string {
  const name = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  return name
    .replace(/^(?:[a-z]+(?:-[a-z]+)*\.)?anthropic\./, '')
    .replace(/-v\d{1,3}(?::\d{1,3})?$/, '')
    .replace('@', '-');
}

/** True if an id is a known one followed by a date or similar: the same model at the same price. */
function isVersionOf(id: string, known: string): boolean {
  return (
    id.startsWith(known) &&
    /^[-@](\d{8}|\d{4}-\d{2}-\d{2}|\d{4}|latest|preview)$/.test(id.slice(known.length))
  );
}

/** The model with the longest common prefix of at least four characters; the newest of equals. */
function relativeOf(id: string, models: readonly Model[]): Model | undefined {
  let best: Model | undefined;
  let longest = 3;
  for (const model of models) {
    const length = commonLength(id, model.id);
    if (length > longest) [best, longest] = [model, length];
  }
  return best;
}

function didYouMean(near: readonly string[]): string {
  return `Did you mean ${near.join(' or ')}?`;
}

function failure(error: string, near: readonly string[]): ModelResolution {
  return { ok: false, error, near };
}

/** A vendor's default model; for an unlisted vendor, one with cautious limits. */
export function defaultModelOf(id: string): Model {
  const known = findVendor(loadCatalogue(), id) && resolveModel(id);
  if (known?.ok) return known.model;
  const { api, defaults, defaultModel } = createVendor({
    id,
    api: 'openai',
    baseUrl: '',
    defaultModel: 'default',
  });
  return { ...defaults, api, vendor: id, id: defaultModel, name: id };
}
