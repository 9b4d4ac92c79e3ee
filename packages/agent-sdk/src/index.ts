export type { HostEnvironment } from '@robota-sdk/agent-config';
export {
  type Access,
  AgentError,
  type AgentErrorCode,
  type AgentEvent,
  type Answer,
  type AnyTool,
  type CallJudge,
  type Command,
  type CommandOutcome,
  type Content,
  type Denial,
  type Extension,
  type ExtensionHost,
  type Hook,
  type HookPoint,
  type JsonObject,
  type JsonValue,
  type Judgement,
  jsonSchema,
  type Message,
  type Model,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type Notice,
  type PermissionMode,
  type ProviderFactory,
  type Question,
  type RuleLists,
  type RunOutcome,
  type Schema,
  type ThinkingLevel,
  type Tool,
  type ToolContext,
  type ToolOutput,
  textOutput,
  type Usage,
  type UserContent,
  type UserInterface,
} from '@robota-sdk/agent-core';
export {
  detectProject,
  type ExtensionModule,
  type IAgentDefinition,
  loadConfig,
  type McpServerOptions,
} from '@robota-sdk/agent-resources';
export {
  type Compaction,
  type ContextState,
  type ISessionLogger,
  Session,
  type SessionHandle,
  type SessionOptions,
  SessionStore,
  type SessionStorePort,
} from '@robota-sdk/agent-sessions';
export { createSession } from './assembly/create-session.ts';
export { loadSessionContext as loadContext } from './compat/load-session-context.ts';
export type { CreateSessionOptions } from './contract/create-session-options.ts';
export type { IExecutionResult } from './contract/session-events.ts';
export { dispatchInput } from './input/dispatch-input.ts';
export {
  createInteractiveSession,
  type InteractiveSessionOptions,
  type SessionChoice,
} from './session/create-interactive-session.ts';
export { InteractiveSession } from './session/interactive-session.ts';
export { type QueryOptions, type QueryRequest, query } from './session/query.ts';
export { Query } from './session/query-run.ts';
export { SessionHub } from './session/session-hub.ts';
export type { ITransportAdapter } from './session/transport.ts';
