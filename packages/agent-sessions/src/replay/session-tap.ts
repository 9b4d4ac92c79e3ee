import type { AgentRun, AnyTool, HookRegistry, ModelChoice, UserContent } from '@robota-sdk/agent-core';
import type { Conversation } from '../session/conversation.ts';

/** Stands between a session and the world: records what comes in, or replays it. */
export interface SessionTap {
  /** Replaces models and hooks if nothing outside may be reached. */
  readonly sealed?: {
    readonly models: readonly [ModelChoice, ...ModelChoice[]];
    readonly hooks: HookRegistry;
  };
  choice(choice: ModelChoice): ModelChoice;
  tool(tool: AnyTool): AnyTool;
  authorize(authorize: NonNullable<AgentRun['authorize']>): NonNullable<AgentRun['authorize']>;
  /** Receives each prompt before hooks add to it. */
  prompted(content: readonly UserContent[]): void;
  /** Called with the session once it exists. */
  attach(session: Conversation, hooks: HookRegistry): void;
  /** Sees the session of a subagent. */
  watch(session: Conversation): void;
}
