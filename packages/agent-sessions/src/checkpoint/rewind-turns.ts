import type { Content } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { requestOf } from '../entry/request-of.ts';
import type { Change, FileChange } from './change-log.ts';
import { type FileState, sameState } from './file-state.ts';

/** The part of a session's tree that rewinding needs. */
export interface RewindTree {
  readonly leafId: string | null;
  /** The active branch. */
  pathIds(): readonly string[];
  entry(id: string): Entry | undefined;
  /** All branches, in the order in which they were written. */
  ids(): Iterable<string>;
  parentIdOf(id: string): string | null;
  /** The entries with user prompts, on all branches. */
  readonly promptIds: Iterable<string>;
}

/** The change of a file in one turn. */
export interface TurnFile {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** True if the content of before can be put back. */
  readonly isKept: boolean;
}

/** A prompt of the active branch and its changes. */
export interface RewindTurn {
  /** Its position among the prompts of all branches. */
  readonly number: number;
  readonly entryId: string;
  /** The leaf before it; null at the very beginning. */
  readonly parentId: string | null;
  /** ISO. */
  readonly time: string;
  readonly prompt: string;
  readonly files: readonly TurnFile[];
  /** Why its changes are not completely known. */
  readonly unknown: readonly string[];
}

/** True if a content is still stored. */
export type IsKept = (state: FileState) => boolean;

/** The turns of the active branch with the changes of their calls. */
export function turnsOf(tree: RewindTree, changes: readonly Change[], isKept: IsKept): RewindTurn[] {
  const path = tree.pathIds();
  const numbers = new Map([...tree.promptIds].map((id, index) => [id, index + 1]));
  const turnOf = new Map<string, string>();
  let current: string | undefined;
  for (const id of path) {
    if (numbers.has(id)) current = id;
    if (current !== undefined) turnOf.set(id, current);
  }
  const calls = changes.filter(({ kind }) => kind === 'call');
  return path.flatMap((id, index) => {
    const entry = numbers.has(id) ? tree.entry(id) : undefined;
    if (!entry) return [];
    const own = calls.filter((change) => turnOf.get(change.entry ?? '') === id);
    return {
      number: numbers.get(id) ?? 0,
      entryId: id,
      parentId: path[index - 1] ?? null,
      time: entry.timestamp,
      // Read again when it is wanted: all prompts together may be larger than memory.
      get prompt() {
        const again = tree.entry(id);
        const request = again && requestOf(again);
        return request?.shown ?? firstText(request?.content ?? []);
      },
      files: netChanges(own.flatMap(({ files }) => files)).map((file) => turnFile(file, isKept)),
      unknown: [...new Set(own.flatMap((change) => ('unknown' in change ? (change.unknown ?? []) : [])))],
    };
  });
}

/** The changes since a turn began: its own, later ones, and those of branches left meanwhile. */
export function changesSince(
  tree: RewindTree,
  changes: readonly Change[],
  turnId: string,
): readonly Change[] {
  const parents = new Map<string, string | null>();
  for (const id of tree.ids()) parents.set(id, tree.parentIdOf(id));
  const isAfter = (entry: string | null): boolean => {
    const seen = new Set<string>();
    for (let id = entry; id !== null && !seen.has(id); id = parents.get(id) ?? null) {
      if (id === turnId) return true;
      seen.add(id);
    }
    return false;
  };
  const first = changes.findIndex(({ entry }) => isAfter(entry));
  return first < 0 ? [] : changes.slice(first);
}

/** Text of hooks follows the typed text. */
function firstText(content: readonly Content[]): string {
  const first = content.find(({ type }) => type === 'text');
  return first?.type === 'text' ? first.text : '';
}

/** First and last state of each file; files that ended as they began are omitted. */
function netChanges(files: readonly FileChange[]): FileChange[] {
  const net = new Map<string, FileChange>();
  for (const { path, before, after } of files) {
    const first = net.get(path)?.before ?? before;
    net.set(path, { path, before: first, ...(after === undefined ? {} : { after }) });
  }
  return [...net.values()].filter(({ before, after }) => after === undefined || !sameState(before, after));
}

function turnFile({ path, before, after }: FileChange, isKept: IsKept): TurnFile {
  const change = before.kind === 'absent' ? 'created' : after?.kind === 'absent' ? 'deleted' : 'changed';
  return { path, change, isKept: isKept(before) };
}
