import type { SessionHandle } from '../store/session-handle.ts';

/** The model that the active branch was on last, as `vendor/id`: the one that was chosen, or the one that answered; nothing where neither is there. */
export function modelOn(handle: SessionHandle): string | undefined {
  for (const entry of handle.backwards('model_change', 'message')) {
    if (entry.type === 'model_change') return `${entry.provider}/${entry.modelId}`;
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue;
    const { vendor, id } = entry.message.model;
    if (id !== '') return vendor === '' ? id : `${vendor}/${id}`;
  }
  return undefined;
}
