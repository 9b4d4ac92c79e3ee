import type { HookGroup } from '@robota-sdk/agent-config';
import type { PermissionMode, ThinkingLevel } from '@robota-sdk/agent-core';

/** An agent that a session can start: built-in, or a Markdown file. */
export interface IAgentDefinition {
  readonly name: string;
  /** When to use it, for users and the model. */
  readonly description: string;
  readonly systemPrompt: string;
  /** A model, `sonnet`, `haiku`, `opus`, or `inherit`. Default: the parent's. */
  readonly model?: string;
  /** How much it thinks. Default: as the parent. */
  readonly effort?: ThinkingLevel;
  readonly maxTurns?: number;
  /** Only these tools. */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Stricter than the parent's, or without effect. */
  readonly permissionMode?: PermissionMode;
  /** `worktree`: it works in a copy of the repository on a new branch. */
  readonly isolation?: 'worktree';
  /** Works in the background unless a call says otherwise. */
  readonly background?: boolean;
  /** It works without the instruction files of the user and the project. */
  readonly omitInstructions?: boolean;
  /** Skills it reads before its work; it has the Skill tool for them. */
  readonly skills?: readonly string[];
  /** Hooks of its file, active only while it works. */
  readonly hooks?: readonly HookGroup[];
  /** Its origin: `built-in`, a file or a plugin. */
  readonly source?: string;
}
