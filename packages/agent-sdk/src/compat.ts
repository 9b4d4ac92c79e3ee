export { projectPaths, userPaths } from '@robota-sdk/agent-config';
export { evaluatePermission } from '@robota-sdk/agent-core';
export {
  BundleInstaller,
  BundleLoader,
  type IAgentDefinition,
  type IBundleManifest,
  type IBundlePlugin,
  MarketplaceClient,
} from '@robota-sdk/agent-resources';
export {
  FileSessionLogger,
  type ISessionLogger,
  type ISpinner,
  type ITerminalOutput,
  noTerminalOutput,
  Session,
  SilentSessionLogger,
  userInterfaceOf,
} from '@robota-sdk/agent-sessions';
export {
  bashTool,
  createZodFunctionTool,
  editTool,
  FunctionTool,
  globTool,
  grepTool,
  readTool,
  type TToolResult,
  WorkspaceFiles,
  webFetchTool,
  webSearchTool,
  writeTool,
} from '@robota-sdk/agent-tools';
export type { ITransportAdapter } from './client/transport.ts';
export {
  commandSourceExtension,
  type ICommandSource,
  type ISlashCommand,
} from './commands/command-sources.ts';
export { AgentDefinitionLoader } from './compat/agent-definition-loader.ts';
export { AgentExecutor, PromptExecutor, type PromptExecutorOptions } from './compat/hook-executors.ts';
export { type HookRun, type HookRunRequest, runHooks } from './compat/run-hooks.ts';
export { createSubagentSession, type SubagentSessionOptions } from './compat/subagent-session.ts';
export type {
  IContextWindowState,
  IHookTypeExecutor,
  IResolvedConfig,
  TPermissionMode,
  TTextDeltaCallback,
} from './compat/type-names.ts';
export type { CreateSessionOptions } from './contract/create-session-options.ts';
export type { IExecutionResult } from './contract/run-result.ts';
export { completeCommand } from './input/complete-command.ts';
export { buildSystemPrompt } from './prompt/system-prompt.ts';
export {
  createInteractiveSession,
  type InteractiveSessionOptions,
} from './session/create-interactive-session.ts';
export { InteractiveSession } from './session/interactive-session.ts';
export type { InteractiveSessionEvents } from './session/named-events.ts';
export { assembleSubagentPrompt } from './subagents/assemble-subagent-prompt.ts';
export { createSubagentLogger } from './subagents/create-subagent-logger.ts';
export { runSubagent } from './subagents/run-subagent.ts';
