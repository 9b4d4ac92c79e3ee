import type { Risk, ShellScope } from '@robota-sdk/agent-shell';
import type { Access } from '../../tool/access.ts';
import type { PermissionMode } from './mode.ts';

/** One entry of an allow, ask or deny list: `Tool` or `Tool(specifier)`. */
export interface Rule {
  readonly tool: string;
  readonly specifier?: string;
  /** As the user wrote it. */
  readonly text: string;
  /** Its location: a file and line, a flag, or the name of a built-in set. */
  readonly origin: RuleOrigin;
  /**
   * Set for a line of an ignore file: `IgnoredFiles` matches it with paths, the specifier only covers everything it may
   * name.
   */
  readonly isIgnoreLine?: true;
}

/** The files that ignore files hide from the agent. */
export interface IgnoredFiles {
  /** The line that hides a path; links are not followed. */
  ruleFor(path: string): Rule | undefined;
  /** Every line that hides something. */
  readonly rules: readonly Rule[];
}

export interface RuleOrigin {
  readonly source: string;
  readonly line?: number;
}

export interface PermissionRules {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

/** Everything a decision depends on, except the call itself. */
export interface PermissionPolicy extends ShellScope {
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
  /** Denied like files under a deny rule; no other rule and no mode allows them. */
  readonly ignored?: IgnoredFiles | undefined;
  /**
   * True if the workspace is not the rules' project, such as a worktree of it. Rules added there use full paths and
   * last for the session only, because in the project they would mean other files.
   */
  readonly isElsewhere?: boolean;
}

/** A call to judge, by its declared accesses. */
export interface PermissionRequest {
  readonly tool: string;
  readonly access: readonly Access[];
}

/** A list of rules, and the decision that its rules make. */
export type RuleList = 'allow' | 'ask' | 'deny';

/** The decision, always with a reason. */
export interface PermissionDecision {
  readonly verdict: RuleList;
  /** The rule that decided, if one did. */
  readonly rule?: Rule;
  /** For `deny`: the mode that refused it, if no rule did. */
  readonly mode?: 'plan';
  readonly reason: string;
  /** For `deny`: the reason in a few words, shown behind the path. */
  readonly brief?: string;
  /** For `ask` and `deny`: the smallest rules that would have allowed the call; absent if none can. */
  readonly wouldAllow?: readonly string[];
  /** For `ask`: the parts of a command that make it dangerous; the reason names them too. */
  readonly dangers?: readonly Risk[];
  /** For `ask`: parts that deserve attention, such as network use. */
  readonly cautions?: readonly Risk[];
  /** Set if a protected file would be written. */
  readonly isProtected?: true;
  /** For `ask`: only the user may answer, no hook, because a rule asks or a protected file would be written. */
  readonly isFinal?: true;
}

/** Rules as a user writes them. */
export interface RuleLists {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}
