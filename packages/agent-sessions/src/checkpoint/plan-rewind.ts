import { dirname } from 'node:path';
import { realPathOf } from '@robota-sdk/agent-core';
import type { Change, FileChange } from './change-log.ts';
import { type FileState, sameState, stateOf } from './file-state.ts';
import type { IsKept } from './rewind-turns.ts';

/** What a rewind means for one file. */
export interface PlannedFile {
  readonly path: string;
  readonly target: FileState;
  /** Directories that were made for it, outermost first; they go when they are empty. */
  readonly directories: readonly string[];
  /**
   * `restore`: it is as the agent left it; `conflict`: someone else changed it; `unkept`: its content is not there;
   * `refused`: it must not be touched.
   */
  readonly status: 'restore' | 'conflict' | 'unkept' | 'refused';
  readonly why?: string;
}

/**
 * What would bring files back to before the first of some changes. The last of them is the newest of all but for `later`
 * ones, which stay.
 */
export function planRewind(
  changes: readonly Change[],
  isKept: IsKept,
  later: readonly Change[] = [],
): PlannedFile[] {
  const byPath = new Map<string, FileChange[]>();
  for (const { files } of changes) {
    for (const file of files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  }
  const newest = new Map(later.flatMap(({ files }) => files.map((file) => [file.path, file] as const)));
  return [...byPath].flatMap(([path, history]) => planFile({ history, newest: newest.get(path) }, isKept));
}

interface FileHistory {
  readonly history: readonly FileChange[];
  /** What the agent did to it afterwards. */
  readonly newest: FileChange | undefined;
}

function planFile({ history, newest }: FileHistory, isKept: IsKept): PlannedFile[] {
  const [first] = history;
  const last = history.at(-1);
  if (first === undefined || last === undefined) return [];
  const { path, before: target } = first;
  const current = stateOf(path);
  if (sameState(current, target)) return [];
  const directories = [...new Set(history.flatMap((change) => change.directories ?? []))];
  const plan = { path, target, directories };
  const problem = problemOf(path, current, last);
  if (problem !== undefined) return [{ ...plan, status: 'refused', why: problem }];
  if (!isKept(target)) return [{ ...plan, status: 'unkept', why: whyUnkept(target) }];
  const isOurs = newest?.after !== undefined && sameState(newest.after, current);
  const why = conflictOf(
    history,
    current,
    isOurs ? 'Robota changed it again' : 'it was changed by someone else',
  );
  return [why === undefined ? { ...plan, status: 'restore' } : { ...plan, status: 'conflict', why }];
}

function problemOf(path: string, current: FileState, { after }: FileChange): string | undefined {
  const directory = dirname(path);
  const real = realPathOf(directory);
  if (real !== directory) return `its directory now leads to ${real}`;
  if (current.kind === 'other' && after?.kind !== 'other')
    return 'something that is not a file is in its place';
  return undefined;
}

function whyUnkept(target: FileState): string {
  if (target.kind === 'unkept' && target.stamp === '') return 'what it was before is not known';
  if (target.kind === 'unkept') return `its ${target.size.toLocaleString('en')} bytes were not kept`;
  return target.kind === 'other' ? 'it was no regular file' : 'its content is no longer kept';
}

function conflictOf(history: readonly FileChange[], current: FileState, changed: string): string | undefined {
  const last = history.at(-1)?.after;
  if (last === undefined)
    return 'the call that changed it was cut off, so its work can not be told from others';
  if (!sameState(current, last)) return `${changed} since`;
  const isBroken = history.some((change, index) => {
    const next = history[index + 1];
    return next !== undefined && (change.after === undefined || !sameState(change.after, next.before));
  });
  return isBroken ? 'it was changed by someone else in between' : undefined;
}
