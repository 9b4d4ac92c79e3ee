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
export function withoutDraftsNote(ids: readonly string[]): JsonObject {
  return { removed: [...ids] };
}

/** The note that a hunk is kept, or is no longer. */
export function keptNote(key: string, isKept: boolean): JsonObject {
  return { hunk: key, isKept };
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
