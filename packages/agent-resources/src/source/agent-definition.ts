import type { PermissionMode } from '@robota-sdk/agent-core';

/** An agent that a session can start beside itself: built-in, or a Markdown file. */
export interface IAgentDefinition {
  readonly name: string;
  /** When to use it, for users and the model. */
  readonly description: string;
  readonly systemPrompt: string;
  /** A model, `sonnet`, `haiku`, `opus`, or `inherit`; the parent's unless given. */
  readonly model?: string;
  readonly maxTurns?: number;
  /** Only these tools. */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Stricter than the parent's, or without effect. */
  readonly permissionMode?: PermissionMode;
  /** `worktree`: it works in a copy of the repository on a new branch. */
  readonly isolation?: 'worktree';
  /** Its origin: `built-in`, a file or a plugin. */
  readonly source?: string;
}
