import type { SettingOptions } from '@robota-sdk/agent-config';
import type {
  AgentRun,
  CallJudge,
  Extension,
  HookExecutors,
  RuleLists,
  ToolSelection,
  UserInterface,
} from '@robota-sdk/agent-core';
import type {
  IAgentDefinition,
  LoadedConfig,
  ProjectContext,
  ProjectInfo,
  SandboxChoice,
} from '@robota-sdk/agent-resources';
import type { Compaction, ISessionLogger, SessionHandle, SessionTap } from '@robota-sdk/agent-sessions';
import type { EditorPort, PreviewFormat } from '@robota-sdk/agent-tools';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { LiveSettings } from '../settings/live-settings.ts';

/** How a program resumes the calls of a session after a crash. */
export interface CallRecovery {
  /** Waited for before a call runs, those of agents included, so that the program can note it. */
  readonly beforeExecute: NonNullable<AgentRun['beforeExecute']>;
  /** Decides about a call of the last answer without a result. */
  readonly resolvePending: NonNullable<AgentRun['resolvePending']>;
}

/** Options of an assembly; only `config` and `context` are required. */
export interface CreateSessionOptions extends SettingOptions {
  readonly config: LoadedConfig;
  /** Keeps the settings up to date with their files during the session. */
  readonly live?: LiveSettings | undefined;
  readonly context: ProjectContext;
  /** Reads the instruction files again, when a compaction has broken the cached prompt anyway. */
  readonly reloadContext?: (() => Promise<ProjectContext>) | undefined;
  readonly projectInfo?: ProjectInfo | undefined;
  /** The user interface; without one, calls that need approval are denied. */
  readonly terminal?: UserInterface | undefined;
  /** Decides calls instead of the user; deny rules still apply. */
  readonly authorize?: CallJudge | undefined;
  /** The editor that the session works in: its files with their unsaved changes, and its terminal. */
  readonly editor?: EditorPort | undefined;
  readonly cwd?: string | undefined;
  /** The directory whose settings, instructions and extensions these are, where the session works in a worktree of it. */
  readonly project?: string | undefined;
  /** The user may switch to bypassPermissions later. */
  readonly mayBypass?: boolean | undefined;
  /** Denies what would need the user's approval, although a user may be present. */
  readonly dontAsk?: boolean | undefined;
  /** Rules in addition to those of the settings. */
  readonly rules?: RuleLists | undefined;
  /** Leave the allow rules of settings out, so that a mode which only reads keeps to it. */
  readonly ignoreAllowRules?: boolean;
  /** Sandbox options in addition to the settings. */
  readonly sandbox?: SandboxChoice | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** True if a program chooses the model, not a command line. */
  readonly isProgram?: boolean | undefined;
  readonly maxCost?: number | undefined;
  /** True if runs wait for rate limits by default, since a user sees it and can stop it. */
  readonly waitsForLimits?: boolean | undefined;
  readonly systemPrompt?: string | undefined;
  readonly appendSystemPrompt?: string | undefined;
  /** Instructions for plans, sent in plan mode. */
  readonly planInstructions?: string | undefined;
  /** Sends directory, platform and date with the first prompt, so that the system prompt is the same for every user. */
  readonly movesEnvironment?: boolean | undefined;
  readonly tools?: ToolSelection | undefined;
  readonly builtInTools?: boolean | undefined;
  /** The front end shows an example with each choice of a question, written so. */
  readonly questionPreviews?: PreviewFormat | undefined;
  /** Agents in addition to the built-in ones; the first of a name wins. */
  readonly agents?: readonly IAgentDefinition[] | undefined;
  readonly extensions?: readonly Extension<InteractiveSession>[] | undefined;
  /** Executors for hooks of the settings by type, in addition to `command`, `http`, `prompt` and `agent`. */
  readonly hookExecutors?: HookExecutors | undefined;
  /** The stored conversation; in memory without one. */
  readonly handle?: SessionHandle | undefined;
  readonly logger?: ISessionLogger | undefined;
  /** Without it, a call that lost its result in a crash is never run again. */
  readonly recovery?: CallRecovery | undefined;
  /** Records the session, or replays one. */
  readonly tap?: SessionTap | undefined;
  /** Called whenever earlier messages were replaced or pruned. */
  readonly onCompact?: ((compaction: Compaction) => void) | undefined;
}
