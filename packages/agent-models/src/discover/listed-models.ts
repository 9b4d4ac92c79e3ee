import { type Catalogue, findVendor, given, type Model, type Vendor } from '@robota-sdk/agent-core';
import type { ListedServer } from './model-cache.ts';

/** The models that servers listed beside those of the catalogue, each once. */
export function listedModels(catalogue: Catalogue, lists: readonly ListedServer[]): readonly Model[] {
  const known = new Set(catalogue.models.map((model) => `${model.vendor}/${model.id}`));
  return lists.flatMap(({ vendor: id, models }) => {
    const vendor = findVendor(catalogue, id);
    return models.flatMap((row) => {
      const name = `${id}/${row.id}`;
      if (!vendor || known.has(name)) return [];
      known.add(name);
      return [listedModel(vendor, row)];
    });
  });
}

function listedModel(vendor: Vendor, { id, window, server }: ListedServer['models'][number]): Model {
  const { contextWindow, maxOutput, images, thinking } = vendor.defaults;
  const fits =
    vendor.api === 'ollama' ? Math.min(window ?? contextWindow, contextWindow) : (window ?? contextWindow);
  return {
    vendor: vendor.id,
    id,
    api: vendor.api,
    name: id,
    contextWindow: fits,
    maxOutput: Math.min(maxOutput, fits),
    images,
    thinking,
    ...(vendor.compat || server ? { compat: { ...vendor.compat, ...given('server', server) } } : {}),
  };
}
