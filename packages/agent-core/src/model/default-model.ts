import { createVendor, findVendor, loadCatalogue } from './catalogue.ts';
import type { Model } from './model.ts';
import { resolveModel } from './resolve-model.ts';

/** The model of a vendor where none is named; for a vendor that is not in the catalogue, one with cautious limits. */
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
