export { compareLists, type ListChange } from './compare-lists.ts';
export { diffFragments } from './diff-fragments.ts';
export type { DiffLine, FileDiff } from './diff-line.ts';
export { diffTexts, type FileStates } from './diff-texts.ts';
export { formatUnifiedDiff } from './format-unified-diff.ts';
export { type ChangeCount, countChanges, cutDiff, hunksOf } from './hunks.ts';
export { withContext } from './with-context.ts';
export { alignRun, marksOfLine, type TextRange } from './word-marks.ts';
