import type { ResourceFolder } from '@robota-sdk/agent-config';
import type { JsonObject, ThinkingLevel } from '@robota-sdk/agent-core';

/** A skill as the head of its file tells it; its text is read when it is used. */
export interface Skill extends SkillFile {
  readonly name: string;
  /** Its purpose and when to use it, for users and the model. */
  readonly description: string;
  /** Such as `[file]`. */
  readonly argumentHint?: string;
  /** Names of its arguments, which its text calls `$name`. */
  readonly argumentNames?: readonly string[];
  readonly isUserInvocable: boolean;
  readonly isModelInvocable: boolean;
  /** Set where its file says who may use it. */
  readonly isInvocationGiven?: true;
  /** Calls that need no question while it is in use. */
  readonly allowedTools?: readonly string[];
  /** Set where calls outside `allowedTools` are refused while it is in use. */
  readonly restrictsTools?: true;
  readonly disallowedTools?: readonly string[];
  readonly model?: string;
  readonly effort?: ThinkingLevel;
  readonly maxTurns?: number;
  /**
   * `fork`: a new agent with this prompt; `agent`: a task for an existing agent; otherwise the conversation
   * itself.
   */
  readonly context: 'inline' | 'fork' | 'agent';
  /** The agent whose task it is; `general-purpose` unless given. */
  readonly agent?: string;
  /** As in settings; they are at work while the skill is in use. */
  readonly hooks?: JsonObject;
  /** Its commands are for this shell; bash unless given. */
  readonly shell?: string;
}

/** A file that holds a skill. */
export interface SkillFile {
  readonly path: string;
  /** The folder of skills it was found in. */
  readonly folder: string;
  /** The base of the files it refers to. */
  readonly directory: string;
  /** The name if the file has none. */
  readonly defaultName: string;
  /** Supplied by the repository, the user's own, or of an installed plugin. */
  readonly scope: ResourceFolder['scope'];
  /** The folder that a repository's file must lie in, after resolving links. */
  readonly root?: string;
  readonly plugin?: string;
  /** The folder of the plugin. */
  readonly pluginRoot?: string;
  /** A single Markdown file beside others that may be no skills: it is one only if it has a description. */
  readonly isPlain?: true;
  /** Its folder is shared with programs that only accept the names of the Agent Skills standard. */
  readonly hasStandardName?: true;
}
