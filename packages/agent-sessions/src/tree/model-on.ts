import { parkedIn } from '../compaction/parked-run.ts';
import type { SessionHandle } from '../store/session-handle.ts';

/**
 * The model of the active branch as `vendor/id`: the last one that was chosen, answered or waited for; undefined if
 * there is none.
 */
export function modelOn(handle: SessionHandle): string | undefined {
  for (const entry of handle.backwards('model_change', 'message', 'custom')) {
    if (entry.type === 'model_change') return `${entry.provider}/${entry.modelId}`;
    if (entry.type === 'custom') {
      const { wait, call } = parkedIn(entry) ?? {};
      if (wait && call === undefined) return `${wait.model.vendor}/${wait.model.id}`;
    }
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue;
    const { vendor, id } = entry.message.model;
    if (id !== '') return vendor === '' ? id : `${vendor}/${id}`;
  }
  return undefined;
}
