import type { Content } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { promptNumbers, requestOf } from '../entry/prompt-numbers.ts';
import type { Change, FileChange } from './change-log.ts';
import { type FileState, sameState } from './file-state.ts';

/** The part of a session's tree that rewinding needs. */
export interface RewindTree {
  readonly leafId: string | null;
  /** The active branch. */
  path(): readonly Entry[];
  /** All branches. */
  entries(): Iterable<Entry>;
}

/** What became of a file in one turn. */
export interface TurnFile {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** Whether the content of before can be put back. */
  readonly isKept: boolean;
}

/** A prompt of the active branch, and what was done for it. */
export interface RewindTurn {
  /** Its place among the prompts of all branches. */
  readonly number: number;
  readonly entryId: string;
  /** Where the conversation stood before it; null at the very beginning. */
  readonly parentId: string | null;
  /** ISO. */
  readonly time: string;
  readonly prompt: string;
  readonly files: readonly TurnFile[];
  /** Why not everything it changed is known. */
  readonly unknown: readonly string[];
}

/** Whether a content is still kept. */
export type IsKept = (state: FileState) => boolean;

/** The turns of the active branch with what their calls changed. */
export function turnsOf(tree: RewindTree, changes: readonly Change[], isKept: IsKept): RewindTurn[] {
  const path = tree.path();
  const turnOf = new Map<string, string>();
  let current: string | undefined;
  for (const entry of path) {
    if (requestOf(entry)) current = entry.id;
    if (current !== undefined) turnOf.set(entry.id, current);
  }
  const calls = changes.filter(({ kind }) => kind === 'call');
  const before = new Map(path.map(({ id }, index) => [id, path[index - 1]?.id ?? null]));
  const numbers = promptNumbers(tree.entries());
  return path.flatMap((entry) => {
    const request = requestOf(entry);
    if (!request) return [];
    const own = calls.filter((change) => turnOf.get(change.entry ?? '') === entry.id);
    return {
      number: numbers.get(entry.id) ?? 0,
      entryId: entry.id,
      parentId: before.get(entry.id) ?? null,
      time: entry.timestamp,
      prompt: typedText(request.content),
      files: netChanges(own.flatMap(({ files }) => files)).map((file) => turnFile(file, isKept)),
      unknown: [...new Set(own.flatMap((change) => ('unknown' in change ? (change.unknown ?? []) : [])))],
    };
  });
}

/** The changes since a turn began: its own, those after it, and those of branches that were left meanwhile. */
export function changesSince(
  tree: RewindTree,
  changes: readonly Change[],
  turnId: string,
): readonly Change[] {
  const parents = new Map<string, string | null>();
  for (const { id, parentId } of tree.entries()) parents.set(id, parentId);
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

/** What hooks add stands behind what was typed. */
function typedText(content: readonly Content[]): string {
  const first = content.find(({ type }) => type === 'text');
  return first?.type === 'text' ? first.text : '';
}

/** First and last state of each file; what ended as it began is left out. */
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
