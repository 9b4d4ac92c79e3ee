import {
  flag,
  type JsonObject,
  type JsonValue,
  lazy,
  list,
  number,
  object,
  text,
  whole,
  words,
} from '@robota-sdk/agent-core';
import type { Anchor } from './anchor.ts';

/** The type of the custom entries of a session that keep drafts and decisions. */
export const reviewNoteType = 'robota.review';

/** A comment that was not sent yet. */
export interface ReviewDraft extends Anchor {
  readonly id: string;
  /** Absolute path of the file. */
  readonly path: string;
  /** Whether the lines are those of the old or of the new file. */
  readonly side: 'old' | 'new';
  readonly comment: string;
}

/** Drafts and kept hunks at the end of a branch. */
export interface ReviewNotes {
  readonly drafts: readonly ReviewDraft[];
  /** Keys of hunks. */
  readonly kept: ReadonlySet<string>;
}

/** The note that stores a draft, or replaces the one with the same id. */
export function draftNote(draft: ReviewDraft): JsonObject {
  // A draft holds only JSON values, which its interface cannot say.
  return { draft: { ...draft } as unknown as JsonObject };
}

/** The note that removes drafts: they were sent or deleted. */
export function withoutDraftsNote(
  ids: readonly string[],
  { isSent }: { readonly isSent: boolean },
): JsonObject {
  return { removed: [...ids], isSent };
}

/** The note that a hunk is kept, or is no longer. `open` counts the hunks of the review without a decision. */
export function keptNote(key: string, { isKept, open }: { isKept: boolean; open: number }): JsonObject {
  return { hunk: key, isKept, open };
}

/** The note that a hunk was taken back. Folding ignores it: the file shows the result. */
export function takenBackNote(key: string, { open }: { readonly open: number }): JsonObject {
  return { takenBack: key, open };
}

/**
 * The effect of a note on the changes so far: comments on them were sent, all hunks are decided, or some are open.
 * Undefined for other notes. Older notes lack the number of open hunks and count as the last decision.
 */
export function progressOf(note: JsonValue | undefined): 'sent' | 'decided' | 'open' | undefined {
  const { removed, isSent, hunk, takenBack, open = 0 } = noteShape.parse(note) ?? {};
  if (removed) return isSent === false ? undefined : 'sent';
  if (hunk === undefined && takenBack === undefined) return undefined;
  return open > 0 ? 'open' : 'decided';
}

/** Folds the notes of a branch, oldest first. Notes that are damaged are ignored. */
export function foldNotes(notes: readonly JsonValue[]): ReviewNotes {
  const drafts = new Map<string, ReviewDraft>();
  const kept = new Set<string>();
  for (const note of notes) {
    const { draft, removed = [], hunk, isKept } = noteShape.parse(note) ?? {};
    // Older drafts have no side and no copies.
    if (draft) drafts.set(draft.id, { side: 'new', copies: 1, copiesBefore: 0, ...draft });
    for (const id of removed) drafts.delete(id);
    if (hunk !== undefined) kept[isKept ? 'add' : 'delete'](hunk);
  }
  return { drafts: [...drafts.values()], kept };
}

const draftShape = lazy(() => {
  const lines = whole(list(text));
  return object(
    { id: text, path: text, comment: text, line: number, excerpt: lines, before: lines, after: lines },
    { side: words('old', 'new'), copies: number, copiesBefore: number },
  );
});

const noteShape = lazy(() =>
  object(
    {},
    {
      draft: draftShape,
      removed: list(text),
      isSent: flag,
      hunk: text,
      isKept: flag,
      takenBack: text,
      open: number,
    },
  ),
);
