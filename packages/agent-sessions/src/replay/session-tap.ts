import type { AgentRun, AnyTool, Hooks, ModelChoice, UserContent } from '@robota-sdk/agent-core';
import type { Conversation } from '../session/conversation.ts';

/** Stands between a session and the world: writes down what comes in, or gives it back later. */
export interface SessionTap {
  /** Takes the place of models and hooks where nothing outside may be reached. */
  readonly sealed?: {
    readonly models: readonly [ModelChoice, ...ModelChoice[]];
    readonly hooks: Hooks;
  };
  choice(choice: ModelChoice): ModelChoice;
  tool(tool: AnyTool): AnyTool;
  authorize(authorize: NonNullable<AgentRun['authorize']>): NonNullable<AgentRun['authorize']>;
  /** Receives each prompt before hooks add to it. */
  prompted(content: readonly UserContent[]): void;
  /** Sees the session as soon as there is one. */
  attach(session: Conversation, hooks: Hooks): void;
  /** Sees the session of a subagent. */
  watch(session: Conversation): void;
}
