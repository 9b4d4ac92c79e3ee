import type { HookRegistry } from '../hook/run-hook.ts';
import type { ToolCallContent, UserContent } from '../message/content.ts';
import type { CallPermission, Message, ToolStatus, UserMessage } from '../message/message.ts';
import type { ModelFailure } from '../message/model-event.ts';
import type { Model, ThinkingLevel } from '../model/model.ts';
import type { ModelProvider } from '../model/provider.ts';
import type { RetryPolicy } from '../model/retry.ts';
import type { JsonObject } from '../shape/json.ts';
import type { Access } from '../tool/access.ts';
import type { AnyTool, ToolOutput, ToolScope } from '../tool/tool.ts';
import type { UserInterface } from '../tool/user-interface.ts';
import type { AgentEvent } from './events.ts';
import type { SecretHider } from './hide-in-stream.ts';
import type { LimitWait } from './limit-waits.ts';
import type { MessageQueue } from './message-queue.ts';

/** A model together with the provider that reaches it. */
export interface ModelChoice {
  readonly model: Model;
  readonly provider: ModelProvider;
  /** True if the vendor searches the web for this model. Default: the run's setting. */
  readonly webSearch?: boolean;
}

/** The calls of one message, which are authorized one after the other. */
export interface CallBatch {
  /** Identifies the message. */
  readonly of: object;
  /** The valid calls after this one. */
  later(): Promise<readonly Pick<AuthorizationRequest, 'tool' | 'access'>[]>;
}

/** A call to be allowed or denied. */
export interface AuthorizationRequest {
  readonly tool: AnyTool;
  readonly call: ToolCallContent;
  /** The validated input. */
  readonly input: unknown;
  readonly access: readonly Access[];
  /** The verdict of the hooks; deny and ask rules override an allow. */
  readonly hook: { readonly verdict: 'allow' | 'ask' | 'deny'; readonly reason: string } | undefined;
  /** True if the answer may change the arguments. Default: false. */
  readonly mayChange?: boolean;
  /** True if exactly these arguments were approved: no question is asked, but deny rules still apply. */
  readonly isApproved?: boolean;
  /** Set for calls of a model. */
  readonly batch?: CallBatch;
}

export type Authorization =
  /** With `input`, the call may run only with these arguments, after they are judged too. */
  | {
      readonly allowed: true;
      readonly input?: JsonObject;
      readonly permission?: CallPermission;
      /** True if the rules, the mode or a hook allowed it, as things are now. */
      readonly byPolicy?: true;
    }
  | {
      readonly allowed: false;
      readonly reason: string;
      /** The reason in a few words. */
      readonly brief?: string;
      readonly wouldAllow?: readonly string[];
      readonly permission?: CallPermission;
    };

/** A call that was allowed and is about to run. */
export type AllowedCall = Pick<AuthorizationRequest, 'tool' | 'call' | 'input' | 'access'>;

/** Called when a call has ended, successfully or not. */
export type AfterCall = () => Promise<void>;

/** A call without a result: its process has ended, and the call may have run. */
export interface PendingCall {
  readonly call: ToolCallContent;
  /** Undefined if the tool no longer exists. */
  readonly tool?: AnyTool | undefined;
  /** Input and accesses; undefined if the tool does not accept the call now. */
  readonly ready?: Pick<AllowedCall, 'input' | 'access'> | undefined;
}

/** `run`: as a call just made, with permission and hooks; otherwise its result. */
export type PendingResolution = 'run' | { readonly output: ToolOutput; readonly status: ToolStatus };

/** Why the conversation has to become shorter. */
export type WindowReason = 'threshold' | 'overflow';

/** The shared environment of a run's tools. */
export interface ToolEnvironment extends ToolScope {
  readonly env: Readonly<Record<string, string>>;
  readonly outputDir: string;
  readonly ui: UserInterface;
}

/** Everything one run of the loop needs; the loop itself keeps no state between runs. */
export interface AgentRun {
  readonly history: readonly Message[];
  /** The message that starts the run; absent to continue from the history. */
  readonly prompt?: {
    readonly content: readonly UserContent[];
    readonly origin?: UserMessage['origin'];
    readonly shown?: UserMessage['shown'];
    /** Content the prompt refers to, sent after it; not shown. */
    readonly attachments?: readonly UserContent[];
  };
  /** Text for the model after the prompt; not shown. */
  readonly reminder?: string;
  readonly system: string;
  /** The model to use, then its fallbacks in order. */
  readonly models: readonly [ModelChoice, ...ModelChoice[]];
  readonly thinking: ThinkingLevel;
  readonly webSearch?: boolean;
  readonly tools: readonly AnyTool[];
  readonly toolEnvironment: ToolEnvironment;
  /** `sequential` runs the calls of a message one after the other. */
  readonly execution?: 'parallel' | 'sequential';
  readonly hooks: HookRegistry;
  readonly queue: MessageQueue;
  readonly maxTurns?: number;
  readonly maxOutput?: number;
  /** The JSON Schema of the answer, where the run is expected to need no tools. */
  readonly answerSchema?: JsonObject;
  readonly retry?: RetryPolicy;
  /** The total time the run may wait for vendor limits to reset. Default: it does not wait. */
  readonly maxLimitWaitMs?: number;
  /** A limit wait that an earlier process began; the run starts with its remainder. */
  readonly parked?: LimitWait;
  readonly sessionId?: string;
  readonly signal: AbortSignal;
  authorize(request: AuthorizationRequest, signal: AbortSignal): Promise<Authorization>;
  /**
   * Decides about calls at the end of the history without results, before the prompt. Without it they never run
   * again.
   */
  resolvePending?(call: PendingCall, scope: ToolScope, signal: AbortSignal): Promise<PendingResolution>;
  /** Asked before each model call; a stop ends the run. */
  checkSpending?(signal: AbortSignal): Promise<SpendingStop | undefined>;
  /** Called for each allowed call right before it runs, for example to save a checkpoint. */
  beforeExecute?(call: AllowedCall, scope: ToolScope): Promise<AfterCall | undefined>;
  /** Shortens a result for the model. */
  limitOutput?(output: ToolOutput, call: ToolCallContent): Promise<ToolOutput>;
  /** Removes secrets from the model's text before it is shown or stored. */
  readonly hideSecrets?: SecretHider;
  /** Shortens the conversation to fit; undefined if that is impossible or unnecessary. */
  fitWindow?(messages: readonly Message[], reason: WindowReason): Promise<readonly Message[] | undefined>;
  /** Describes the contents of the window, for the error when the conversation cannot be made to fit. */
  explainOverflow?(): string;
  /** Turns a conversation into one that vendors accept. Called before every request, so it must be fast. */
  repairHistory?(messages: readonly Message[]): readonly Message[];
  /** Finds content to omit from a conversation refused as invalid; undefined if no cause is found. */
  findRemedy?(messages: readonly Message[], failure: ModelFailure): HistoryRemedy | undefined;
}

/** A conversation without the content that a vendor refused. */
interface HistoryRemedy {
  readonly messages: readonly Message[];
  /** Called once the vendor has accepted it. */
  keep(): Promise<void>;
}

/** Why no more money may be spent. */
export interface SpendingStop {
  readonly code: 'max-cost' | 'budget';
  readonly message: string;
}

/** Receives every event; the loop waits for it. */
export type EventSink = (event: AgentEvent) => void | Promise<void>;
