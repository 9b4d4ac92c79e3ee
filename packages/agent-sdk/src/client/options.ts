import type { OptionsOf } from '@robota-sdk/agent-config';
import type { CallJudge, Extension, JsonObject, RuleLists, Tool, UserContent } from '@robota-sdk/agent-core';
import type { IAgentDefinition, McpServerOptions, SandboxChoice } from '@robota-sdk/agent-resources';
import type { Compaction, ISessionLogger, SessionStorePort } from '@robota-sdk/agent-sessions';
import type { EditorPort } from '@robota-sdk/agent-tools';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { Hooks } from './define-extension.ts';
import type { DefinedProvider } from './define-provider.ts';
import type { QuestionPolicy } from './pending-questions.ts';
import type { ProgramServer } from './program-server.ts';
import type { AnySchema } from './tool.ts';

/** A text, or blocks of text, images and files. */
export type Prompt = string | readonly UserContent[];

/** How to reach a vendor, if it differs from environment and settings. */
interface ConnectionOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options that live as long as a client. */
export interface ClientOptions extends OptionsOf<'client'> {
  /** The home directory with settings, keys and sessions. Default: the user's. */
  readonly home?: string;
  /** The environment instead of that of the process; `PATH` is added if it is missing. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** By vendor, such as `anthropic`. */
  readonly connections?: Readonly<Record<string, ConnectionOptions>>;
  readonly providers?: readonly DefinedProvider[];
  /** The store of sessions. Default: files in the home directory. */
  readonly store?: SessionStorePort;
  readonly logger?: ISessionLogger;
  /** US dollars a day. */
  readonly dailyBudget?: number;
}

/**
 * Which session: in memory only, a new one on disk, the last of the directory, a stored one (perhaps a copy of it, perhaps
 * from another entry on), one of a certain id (made if need be), or a file.
 */
export type SessionChoice =
  | 'memory'
  | 'new'
  | 'latest'
  | { readonly resume: string; readonly at?: string; readonly fork?: boolean }
  | { readonly id: string; readonly name?: string }
  | { readonly file: string };

/** An MCP server: a command or URL, an instance of the official SDK's server, or tools of the program. */
export type McpServerConfig = McpServerOptions | ProgramServer;

/** Kinds of files that a session reads. Default: all. */
export interface Sources {
  readonly settings?: boolean;
  readonly instructions?: boolean;
  readonly extensions?: boolean;
  readonly skills?: boolean | readonly string[];
  readonly mcp?: boolean;
}

/** Limits of a run. On a session they are the defaults of its runs. */
export interface RunLimits extends OptionsOf<'turn'> {
  /** US dollars. */
  readonly maxCost?: number;
  readonly maxTimeMs?: number;
}

/** Options that live as long as a session. */
export interface SessionOptions extends RunLimits, OptionsOf<'session'> {
  /** Relative to the working directory of the process. Default: that directory. */
  readonly cwd?: string;
  /** Default: in memory. */
  readonly session?: SessionChoice;
  /** `vendor/id`, an id, a profile, or a provider of the program. */
  readonly model?: string | DefinedProvider;
  readonly permissions?: RuleLists;
  /** Allows a later switch to bypassPermissions. */
  readonly mayBypass?: boolean;
  readonly authorize?: Authorize;
  /** Handling of questions. Default: `deny`. */
  readonly questions?: QuestionPolicy;
  readonly sandbox?: SandboxChoice;
  /** Trusts the repository's hooks, servers and settings for this session. */
  readonly trustProject?: boolean;
  readonly tools?: readonly Tool[];
  /** The built-in tools: all, none, or those of these names. */
  readonly builtInTools?: boolean | readonly string[];
  readonly excludeTools?: readonly string[];
  readonly hooks?: Hooks;
  readonly agents?: readonly IAgentDefinition[];
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  readonly extensions?: readonly Extension<InteractiveSession>[];
  /** Folders of plugins that are used without being installed. */
  readonly plugins?: readonly string[];
  readonly systemPrompt?: string | { readonly append: string };
  /** Settings above those of all files. */
  readonly settings?: JsonObject;
  readonly sources?: 'all' | 'none' | Sources;
  /** US dollars for the whole session. */
  readonly budget?: number;
  /** Records the session to a file, or replays it; `auto` replays if the file exists. */
  readonly cassette?: { readonly file: string; readonly mode: 'record' | 'replay' | 'auto' };
  readonly editor?: EditorPort;
}

/** Options that live as long as a run. */
export interface TurnOptions<T = string> extends RunLimits {
  readonly signal?: AbortSignal;
  /** The answer is JSON of this shape, and the run's value is typed by it. */
  readonly output?: AnySchema<T>;
}

/** Session and turn options of a single prompt, and callbacks as a shorthand for iterating. */
export interface QueryOptions<T = string> extends SessionOptions, TurnOptions<T> {
  readonly onTextDelta?: (delta: string) => void;
  readonly onCompact?: (compaction: Compaction) => void;
  /** Called for a tool that the vendor runs itself, such as web search. */
  readonly onServerToolUse?: (name: string, summary: string) => void;
}

/**
 * Judges a call after the deny rules and before the others: `'allow'`, `'deny'`, `{ deny: reason }`, or undefined to
 * let the rules decide. It cannot allow what a rule or plan mode denies; if it throws, the call is denied.
 */
export type Authorize = CallJudge;

/** The part of a query's options that its session needs, and the part that its run needs. */
export function splitQuery<T>(options: QueryOptions<T>) {
  const {
    signal,
    output,
    maxTurns,
    maxCost,
    maxTimeMs,
    onTextDelta,
    onCompact,
    onServerToolUse,
    ...session
  } = options;
  const turn: TurnOptions<T> = { signal, output, maxTurns, maxCost, maxTimeMs } as TurnOptions<T>;
  return { session: session as SessionOptions, turn, callbacks: { onTextDelta, onCompact, onServerToolUse } };
}

/** The seed's callbacks of a query. */
export type QueryCallbacks = ReturnType<typeof splitQuery>['callbacks'];
