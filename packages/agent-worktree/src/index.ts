export { agentBranch } from './agent-branch.ts';
export { findBranch } from './find-branch.ts';
export { ownWorktree } from './own-worktree.ts';
export { SessionWorktree, type SessionWorktreeRequest, type WorktreeChoice } from './session-worktree.ts';
export { hasUncommittedChanges } from './uncommitted-changes.ts';
export { type GitRunner, type Work, Worktree, type WorktreeEnd, type WorktreeRequest } from './worktree.ts';
