import type { ApiKind } from '../message/model-ref.ts';
import { didYouMean } from '../problem/did-you-mean.ts';
import { type Problem, sentence, warning } from '../problem/problem.ts';
import { type Catalogue, createVendor, findVendor, modelsOf, type Vendor } from './catalogue.ts';
import { given } from './given.ts';
import type { Compat, Model, ThinkingStyle } from './model.ts';
import type { ModelPatch, UserModels, VendorPatch } from './user-models.ts';
import { endpointOf } from './vendor-endpoint.ts';

/** Adds the user's vendors and models to the catalogue. Fields of a known model are overridden, the rest is kept. */
export function applyUserModels(
  catalogue: Catalogue,
  user: UserModels,
): { readonly catalogue: Catalogue; readonly problems: readonly Problem[] } {
  const problems = [...user.problems];
  let merged = catalogue;
  for (const patch of user.vendors) {
    const vendor = vendorOf(merged, patch, problems);
    if (vendor) merged = withVendor(merged, vendor, mergedModels(merged, vendor, patch));
    if (vendor) problems.push(...strayOverrides(merged, patch));
  }
  return { catalogue: merged, problems };
}

function vendorOf(catalogue: Catalogue, patch: VendorPatch, problems: Problem[]): Vendor | undefined {
  const known = findVendor(catalogue, patch.id);
  if (known) return changedVendor(known, patch);
  if (patch.baseUrl !== undefined) return newVendor(patch, patch.baseUrl);
  const hint = didYouMean(
    patch.id,
    catalogue.vendors.map(({ id }) => id),
    '"',
  );
  const message = sentence`Unknown vendor "${{ vendor: patch.id }}" needs a "baseUrl" in providers.`;
  problems.push(warning('models.unknown-vendor', message, { subject: patch.id, hint, isInactive: true }));
  return undefined;
}

function changedVendor(vendor: Vendor, { id, models, overrides, ...changes }: VendorPatch): Vendor {
  const { api } = endpointOf(vendor, changes);
  return { ...vendor, ...changes, api, ...given('compat', joinCompat(vendor.compat, changes.compat)) };
}

function newVendor({ models, overrides, ...patch }: VendorPatch, baseUrl: string): Vendor {
  const [first] = models;
  return createVendor({
    api: first?.api ?? 'openai',
    defaultModel: first?.id ?? 'default',
    ...patch,
    baseUrl,
  });
}

function withVendor(catalogue: Catalogue, vendor: Vendor, models: readonly Model[]): Catalogue {
  const isKnown = catalogue.vendors.some(({ id }) => id === vendor.id);
  return {
    vendors: isKnown
      ? catalogue.vendors.map((each) => (each.id === vendor.id ? vendor : each))
      : [...catalogue.vendors, vendor],
    models: [...catalogue.models.filter((model) => model.vendor !== vendor.id), ...models],
  };
}

/** The vendor's models with the user's changes; new ones come first. */
function mergedModels(catalogue: Catalogue, vendor: Vendor, patch: VendorPatch): readonly Model[] {
  const patches = new Map([...patch.overrides, ...patch.models].map((entry) => [entry.id, entry]));
  const known = modelsOf(catalogue, vendor).map((model) => {
    const current = { ...model, api: vendor.api, ...given('compat', joinCompat(model.compat, patch.compat)) };
    const entry = patches.get(model.id);
    return entry ? patchedModel(current, entry) : current;
  });
  const added = patch.models.filter(({ id }) => !known.some((model) => model.id === id));
  return [...added.map((entry) => patchedModel(blankModel(vendor, entry.id), entry)), ...known];
}

function blankModel(vendor: Vendor, id: string): Model {
  return {
    vendor: vendor.id,
    id,
    name: id,
    api: vendor.api,
    ...vendor.defaults,
    ...given('compat', vendor.compat),
  };
}

function patchedModel(model: Model, { reasoning, ...changes }: ModelPatch): Model {
  const api = changes.api ?? model.api;
  const thinking = reasoning === undefined ? model.thinking : thinkingStyle({ ...model, api }, reasoning);
  return { ...model, ...changes, thinking, ...given('compat', joinCompat(model.compat, changes.compat)) };
}

/** pi's file only says whether a model reasons; the API decides how it is requested. */
function thinkingStyle(model: Model, reasons: boolean): ThinkingStyle {
  if (!reasons) return 'none';
  if (model.thinking !== 'none') return model.thinking;
  const styles: Readonly<Record<ApiKind, ThinkingStyle>> = {
    anthropic: 'budget',
    openai: 'effort',
    'openai-responses': 'effort',
    google: /gemini-(1|2)\b/.test(model.id) ? 'budget' : 'effort',
    ollama: 'adaptive',
    offline: 'none',
  };
  return styles[model.api];
}

function joinCompat(first: Compat | undefined, second: Compat | undefined): Compat | undefined {
  return first || second ? { ...first, ...second } : undefined;
}

function strayOverrides(catalogue: Catalogue, patch: VendorPatch): Problem[] {
  const known = catalogue.models.filter((model) => model.vendor === patch.id).map(({ id }) => id);
  return patch.overrides
    .filter(({ id }) => !known.includes(id))
    .map(({ id }) => {
      const message = sentence`Unknown model "${{ model: id }}" in providers.${{ vendor: patch.id }}.modelOverrides.`;
      return warning('models.unknown-model', message, { subject: id, hint: didYouMean(id, known, '"') });
    });
}
