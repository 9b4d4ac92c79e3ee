import type { ApiKind } from '../message/model-ref.ts';
import type { Price } from '../message/usage.ts';
import data from './catalogue.json' with { type: 'json' };
import type { CloudName } from './cloud-account.ts';
import { givenFields } from './given.ts';
import { type Compat, type Model, modelDefaults, type ThinkingStyle } from './model.ts';

/** Default properties of a vendor's unlisted models. */
interface ModelDefaults {
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly images: boolean;
  readonly thinking: ThinkingStyle;
}

/** A vendor of models: data on top of one of the API kinds. */
export interface Vendor {
  readonly id: string;
  /** The display name. */
  readonly name: string;
  readonly api: ApiKind;
  readonly baseUrl: string;
  /** Other URLs where such a server may listen; tried first. */
  readonly otherBaseUrls?: readonly string[];
  /** The API kind of compatible servers, if it differs from `api`. */
  readonly customBaseUrlApi?: ApiKind;
  /** Environment variables that may hold the key, first one first. */
  readonly keyVariables: readonly string[];
  /** The variable whose key is sent as a bearer token, as gateways require. */
  readonly tokenVariable?: string;
  readonly baseUrlVariable?: string;
  /** Prefixes of its model ids, which need no vendor before them. */
  readonly prefixes: readonly string[];
  /** False for local servers and for servers a user added without a key. */
  readonly needsKey: boolean;
  readonly defaultModel: string;
  readonly defaults: ModelDefaults;
  /** Short names of its models. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly compat?: Compat;
  /** As written in the user's file: a command, a variable name or the key itself. */
  readonly apiKey?: string;
  /** Extra headers, their values as written in the user's file. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if models are reached through a cloud account. */
  readonly cloud?: CloudName;
  /**
   * Ids of the vendors whose models the cloud offers; a model belongs to the first with a matching prefix, otherwise to
   * the first.
   */
  readonly offers?: readonly string[];
  /** Sends the key as a bearer token in addition to the API's own header. */
  readonly authHeader?: boolean;
}

/** All known vendors and models; within a vendor the newest models come first. */
export interface Catalogue {
  readonly vendors: readonly Vendor[];
  readonly models: readonly Model[];
}

let builtIn: Catalogue | undefined;

/** The built-in catalogue, parsed from `catalogue.json` on first use. */
export function loadCatalogue(): Catalogue {
  // TypeScript gives JSON no literal types; `catalogue.test.ts` checks every row.
  builtIn ??= readData(data as unknown as CatalogueData);
  return builtIn;
}

/** A vendor that the catalogue does not know, with pi's assumptions about its models. */
export function createVendor(
  facts: Pick<Vendor, 'id' | 'api' | 'baseUrl' | 'defaultModel'> & Partial<Vendor>,
): Vendor {
  return {
    name: facts.id,
    keyVariables: [],
    prefixes: [],
    needsKey: facts.apiKey !== undefined,
    defaults: { ...modelDefaults, images: false, thinking: 'none' },
    aliases: {},
    ...facts,
  };
}

/** Environment variables that hold keys of models and web searches. */
export function keyVariables(vendors: readonly Vendor[]): string[] {
  return [...vendors.flatMap((vendor) => vendor.keyVariables), 'BRAVE_API_KEY', 'TAVILY_API_KEY'];
}

/** Finds a vendor by id, ignoring case; some programs write underscores for dashes. */
export function findVendor(catalogue: Catalogue, id: string): Vendor | undefined {
  const wanted = id.toLowerCase().replaceAll('_', '-');
  return catalogue.vendors.find((vendor) => vendor.id.toLowerCase() === wanted);
}

/** The models of a vendor, newest first. */
export function modelsOf(catalogue: Catalogue, vendor: Vendor): readonly Model[] {
  return catalogue.models.filter((model) => model.vendor === vendor.id);
}

interface ModelRow {
  readonly id: string;
  readonly name: string;
  readonly window?: number;
  readonly output?: number;
  readonly images?: boolean;
  readonly thinking?: ThinkingStyle;
  readonly compat?: Compat;
  /** Input, output, cache read, cache write. */
  readonly price?: readonly number[];
}

type DefaultsRow = Omit<ModelRow, 'id' | 'name' | 'price'> & {
  readonly window: number;
  readonly output: number;
};

type VendorRow = Omit<Vendor, 'prefixes' | 'needsKey' | 'defaults' | 'aliases'> & {
  readonly prefixes?: readonly string[];
  readonly local?: boolean;
  readonly defaults: DefaultsRow;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly models: readonly ModelRow[];
};

interface CatalogueData {
  readonly vendors: readonly VendorRow[];
}

function readData({ vendors }: CatalogueData): Catalogue {
  return {
    vendors: vendors.map(toVendor),
    models: vendors.flatMap((vendor) => vendor.models.map((model) => toModel(vendor, model))),
  };
}

function toVendor({ models, local, prefixes, defaults, aliases, ...row }: VendorRow): Vendor {
  return {
    ...row,
    prefixes: prefixes ?? [],
    needsKey: !local,
    aliases: aliases ?? {},
    defaults: {
      contextWindow: defaults.window,
      maxOutput: defaults.output,
      images: defaults.images ?? false,
      thinking: defaults.thinking ?? 'none',
    },
  };
}

function toModel(vendor: VendorRow, row: ModelRow): Model {
  const facts = { images: false, thinking: 'none' as const, ...vendor.defaults, ...row };
  const compat = { ...vendor.compat, ...facts.compat };
  return {
    vendor: vendor.id,
    id: row.id,
    api: vendor.api,
    name: row.name,
    contextWindow: facts.window,
    maxOutput: facts.output,
    images: facts.images,
    thinking: facts.thinking,
    ...(row.price ? { price: toPrice(row.price) } : {}),
    ...(Object.keys(compat).length > 0 ? { compat } : {}),
  };
}

function toPrice([input = 0, output = 0, cacheRead, cacheWrite]: readonly number[]): Price {
  return { input, output, ...givenFields({ cacheRead, cacheWrite }) };
}
