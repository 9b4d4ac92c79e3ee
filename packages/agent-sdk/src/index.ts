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
  type Denial,
  type Display,
  describeCost,
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
export {
  type Compaction,
  type CompactionReceipt,
  type ContextPart,
  type ContextReport,
  type ContextState,
  createRedactor,
  describeSession,
  type Entry,
  type EntryView,
  exportSession,
  exportTarget,
  type Fate,
  FileSessionLogger,
  type FoundSession,
  type ImportReport,
  type ISessionLogger,
  type ISpinner,
  type ITerminalOutput,
  isForPeople,
  isSpoken,
  type ListedSession,
  labelOf,
  localTime,
  lockHolder,
  noTerminalOutput,
  type Pin,
  type PrefixBreak,
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
  writeExport,
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
export { type ConfigRequest, parseConfigWords, parseScope } from './config/config-request.ts';
export { editSetting, type SettingsScope, scopeFile, settingsScopes } from './config/edit-settings.ts';
export {
  type ExplainPlace,
  explainSetting,
  explainSettings,
  type SettingReport,
  type SettingSource,
} from './config/explain-setting.ts';
export { languageProblem } from './config/language-problem.ts';
export { type LoadConfigOptions, loadConfig } from './config/load-config.ts';
export { readableValue } from './config/readable-value.ts';
export { type ConfigAnswer, runConfigRequest } from './config/run-config-request.ts';
export { credentialsSchema } from './config/schema/credentials-schema.ts';
export { modelsSchema } from './config/schema/models-schema.ts';
export { settingsSchema } from './config/schema/settings-schema.ts';
export type { Settings, TerminalSettings } from './config/settings.ts';
export { checkSettingsFile, ensureSettingsFile } from './config/settings-file.ts';
export { type SettingsFile, settingsFiles } from './config/settings-files.ts';
export { isAboutForce, untoldWarnings } from './config/untold-warnings.ts';
export { detectProject, type ProjectInfo } from './context/detect-project.ts';
export type { InstructionFile } from './context/instruction-reader.ts';
export type { ProjectContext } from './context/load-context.ts';
export type { CreateSessionOptions } from './contract/create-session-options.ts';
export type { IExecutionResult, InteractiveSessionEvents } from './contract/session-events.ts';
export { removeKey, storeKey } from './credentials.ts';
export { type HostEnvironment, keybindingFiles, type SettingOwner, settingOwners } from './dialects.ts';
export { exportRedactor } from './export/export-redactor.ts';
export type { ExtensionKit, ExtensionModule } from './extensions/extension-kit.ts';
export { isHookEventName } from './hooks/hook-events.ts';
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
export type { GivenServers } from './mcp/load-servers.ts';
export { parseMcpConfig } from './mcp/mcp-config-option.ts';
export { type McpAnswer, type McpDesk, mcpVerbs, runMcpRequest } from './mcp/operations/run-mcp-request.ts';
export type {
  ElicitByProgram,
  McpOAuthOptions,
  McpServer,
  McpServerOptions,
  ProgramServers,
} from './mcp/server-definition.ts';
export {
  callServerTool,
  readServerResource,
  replaceServers,
  restartServer,
  switchServer,
} from './mcp/session-servers.ts';
export { projectPaths, userPaths } from './paths.ts';
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
export {
  BundleInstaller,
  type BundleInstallerOptions,
  type InstallPreview,
  type InstallRequest,
  type PluginStatus,
} from './plugins/bundle-installer.ts';
export { BundleLoader, type LoadBundleOptions } from './plugins/bundle-loader.ts';
export type { IBundleManifest, IBundlePlugin } from './plugins/bundle-plugin.ts';
export type { InstalledPlugin } from './plugins/installed-plugins.ts';
export { type FoundPlugins, loadPlugins } from './plugins/load-plugins.ts';
export type { LoadedPlugin } from './plugins/loaded-plugin.ts';
export {
  type AddedMarketplace,
  defaultMarketplace,
  type FoundEntry,
  type KnownMarketplace,
  MarketplaceClient,
  type OpenMarketplace,
} from './plugins/marketplace-client.ts';
export type { MarketplaceEntry, MarketplaceManifest } from './plugins/marketplace-manifest.ts';
export type { PluginAnswer, PluginDesk } from './plugins/operations/plugin-request.ts';
export { pluginVerbs, runPluginRequest } from './plugins/operations/run-plugin-request.ts';
export type { PluginContext } from './plugins/plugin-context.ts';
export type { PluginReport } from './plugins/plugin-report.ts';
export { parseSource } from './plugins/source/parse-source.ts';
export type { PluginSource } from './plugins/source/plugin-source.ts';
export { processHost } from './process-host.ts';
export { buildSystemPrompt, type SystemPromptParts } from './prompt/system-prompt.ts';
export {
  type ConfiguredServer,
  configuredServers,
  type ModelInUse,
  modelInUse,
} from './reach/configured-servers.ts';
export type { ServerWindow } from './reach/find-window.ts';
export { type KeyOrigin, keyOrigins } from './reach/key-origins.ts';
export { listServerModels, type ModelListing, type ServerAddress } from './reach/list-models.ts';
export { findLocalServers, type LocalServer } from './reach/local-servers.ts';
export { type AnswerTrial, type CallTrial, type ModelProbe, probeModel } from './reach/probe-model.ts';
export { type KeyTrial, tryKey } from './reach/try-key.ts';
export type { LoadedConfig as Config } from './resources/loaded-config.ts';
export { userResourceFolders } from './resources/resource-folders.ts';
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
export { type LoadedSkills, loadSkills } from './skills/load-skills.ts';
export type { Skill } from './skills/skill.ts';
export { type SkillsOptions, skillExtensions } from './skills/skills-extension.ts';
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
export type { IAgentDefinition } from './subagents/agent-definition.ts';
export { assembleSubagentPrompt, type SubagentPromptParts } from './subagents/assemble-subagent-prompt.ts';
export { createSubagentLogger } from './subagents/create-subagent-logger.ts';
export type { SubagentOptions } from './subagents/create-subagent-session.ts';
export type { KeptWorktree } from './subagents/kept-worktree.ts';
export { type LoadedAgents, loadAgents } from './subagents/load-agents.ts';
export { parseAgents } from './subagents/parse-agents.ts';
export { runSubagent, type SubagentResult, type SubagentTask } from './subagents/run-subagent.ts';
export { type SubagentHost, type SubagentLogs, subagentHost } from './subagents/subagent-host.ts';
export type { JobGroupRequest } from './tasks/job-groups.ts';
export type { LogPart } from './tasks/process-tasks.ts';
export type { AgentJobRequest, TaskFilter, TaskInput, TaskRegistry } from './tasks/task-registry.ts';
export type { TaskPermissionPolicy, TaskSettings, WatchdogLimits } from './tasks/task-settings.ts';
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
  TimeoutReason,
  WaitPolicy,
} from './tasks/task-state.ts';
export { askTrust } from './trust/ask-trust.ts';
export type { ProjectSource, TrustCollector } from './trust/trust-collector.ts';
export type { AskTrust, TrustGate } from './trust/trust-gate.ts';
export type { TrustDraft, TrustItem, TrustKind, TrustSubject } from './trust/trust-item.ts';
export type { TrustDecision } from './trust/trust-store.ts';
