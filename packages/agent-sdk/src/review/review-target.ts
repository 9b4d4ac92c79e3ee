import { AgentError } from '@robota-sdk/agent-core';
import type { ReviewTarget } from '@robota-sdk/agent-review';

/** Reads the arguments of `/review` and `/diff`. */
export function parseReviewTarget(args: string): ReviewTarget {
  const text = args.trim();
  if (text === '') return 'session';
  const [, path] = /^worktree(?:\s+(.*))?$/s.exec(text) ?? [undefined, undefined];
  if (path !== undefined && path !== '') return { worktree: path };
  if (text === 'worktree')
    throw new AgentError('usage', 'Missing path. Use /review worktree PATH; git worktree list shows them.');
  // No revision starts like a path.
  if (/^\.{0,2}(?:\/|$)/.test(text)) return { worktree: text };
  if (/\s/.test(text))
    throw new AgentError('usage', `Unknown target "${text}". Use main, main..HEAD or worktree PATH.`);
  return { range: text };
}
