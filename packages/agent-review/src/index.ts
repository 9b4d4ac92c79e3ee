export { findAnchor } from './model/anchor.ts';
export {
  type CommentedLines,
  type HunkResult,
  type ListedFile,
  type PlacedDraft,
  Review,
  type ReviewedChanges,
  type ReviewServices,
} from './model/review.ts';
export type { HunkState, ReviewFile, ReviewHunk } from './model/review-file.ts';
export type { ReviewMessage } from './model/review-message.ts';
export {
  foldNotes,
  progressOf,
  type ReviewDraft,
  reviewNoteType,
} from './model/review-notes.ts';
export { type ReviewTarget, targetChanges } from './sources/target-changes.ts';
