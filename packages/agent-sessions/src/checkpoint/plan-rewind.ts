import { dirname } from 'node:path';
import { isWithin } from '@robota-sdk/agent-core';
import type { Change, FileChange } from './change-log.ts';
import { type FileState, placedStateOf, redirectionOf, sameState, stateOf } from './file-state.ts';
import type { IsKept } from './rewind-turns.ts';

/** The effect of a rewind on one file. */
export interface PlannedFile {
  readonly path: string;
  readonly target: FileState;
  /** Directories that were made for it, outermost first; they go when they are empty. */
  readonly directories: readonly string[];
  /**
   * `restore`: it is as the agent left it; `conflict`: changed by others; `unkept`: its content was not
   * saved; `refused`: it must not be touched.
   */
  readonly status: 'restore' | 'conflict' | 'unkept' | 'refused';
  readonly why?: string;
}

/**
 * Plans how to restore files to before the first of some changes. The last of them is the newest except for
 * `later` ones, which stay.
 */
export function planRewind(
  changes: readonly Change[],
  isKept: IsKept,
  later: readonly Change[] = [],
): PlannedFile[] {
  const byPath = new Map<string, Step[]>();
  for (const change of changes) {
    const isOpen = change.kind === 'rewind' && change.isComplete !== true;
    for (const file of change.files)
      byPath.set(file.path, [...(byPath.get(file.path) ?? []), { file, isOpen }]);
  }
  const newest = new Map(later.flatMap(({ files }) => files.map((file) => [file.path, file] as const)));
  const plan = (path: string, steps: readonly Step[], leaving: ReadonlySet<string>) =>
    planFile({ path, steps, newest: newest.get(path) }, { isKept, leaving });
  const first = [...byPath].flatMap(([path, steps]) => plan(path, steps, new Set()));
  // Removing a link also removes what blocked other files.
  const leaving = new Set(
    first.flatMap(({ path, target, status }) =>
      status === 'restore' && target.kind === 'absent' && stateOf(path).kind === 'symlink' ? path : [],
    ),
  );
  if (leaving.size === 0) return first;
  return [...byPath].flatMap(([path, steps]) => plan(path, steps, leaving));
}

/** The effect of one change on a file. */
interface Step {
  readonly file: FileChange;
  /** True if it belongs to a rewind that was cut off, so that it may not have happened. */
  readonly isOpen: boolean;
}

interface FileHistory {
  readonly path: string;
  readonly steps: readonly Step[];
  /** The agent's latest change of it. */
  readonly newest: FileChange | undefined;
}

interface RewindEnvironment {
  readonly isKept: IsKept;
  /** Links that go first. */
  readonly leaving: ReadonlySet<string>;
}

function planFile(
  { path, steps, newest }: FileHistory,
  { isKept, leaving }: RewindEnvironment,
): PlannedFile[] {
  const current = placedStateOf(path);
  const history = happened(steps, current);
  const [first] = history;
  const last = history.at(-1);
  if (first === undefined || last === undefined) return [];
  const { before: target } = first;
  if (sameState(current, target)) return [];
  const directories = [...new Set(history.flatMap((change) => change.directories ?? []))];
  const plan = { path, target, directories };
  const problem = problemOf(last, current, leaving);
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

/** The changes that took effect: an interrupted rewind did not reach files that still look as before it. */
function happened(steps: readonly Step[], current: FileState): readonly FileChange[] {
  const done = steps.filter(({ file, isOpen }, index) => {
    if (!isOpen) return true;
    const next = steps[index + 1]?.file.before ?? current;
    return !sameState(file.before, next) || (file.after !== undefined && sameState(file.after, next));
  });
  return done.map(({ file }) => file);
}

function problemOf(
  { path, after }: FileChange,
  current: FileState,
  leaving: ReadonlySet<string>,
): string | undefined {
  const directory = dirname(path);
  const elsewhere = redirectionOf(directory);
  const isFreed = [...leaving].some((link) => isWithin(link, directory));
  if (elsewhere !== undefined && !isFreed) return `its directory now leads to ${elsewhere}`;
  if (current.kind === 'other' && after?.kind !== 'other')
    return 'something that is not a file is in its place';
  return undefined;
}

function whyUnkept(target: FileState): string {
  if (target.kind === 'unkept' && target.stamp === '') return 'its previous state is unknown';
  if (target.kind === 'unkept') return `its ${target.size.toLocaleString('en')} bytes were not saved`;
  return target.kind === 'other' ? 'it was no regular file' : 'its content is no longer saved';
}

function conflictOf(history: readonly FileChange[], current: FileState, changed: string): string | undefined {
  const last = history.at(-1)?.after;
  if (last === undefined)
    return 'the call that changed it was cut off, so its work cannot be told from others';
  if (!sameState(current, last)) return `${changed} since`;
  const isBroken = history.some((change, index) => {
    const next = history[index + 1];
    return next !== undefined && (change.after === undefined || !sameState(change.after, next.before));
  });
  return isBroken ? 'it was changed by someone else in between' : undefined;
}
