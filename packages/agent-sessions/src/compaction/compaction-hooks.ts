import type { HookRegistry } from '@robota-sdk/agent-core';
import type { CompactionRequest, CompactionResult } from './compact.ts';

interface Occasion {
  readonly hooks: HookRegistry;
  readonly reason: CompactionRequest['reason'];
  readonly signal: AbortSignal;
}

/** Runs the hooks before a compaction: they may prevent it, or set the focus of the summary. */
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

/** Runs the hooks after a compaction. */
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
