import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
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
  if (!isJsonObject(note)) return undefined;
  if (Array.isArray(note.removed)) return note.isSent === false ? undefined : 'sent';
  if (typeof note.hunk !== 'string' && typeof note.takenBack !== 'string') return undefined;
  return typeof note.open === 'number' && note.open > 0 ? 'open' : 'decided';
}

/** Folds the notes of a branch, oldest first. Notes that are damaged are ignored. */
export function foldNotes(notes: readonly JsonValue[]): ReviewNotes {
  const drafts = new Map<string, ReviewDraft>();
  const kept = new Set<string>();
  for (const note of notes) {
    if (!isJsonObject(note)) continue;
    const draft = parseDraft(note.draft);
    if (draft) drafts.set(draft.id, draft);
    if (Array.isArray(note.removed)) for (const id of note.removed) drafts.delete(String(id));
    if (typeof note.hunk === 'string') kept[note.isKept === true ? 'add' : 'delete'](note.hunk);
  }
  return { drafts: [...drafts.values()], kept };
}

function parseDraft(value: JsonValue | undefined): ReviewDraft | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, path, side, comment, line, excerpt, before, after, copies, copiesBefore } = value;
  if (typeof id !== 'string' || typeof path !== 'string' || typeof comment !== 'string') return undefined;
  if (typeof line !== 'number' || !isTexts(excerpt) || !isTexts(before) || !isTexts(after)) return undefined;
  return {
    id,
    path,
    side: side === 'old' ? 'old' : 'new',
    comment,
    line,
    excerpt,
    before,
    after,
    copies: typeof copies === 'number' ? copies : 1,
    copiesBefore: typeof copiesBefore === 'number' ? copiesBefore : 0,
  };
}

function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
