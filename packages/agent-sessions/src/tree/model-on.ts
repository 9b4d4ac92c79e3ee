import type { Entry } from '../entry/entry.ts';

/** The model a branch was on last, as `vendor/id`: the one that was chosen, or the one that answered; nothing where neither is there. */
export function modelOn(path: readonly Entry[]): string | undefined {
  for (const entry of path.toReversed()) {
    if (entry.type === 'model_change') return `${entry.provider}/${entry.modelId}`;
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue;
    const { vendor, id } = entry.message.model;
    if (id !== '') return vendor === '' ? id : `${vendor}/${id}`;
  }
  return undefined;
}
