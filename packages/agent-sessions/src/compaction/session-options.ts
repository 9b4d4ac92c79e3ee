import type {
  AgentRun,
  AnyTool,
  Hooks,
  JsonObject,
  MessageQueue,
  Model,
  ModelChoice,
  ModelProvider,
  ThinkingLevel,
  ToolCallContent,
  ToolOutput,
  UserContent,
  UserInterface,
  Workspace,
} from '@robota-sdk/agent-core';
import type { BudgetLimits } from '../budget/budget.ts';
import type { DayLedger } from '../budget/day-ledger.ts';
import type { Payer } from '../budget/session-spending.ts';
import type { ISessionLogger } from '../log/session-logger.ts';
import type { ITerminalOutput } from '../log/terminal-output.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import type { ThresholdOptions } from '../window/context-window.ts';
import type { CompactionResult } from './compact.ts';

/** When and how far a conversation is made shorter. */
export interface CompactionPolicy extends ThresholdOptions {
  /** False: only when asked for, or when the vendor refuses the conversation for its length. */
  readonly enabled?: boolean;
  /** Tokens at the end that stay word for word. */
  readonly keepRecentTokens?: number;
}

/** A compaction that changed something. */
export type Compaction = Exclude<CompactionResult, { readonly kind: 'unchanged' }>;

/** Options of a session; everything beyond `tools`, `models` and `systemMessage` has a sensible default. */
export interface SessionOptions {
  readonly tools: readonly AnyTool[];
  /** The model and its fallbacks. */
  readonly models: readonly [ModelChoice, ...ModelChoice[]];
  readonly systemMessage: string;
  /** The user interface; without one, calls that need approval are denied. */
  readonly terminal?: UserInterface;
  readonly workspace?: Workspace;
  /** The stored conversation; without one it stays in memory. */
  readonly handle?: SessionHandle;
  readonly logger?: ISessionLogger;
  readonly hooks?: Hooks;
  readonly queue?: MessageQueue;
  readonly thinking?: ThinkingLevel;
  readonly webSearch?: boolean;
  readonly maxTurns?: number;
  /** US dollars for one prompt, above what the budget says. */
  readonly maxCost?: number;
  readonly budget?: BudgetLimits;
  /** Cost of all sessions on a day. */
  readonly dayLedger?: DayLedger;
  /** The session that pays for this one, a subagent of it: its budget counts, and its totals include what is spent here. */
  readonly payer?: Payer;
  /** True while the session that this one works for ends with its program: a wait for a limit then stays in the file. */
  readonly isParentLeaving?: () => boolean;
  readonly retry?: AgentRun['retry'];
  /** The longest time that a run waits for limits of vendors to reset; it does not wait where absent. */
  readonly maxLimitWaitMs?: number;
  readonly execution?: AgentRun['execution'];
  /** The environment of child processes, without secrets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly outputDir?: string;
  readonly compactInstructions?: string;
  /** The files whose text is a part of `systemMessage`. */
  readonly instructions?: readonly { readonly path: string; readonly text: string }[];
  /** Reads them again: what changed, if something did. Asked when a compaction breaks the cached beginning anyway. */
  readonly reloadInstructions?: () => Promise<ModelDependentOptions | undefined>;
  /** A model only for summaries, connected when it is needed; throws where it can't be reached. */
  readonly summaryModel?: () => ModelChoice;
  /** The list of things to do as it is now, as text; it survives compaction word for word. */
  readonly todos?: () => string;
  /** A reminder for the model after a prompt, given the number of earlier prompts. */
  readonly reminder?: (promptsBefore: number) => string | undefined;
  /** How the conversation is kept within a model's window. */
  readonly compaction?: (model: Model) => CompactionPolicy;
  /** Told whenever the older part of the conversation was replaced or pruned. */
  readonly onCompact?: (compaction: Compaction) => void;
  /** Receives each prompt before hooks add to it. */
  readonly onPrompt?: (content: readonly UserContent[]) => void;
  readonly authorize?: AgentRun['authorize'];
  /** Done for each call after it was allowed and right before it runs. */
  readonly beforeExecute?: AgentRun['beforeExecute'];
  /** Decides about calls that a crash left without results; they never run again unless given. */
  readonly resolvePending?: AgentRun['resolvePending'];
  /** Takes secrets out of what a model says before it is shown or kept. */
  readonly hideSecrets?: AgentRun['hideSecrets'];
  readonly limitOutput?: (
    output: ToolOutput,
    call: ToolCallContent,
    outputDir: string,
  ) => Promise<ToolOutput>;
}

/** A session of one provider; its model is the vendor's default unless given. */
export interface ProviderSessionOptions extends Omit<SessionOptions, 'models' | 'terminal'> {
  readonly provider: ModelProvider;
  readonly terminal?: UserInterface | ITerminalOutput;
  readonly model?: Model;
  readonly models?: undefined;
}

/** Options of one prompt. */
export interface PromptOptions {
  readonly maxTurns?: number;
  readonly maxCost?: number;
  /** The JSON Schema of an answer without tools; enforced where the server can. */
  readonly answerSchema?: JsonObject;
  readonly signal?: AbortSignal;
  readonly origin?: 'command';
  /** The user's input, shown instead of the prompt. */
  readonly shown?: string;
  /** Content the prompt refers to, such as files; not shown. */
  readonly attachments?: readonly UserContent[];
  /** Resumes the run that waited for a limit when its process ended; without one, the prompt runs. */
  readonly resumesParked?: boolean;
}

/** Options that differ between models. */
export type ModelDependentOptions = Partial<
  Pick<SessionOptions, 'tools' | 'systemMessage' | 'webSearch' | 'compactInstructions' | 'instructions'>
>;
