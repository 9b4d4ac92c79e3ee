import type {
  AgentRun,
  AnyTool,
  HookRegistry,
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
  /** False: compacts only on request, or if the vendor refuses the conversation because of its length. */
  readonly enabled?: boolean;
  /** Tokens at the end that are kept verbatim. */
  readonly keepRecentTokens?: number;
}

/** A compaction that changed something. */
export type Compaction = Exclude<CompactionResult, { readonly kind: 'unchanged' }>;

/** Options of a session; everything beyond `tools`, `models` and `systemMessage` has a sensible default. */
export interface ConversationOptions {
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
  readonly hooks?: HookRegistry;
  readonly queue?: MessageQueue;
  readonly thinking?: ThinkingLevel;
  readonly webSearch?: boolean;
  readonly maxTurns?: number;
  /** US dollars for one prompt; the smaller of this and the budget counts. */
  readonly maxCost?: number;
  readonly budget?: BudgetLimits;
  /** Cost of all sessions on a day. */
  readonly dayLedger?: DayLedger;
  /** The parent session that pays for this subagent: its budget applies, and its totals include this spending. */
  readonly payer?: Payer;
  /** True while the session that this one works for ends with its program: a wait for a limit then stays in the file. */
  readonly isParentLeaving?: () => boolean;
  readonly retry?: AgentRun['retry'];
  /** The total time a run may wait for vendor limits to reset. Default: it does not wait. */
  readonly maxLimitWaitMs?: number;
  readonly execution?: AgentRun['execution'];
  /** The environment of child processes, without secrets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly outputDir?: string;
  readonly compactInstructions?: string;
  /** The files whose text is a part of `systemMessage`. */
  readonly instructions?: readonly { readonly path: string; readonly text: string }[];
  /** Reads them again and returns changes. Called when a compaction breaks the cached beginning anyway. */
  readonly reloadInstructions?: () => Promise<ModelDependentOptions | undefined>;
  /** A model only for summaries, connected on demand; throws if it cannot be reached. */
  readonly summaryModel?: () => ModelChoice;
  /** The current todo list as text; kept verbatim by compaction. */
  readonly todos?: () => string;
  /** A reminder for the model after a prompt, given the number of earlier prompts. */
  readonly reminder?: (promptsBefore: number) => string | undefined;
  /** How the conversation is kept within a model's window. */
  readonly compaction?: (model: Model) => CompactionPolicy;
  /** Called whenever earlier messages were replaced or pruned. */
  readonly onCompact?: (compaction: Compaction) => void;
  /** Receives each prompt before hooks add to it. */
  readonly onPrompt?: (content: readonly UserContent[]) => void;
  readonly authorize?: AgentRun['authorize'];
  /** Done for each call after it was allowed and right before it runs. */
  readonly beforeExecute?: AgentRun['beforeExecute'];
  /** Decides about calls that a crash left without results. Default: they never run again. */
  readonly resolvePending?: AgentRun['resolvePending'];
  /** Removes secrets from the model's text before it is shown or stored. */
  readonly hideSecrets?: AgentRun['hideSecrets'];
  readonly limitOutput?: (
    output: ToolOutput,
    call: ToolCallContent,
    outputDir: string,
  ) => Promise<ToolOutput>;
}

/** A session of one provider, by default with the vendor's default model. */
export interface ProviderConversationOptions extends Omit<ConversationOptions, 'models' | 'terminal'> {
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
  Pick<ConversationOptions, 'tools' | 'systemMessage' | 'webSearch' | 'compactInstructions' | 'instructions'>
>;
