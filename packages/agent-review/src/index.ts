export { type Anchor, anchorAt, findAnchor } from './anchor.ts';
export {
  type CommentedLines,
  type HunkResult,
  type ListedFile,
  type PlacedDraft,
  Review,
  type ReviewedChanges,
  type ReviewServices,
} from './review.ts';
export type { ChangedFile, HunkState, LineRange, ReviewFile, ReviewHunk } from './review-file.ts';
export type { ReviewMessage } from './review-message.ts';
export { foldNotes, type ReviewDraft, type ReviewNotes, reviewNoteType } from './review-notes.ts';
export { hasCommits, rangeChanges, workingChanges, worktreeChanges } from './sources/git-changes.ts';
export { sessionChanges } from './sources/session-changes.ts';
