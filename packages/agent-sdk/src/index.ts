export {
  AgentError,
  type AgentErrorCode,
  type AgentErrorKind,
  type Extension,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type Message,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type PermissionMode,
  type Problem,
  type RuleLists as PermissionRules,
  type Schema,
  type ThinkingLevel,
  type Tool,
  type ToolContext,
  type ToolOutput,
  textOutput,
  type Usage,
  type UserContent,
} from '@robota-sdk/agent-core';
export {
  detectProject,
  type ExtensionModule,
  type IAgentDefinition as AgentDefinition,
  loadConfig,
} from '@robota-sdk/agent-resources';
export type { Review, ReviewTarget } from '@robota-sdk/agent-review';
export {
  type Compaction,
  type ContextState,
  SessionStore,
  type SessionStorePort,
} from '@robota-sdk/agent-sessions';
export { defineExtension, type Hooks } from './client/define-extension.ts';
export { defineProvider, type ProviderEvent } from './client/define-provider.ts';
export { describeProblem } from './client/describe-problem.ts';
export type {
  Authorize,
  ClientOptions,
  McpServerConfig,
  Prompt,
  QueryOptions,
  SessionChoice,
  SessionOptions,
  TurnOptions,
} from './client/options.ts';
export { createSession, query } from './client/query.ts';
export { Robota } from './client/robota.ts';
export { Run } from './client/run.ts';
export { Session } from './client/session.ts';
export { sseResponse } from './client/sse-response.ts';
export type { SessionInfo } from './client/stored-sessions.ts';
export { tool } from './client/tool.ts';
export { loadSessionContext as loadContext } from './compat/load-session-context.ts';
export type { Answer, Question } from './contract/question.ts';
export type { RunResult } from './contract/run-result.ts';
export type { ClientEvent, SessionEvent as AgentEvent } from './contract/session-event.ts';
