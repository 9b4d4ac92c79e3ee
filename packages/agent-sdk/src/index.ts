export {
  type ConfigAnswer,
  type ConfigRequest,
  type ExplainPlace,
  explainSetting,
  explainSettings,
  type McpAnswer,
  type McpDesk,
  mcpVerbs,
  type PluginAnswer,
  type PluginDesk,
  parseConfigWords,
  parseScope,
  pluginVerbs,
  runConfigRequest,
  runMcpRequest,
  runPluginRequest,
  type SettingReport,
  type SettingSource,
} from '@robota-sdk/agent-admin';
export {
  type AskTrust,
  askTrust,
  checkSettingsFile,
  credentialsSchema,
  editSetting,
  ensureSettingsFile,
  type HostEnvironment,
  isAboutForce,
  isHookEventName,
  keybindingFiles,
  languageProblem,
  modelsSchema,
  type ProjectSource,
  processHost,
  projectPaths,
  readableValue,
  removeKey,
  type SettingOwner,
  type Settings,
  type SettingsFile,
  type SettingsScope,
  settingOwners,
  settingsFiles,
  settingsSchema,
  storeKey,
  type TaskPermissionPolicy,
  type TaskSettings,
  type TerminalSettings,
  type TrustCollector,
  type TrustDecision,
  type TrustDraft,
  type TrustGate,
  type TrustItem,
  type TrustKind,
  type TrustSubject,
  untoldWarnings,
  userPaths,
  userResourceFolders,
  type WatchdogLimits,
} from '@robota-sdk/agent-config';
export {
  type Access,
  AgentError,
  type AgentErrorCode,
  type AgentEvent,
  type Answer,
  type AnyTool,
  type AskedCall,
  type AssistantContent,
  type AuthorizationRequest,
  type CallJudge,
  type Command,
  type CommandContext,
  type CommandOutcome,
  type Connection,
  type Content,
  createRedactor,
  type Denial,
  type Display,
  describeCost,
  describeEnd,
  type Extension,
  type ExtensionHost,
  errorMessage,
  errorReport,
  evaluatePermission,
  failureName,
  findProgram,
  type Hook,
  type HookAnswer,
  type HookCall,
  type HookExecutor,
  type HookExecutors,
  type HookInput,
  type HookPoint,
  type HookResult,
  helperEnvironment,
  isJsonObject,
  isPermissionMode,
  type JsonObject,
  type JsonValue,
  type Judgement,
  jsonSchema,
  lockHolder,
  type Message,
  type Model,
  type ModelChoice,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  makeDirectories,
  type Notice,
  nearest,
  openRegularFileSync,
  type PermissionDecision,
  type PermissionMode,
  type PermissionPolicy,
  type ProviderFactory,
  parseHookOutput,
  parseRules,
  permissionModes,
  type Question,
  type RuleLists,
  type RunOutcome,
  readRegularFile,
  type Schema,
  type SessionTarget,
  type ShellRun,
  schemaProblem,
  silentInterface,
  type ThinkingLevel,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolSelection,
  textOf,
  textOutput,
  thinkingLevels,
  trustedSearchPath,
  type Usage,
  type UserContent,
  type UserInterface,
  type Vendor,
  windowText,
} from '@robota-sdk/agent-core';
export { exportSession, exportTarget, writeExport } from '@robota-sdk/agent-export';
export type { ImportReport } from '@robota-sdk/agent-import';
export {
  type AnswerTrial,
  type CallTrial,
  type ConfiguredServer,
  configuredServers,
  findLocalServers,
  type KeyOrigin,
  type KeyTrial,
  keyOrigins,
  type LocalServer,
  listServerModels,
  type ModelInUse,
  type ModelListing,
  type ModelProbe,
  modelInUse,
  probeModel,
  type ServerAddress,
  type ServerWindow,
  tryKey,
} from '@robota-sdk/agent-models';
export {
  type AddedMarketplace,
  BundleInstaller,
  type BundleInstallerOptions,
  BundleLoader,
  detectProject,
  type ElicitByProgram,
  type ExtensionKit,
  type ExtensionModule,
  type FoundEntry,
  type FoundPlugins,
  type GivenServers,
  type IAgentDefinition,
  type IBundleManifest,
  type IBundlePlugin,
  type InstalledPlugin,
  type InstallPreview,
  type InstallRequest,
  type InstructionFile,
  type KnownMarketplace,
  type LoadBundleOptions,
  type LoadConfigOptions,
  type LoadedAgents,
  type LoadedConfig as Config,
  type LoadedPlugin,
  type LoadedSkills,
  loadAgents,
  loadConfig,
  loadPlugins,
  loadSkills,
  MarketplaceClient,
  type MarketplaceEntry,
  type MarketplaceManifest,
  type McpOAuthOptions,
  type McpServer,
  type McpServerOptions,
  type OpenMarketplace,
  type PluginContext,
  type PluginReport,
  type PluginSource,
  type PluginStatus,
  type ProgramServers,
  type ProjectContext,
  type ProjectInfo,
  parseAgents,
  parseMcpConfig,
  type Skill,
  type SkillsOptions,
  type SubagentHost,
  type SubagentLogs,
  skillExtensions,
  subagentHost,
} from '@robota-sdk/agent-resources';
export {
  type Compaction,
  type CompactionReceipt,
  type ContextPart,
  type ContextReport,
  type ContextState,
  describeSession,
  type Entry,
  type EntryView,
  type Fate,
  FileSessionLogger,
  type FoundSession,
  type ISessionLogger,
  type ISpinner,
  type ITerminalOutput,
  isSpoken,
  type ListedSession,
  labelOf,
  localTime,
  noTerminalOutput,
  type Pin,
  type PromptOptions,
  type ProviderSessionOptions,
  partName,
  type RecallItem,
  type ReceiptItem,
  type ResolveOptions,
  type RewindTurn,
  remindersIn,
  requireSession,
  resolutionProblem,
  resolveSession,
  type SearchRequest,
  type SearchRole,
  Session,
  SessionCatalogue,
  type SessionFindings,
  type SessionHandle,
  type SessionListing,
  type SessionOptions,
  type SessionResolution,
  SessionStore,
  type SessionStorePort,
  type SessionTree,
  SilentSessionLogger,
  type Snippet,
  shortIds,
  spokenContent,
  type TurnFile,
  type UnreadableSession,
  userInterfaceOf,
  withoutHeading,
} from '@robota-sdk/agent-sessions';
export {
  bashTool,
  createZodFunctionTool,
  type EditorCommand,
  type EditorCommandEnd,
  type EditorPort,
  editTool,
  findRipgrep,
  findSandbox,
  globTool,
  grepTool,
  limitText,
  readTool,
  type TToolResult,
  WorkspaceFiles,
  webFetchTool,
  webSearchTool,
  writeTool,
} from '@robota-sdk/agent-tools';
export type { SessionContext } from './assembly/context-resources.ts';
export { createSession } from './assembly/create-session.ts';
export {
  applySettings,
  onSettingsChange,
  settingsOf,
  watchSessionSettings,
} from './assembly/follow-settings.ts';
export { ownCatalogue, ownSessions, tidyOwnSessions } from './assembly/own-sessions.ts';
export type { ReloadReport } from './assembly/session-extensions.ts';
export { thinkingOfEffort, thinkingOfTokens } from './assembly/thinking-wish.ts';
export {
  commandSourceExtension,
  commandSources,
  type ICommandSource,
  type ISlashCommand,
} from './commands/command-sources.ts';
export { fateTexts } from './commands/receipt-text.ts';
export { type TreeRow, treeRows } from './commands/render-tree.ts';
export { AgentDefinitionLoader } from './compat/agent-definition-loader.ts';
export { loadSessionContext as loadContext } from './compat/load-session-context.ts';
export { createSubagentSession, type SubagentSessionOptions } from './compat/subagent-session.ts';
export type { CreateSessionOptions } from './contract/create-session-options.ts';
export type { IExecutionResult, InteractiveSessionEvents } from './contract/session-events.ts';
export { exportRedactor } from './export/export-redactor.ts';
export { callTool, type ToolRequest } from './input/call-tool.ts';
export { completeCommand } from './input/complete-command.ts';
export {
  type Completion,
  type CompletionOptions,
  type Completions,
  completeInput,
  completePath,
} from './input/complete-input.ts';
export { type DispatchOptions, dispatchInput, type InputResult } from './input/dispatch-input.ts';
export { type FailureExcerpt, failureExcerpt } from './input/failure-excerpt.ts';
export { type Input, parseInput } from './input/parse-input.ts';
export { selectAgent, selectedAgent } from './input/select-agent.ts';
export {
  callServerTool,
  readServerResource,
  replaceServers,
  restartServer,
  switchServer,
} from './mcp/session-servers.ts';
export { type ApprovalRecord, readApprovals } from './permissions/approvals.ts';
export { checkPermission, type PermissionSubject } from './permissions/check-permission.ts';
export { describeDecision } from './permissions/describe-decision.ts';
export {
  describePermissions,
  modeOriginOf,
  type PermissionReport,
  permissionReport,
  placeOf,
} from './permissions/permission-report.ts';
export { saveProjectRules } from './permissions/save-rules.ts';
export { rulesInForce } from './permissions/session-permissions.ts';
export { type RuleSuggestion, suggestRules } from './permissions/suggest-rules.ts';
export { buildSystemPrompt, type SystemPromptParts } from './prompt/system-prompt.ts';
export { rewindTurns } from './rewind/rewind.ts';
export type { CommandResult } from './session/command-result.ts';
export {
  createInteractiveSession,
  type InteractiveSessionOptions,
  type SessionChoice,
} from './session/create-interactive-session.ts';
export { InteractiveSession, type SubmitOptions } from './session/interactive-session.ts';
export { type QueryOptions, type QueryRequest, query } from './session/query.ts';
export { Query } from './session/query-run.ts';
export { SessionHub, type SessionHubEvents } from './session/session-hub.ts';
export {
  type InventoryServer,
  type SessionInventory,
  sessionInventory,
} from './session/session-inventory.ts';
export type { ITransportAdapter } from './session/transport.ts';
export { type ToolState, toolStateOf } from './state/tool-state.ts';
export { findSession } from './stored/find-session.ts';
export {
  type ImportOutcome,
  type ImportRequest,
  importablePrograms,
  importSessions,
} from './stored/import-sessions.ts';
export { KeptSessions, type KeptSessionsOptions } from './stored/kept-sessions.ts';
export { pickSession, type SessionPick } from './stored/pick-session.ts';
export { type AgentConversation, agentConversation } from './subagents/agent-conversation.ts';
export { assembleSubagentPrompt, type SubagentPromptParts } from './subagents/assemble-subagent-prompt.ts';
export { createSubagentLogger } from './subagents/create-subagent-logger.ts';
export type { SubagentOptions } from './subagents/create-subagent-session.ts';
export type { KeptWorktree } from './subagents/kept-worktree.ts';
export { runSubagent, type SubagentResult, type SubagentTask } from './subagents/run-subagent.ts';
export type { JobGroupRequest } from './tasks/job-groups.ts';
export type { LogPart } from './tasks/process-tasks.ts';
export type { AgentJobRequest, TaskFilter, TaskInput, TaskRegistry } from './tasks/task-registry.ts';
export type {
  BackgroundTask,
  JobGroup,
  JobGroupEvent,
  JobGroupResult,
  TaskError,
  TaskEvent,
  TaskKind,
  TaskResult,
  TaskStatus,
  WaitPolicy,
} from './tasks/task-state.ts';
