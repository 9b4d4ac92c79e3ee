import { type ApiKind, costOf, loadCatalogue, type ModelRef, type Usage } from '@robota-sdk/agent-core';

const apis: Readonly<Record<string, ApiKind>> = {
  anthropic: 'anthropic',
  google: 'google',
  openai: 'openai-responses',
};

/** A model of another program by the names that it gives it. */
export function modelOf(vendor: string, id: string): ModelRef {
  return { vendor, id, api: apis[vendor] ?? 'openai' };
}

/** The list price of an answer; 0 where the catalogue has none. */
export function priceOf({ vendor, id }: ModelRef, usage: Usage): number {
  const model = loadCatalogue().models.find((each) => each.vendor === vendor && each.id === id);
  return costOf(usage, model?.price);
}
