import type { ResourceFolder } from '@robota-sdk/agent-config';
import type { JsonObject, ThinkingLevel } from '@robota-sdk/agent-core';

/** A skill as described by its front matter; its text is read on use. */
export interface Skill extends SkillFile {
  readonly name: string;
  /** The name of its folder, by which it can be called too, where that is another one. */
  readonly folderName?: string;
  /** Its purpose and when to use it, for users and the model. */
  readonly description: string;
  /** Such as `[file]`. */
  readonly argumentHint?: string;
  /** Names of its arguments, which its text calls `$name`. */
  readonly argumentNames?: readonly string[];
  readonly isUserInvocable: boolean;
  readonly isModelInvocable: boolean;
  /** Set if its file says who may use it. */
  readonly isInvocationGiven?: true;
  /** Globs of the files it is for; the model is told of it when it touches one. */
  readonly paths?: readonly string[];
  /** Calls that need no question while it is in use. */
  readonly allowedTools?: readonly string[];
  /** Set if calls outside `allowedTools` are refused while it is in use. */
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
  /** The agent that executes it. Default: `general-purpose`. */
  readonly agent?: string;
  /** As in settings; they run while the skill is in use. */
  readonly hooks?: JsonObject;
  /** The shell of its commands. Default: bash. */
  readonly shell?: string;
}

/** A file with a skill. */
export interface SkillFile {
  readonly path: string;
  /** The skills folder that contains it. */
  readonly folder: string;
  /** The base of the files it refers to. */
  readonly directory: string;
  /** The name if the file has none. */
  readonly defaultName: string;
  /** Supplied by the repository, the user's own, or of an installed plugin. */
  readonly scope: ResourceFolder['scope'];
  /** The folder that must contain a repository's file, after resolving links. */
  readonly root?: string;
  readonly plugin?: string;
  /** Written for Claude Code: `$0` is the first argument. */
  readonly countsFromZero?: true;
  /** The folder of the plugin. */
  readonly pluginRoot?: string;
  /** A single Markdown file among others that may not be skills: it is one only if it has a description. */
  readonly isPlain?: true;
  /** Its folder is shared with programs that only accept the names of the Agent Skills standard. */
  readonly hasStandardName?: true;
}
