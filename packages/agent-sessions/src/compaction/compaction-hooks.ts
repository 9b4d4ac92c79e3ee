import type { Hooks } from '@robota-sdk/agent-core';
import type { CompactionRequest, CompactionResult } from './compact.ts';

interface Occasion {
  readonly hooks: Hooks;
  readonly reason: CompactionRequest['reason'];
  readonly signal: AbortSignal;
}

/** Asks the hooks before a compaction: one may forbid it, or say what the summary should dwell on. */
export async function beforeCompaction(
  { hooks, reason, signal }: Occasion,
  focus: string | undefined,
): Promise<{ readonly block?: string; readonly focus: string | undefined }> {
  if (!hooks.has('compact-before')) return { focus };
  const instructions = focus === undefined ? {} : { instructions: focus };
  const result = await hooks.run('compact-before', { trigger: triggerOf(reason), ...instructions }, signal);
  const wishes = [focus, result.context].filter(Boolean).join('\n\n');
  return { focus: wishes, ...(result.block === undefined ? {} : { block: result.block }) };
}

/** Tells the hooks what a compaction made of the conversation. */
export async function afterCompaction(
  { hooks, reason, signal }: Occasion,
  result: CompactionResult,
): Promise<void> {
  if (!hooks.has('compact-after')) return;
  const summary = result.kind === 'summarised' ? result.summary : '';
  await hooks.run('compact-after', { trigger: triggerOf(reason), summary }, signal);
}

function triggerOf(reason: CompactionRequest['reason']): 'manual' | 'auto' {
  return reason === 'manual' ? 'manual' : 'auto';
}
