export { agentBranch } from './agent-branch.ts';
export { findBranch } from './find-branch.ts';
export { SessionWorktree, type SessionWorktreeRequest, type WorktreeChoice } from './session-worktree.ts';
export { hasUncommittedChanges } from './uncommitted-changes.ts';
export { type Git, type Work, Worktree, type WorktreeEnd, type WorktreeRequest } from './worktree.ts';
