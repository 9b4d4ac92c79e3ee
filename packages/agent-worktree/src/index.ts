export { hasUncommittedChanges } from './uncommitted-changes.ts';
export { Worktree, type WorktreeEnd, type WorktreeRequest } from './worktree.ts';
