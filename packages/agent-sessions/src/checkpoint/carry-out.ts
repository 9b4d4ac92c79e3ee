import { AgentError, diskAdvice } from '@robota-sdk/agent-core';
import { type Change, type FileChange, newChangeId, type RewindChange } from './change-log.ts';
import { type CheckpointRecorder, keepState, missingDirectories } from './checkpoint-recorder.ts';
import { diskProblem } from './disk-problem.ts';
import { placedStateOf, sameState } from './file-state.ts';
import type { PlannedFile } from './plan-rewind.ts';
import { restoreFiles } from './restore-files.ts';

/** Restores files after saving their current state, so that another process can undo it too. */
export function carryOut(
  { log, store }: Pick<CheckpointRecorder, 'log' | 'store'>,
  change: Omit<RewindChange, 'id' | 'time' | 'files' | 'kind'>,
  wanted: readonly PlannedFile[],
): { restored: readonly string[]; failed: ReadonlyMap<string, string> } {
  const failed = new Map<string, string>();
  const files: FileChange[] = [];
  const id = newChangeId();
  const unfinished = cutOff(log.changes, change);
  try {
    for (const { path, target } of wanted) {
      const before = keepState(path, store);
      if (before.kind === 'unkept')
        failed.set(path, 'it is too large to be saved, so this could not be undone');
      else files.push({ path, before, after: target, ...missingDirectories(path) });
    }
    files.push(...unfinished.flatMap((one) => doneBy(one, files)));
    log.append({ ...change, type: 'rewind', id, time: new Date().toISOString(), files });
    for (const one of unfinished) log.note({ type: 'after', id: one.id, files: [], isReplaced: true });
  } catch (thrown) {
    const advice = diskAdvice(thrown, store.directory);
    throw new AgentError(
      'session',
      `Nothing was rewound: the current state could not be saved for /rewind undo (${diskProblem(thrown)}). ${advice}`,
    );
  }
  const doing = wanted.filter(({ path }) => !failed.has(path));
  for (const [path, why] of restoreFiles(doing, store)) failed.set(path, why);
  log.note({ type: 'after', id, files: files.filter(({ path }) => !failed.has(path)) });
  const restored = doing.map(({ path }) => path).filter((path) => !failed.has(path));
  return { restored, failed };
}

/** Rewinds that were killed: this one completes them, and one undo reverts all of it. */
function cutOff(
  changes: readonly Change[],
  { undoes }: Pick<RewindChange, 'undoes'>,
): readonly RewindChange[] {
  const last = changes.at(-1);
  if (undoes !== undefined || last?.kind !== 'rewind' || last.isComplete === true) return [];
  return last.undoes === undefined ? [last] : [];
}

/** The files that an interrupted rewind had restored. */
function doneBy({ files }: RewindChange, others: readonly FileChange[]): FileChange[] {
  const taken = new Set(others.map(({ path }) => path));
  return files.filter(
    ({ path, after }) => !taken.has(path) && after !== undefined && sameState(placedStateOf(path), after),
  );
}
