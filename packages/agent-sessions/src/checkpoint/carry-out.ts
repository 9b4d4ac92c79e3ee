import { AgentError } from '@robota-sdk/agent-core';
import { adviceFor } from '../store/rescue-session.ts';
import { type FileChange, newChangeId, type RewindChange } from './change-log.ts';
import { type CheckpointRecorder, keepState, missingDirectories } from './checkpoint-recorder.ts';
import { diskProblem } from './disk-problem.ts';
import type { PlannedFile } from './plan-rewind.ts';
import { restoreFiles } from './restore-files.ts';

/** Puts files back after keeping what is there now, so that it can be undone, also by another process. */
export function carryOut(
  { log, store }: Pick<CheckpointRecorder, 'log' | 'store'>,
  change: Omit<RewindChange, 'id' | 'time' | 'files' | 'kind'>,
  wanted: readonly PlannedFile[],
): { restored: readonly string[]; failed: ReadonlyMap<string, string> } {
  const failed = new Map<string, string>();
  const files: FileChange[] = [];
  const id = newChangeId();
  try {
    for (const { path, target } of wanted) {
      const before = keepState(path, store);
      if (before.kind === 'unkept')
        failed.set(path, 'it is too large now to be kept, so this could not be undone');
      else files.push({ path, before, after: target, ...missingDirectories(path) });
    }
    log.append({ ...change, type: 'rewind', id, time: new Date().toISOString(), files });
  } catch (thrown) {
    const advice = adviceFor(thrown, store.directory);
    throw new AgentError(
      'session',
      `Nothing was rewound: what is there now could not be kept for /rewind undo (${diskProblem(thrown)}). ${advice}`,
    );
  }
  const doing = wanted.filter(({ path }) => !failed.has(path));
  for (const [path, why] of restoreFiles(doing, store)) failed.set(path, why);
  const done = files.filter(({ path }) => !failed.has(path));
  if (done.length < files.length) log.note({ type: 'after', id, files: done });
  return { restored: done.map(({ path }) => path), failed };
}
