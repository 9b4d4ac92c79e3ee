export {
  describeInstallation,
  type ExplainContext,
  explainSettings,
  findInstallation,
  type ProgramInfo,
  parseConfigWords,
  parseScope,
  runConfigRequest,
  runMcpRequest,
  runPluginRequest,
  type SettingReport,
  type UpdateRequest,
  uninstallProgram,
  updateProgram,
} from '@robota-sdk/agent-admin';
export {
  type ApprovalRecord,
  argumentHintOf,
  askTrust,
  builtInThemeNames,
  type CommandOption,
  type CommandRow,
  checkSettingsFile,
  childEnvironment,
  credentialsSchema,
  editSetting,
  ensureSettingsFile,
  expectedLanguage,
  type FlagSpec,
  type HelpRow,
  type HostEnvironment,
  helpRows,
  hookLabel,
  ignoredFilesOf,
  inheritTrust,
  isHookEventName,
  isLanguage,
  isOn,
  keybindingFiles,
  type MoreValues,
  modelsSchema,
  optionRows,
  parseFrontMatter,
  processHost,
  type ReadOptions,
  readApprovals,
  readableValue,
  readCommand,
  readOptions,
  removeKey,
  type SettingFlag,
  type SettingOwner,
  type Settings,
  type SettingsFile,
  saveProjectRules,
  settingFlags,
  settingOwners,
  settingsFiles,
  settingsSchema,
  storeKey,
  subcommandsOn,
  type TrustGate,
  takeSubcommand,
  themesIn,
  untoldProblems,
  userPaths,
  userResourceFolders,
} from '@robota-sdk/agent-config';
export {
  type Access,
  AgentError,
  type Answer,
  type AskedCall,
  type AssistantContent,
  anyObject,
  atExit,
  bashAdvice,
  type CallState,
  type Command,
  type CommandFacts,
  type CommandOutcome,
  callback,
  callStateOf,
  checkArguments,
  commandHook,
  count,
  createRedactor,
  cutOf,
  type Display,
  decodeJson,
  describeBytes,
  describeCost,
  describeEnd,
  describeHint,
  describeLimitWait,
  describeMismatch,
  describeMoney,
  describeProblem,
  describeProblems,
  describeRisk,
  describeSpan,
  describeState,
  didYouMean,
  diskAdvice,
  type Extension,
  editorWords,
  either,
  endSentence,
  errorMessage,
  errorReport,
  type FailureExcerpt,
  failingLines,
  failureExcerpt,
  failureName,
  findBash,
  findOptionalModule,
  findProgram,
  firstLine,
  type HookAnswer,
  type HookExecutor,
  type HookExecutors,
  having,
  helperEnvironment,
  httpHook,
  isJsonObject,
  isLostGuard,
  isPermissionMode,
  isProblem,
  isSingleExecutable,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  Listeners,
  lazy,
  list,
  localTime,
  lockHolder,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  makeDirectories,
  type Notice,
  nearest,
  numberWithin,
  type OmittedOutput,
  object,
  objectInstance,
  offeredRules,
  openRegularFile,
  openRegularFileSync,
  optional,
  type PermissionMode,
  type PermissionPolicy,
  type Problem,
  type ProblemHint,
  parseHookOutput,
  parseJson,
  parseRules,
  pathText,
  permissionModes,
  pluralize,
  problemData,
  problemOf,
  type Question,
  Report,
  type RunOutcome,
  randomUuid,
  readRegularFile,
  type SessionTarget,
  type Shape,
  type ShellRun,
  schemaProblem,
  shorten,
  shortHash,
  shortLine,
  silentInterface,
  splitRules,
  summarizeProblem,
  type ThinkingLevel,
  text,
  textOf,
  thinkingLevels,
  tildePath,
  trustedSearchPath,
  type UserContent,
  type UserInterface,
  type Vendor,
  variants,
  windowText,
  words,
} from '@robota-sdk/agent-core';
export { countChanges, diffFragments, hunksOf } from '@robota-sdk/agent-diff';
export { exportSession, exportTarget, type TreeRow, treeRows, writeExport } from '@robota-sdk/agent-export';
export type { ImportReport } from '@robota-sdk/agent-import';
export {
  builtInProviders,
  type CallTrial,
  type ConfiguredServer,
  checkAccount,
  checkNetwork,
  configuredServers,
  discoverModels,
  findLocalServers,
  type KeyOrigin,
  type KeyTrial,
  keyOrigins,
  type ListedServer,
  type LocalServer,
  listServerModels,
  type ModelListing,
  type ModelProbe,
  modelInUse,
  probeModel,
  type ServedModel,
  tryKey,
} from '@robota-sdk/agent-models';
export {
  chooseSandbox,
  type ElicitByProgram,
  extensionFileIn,
  type IAgentDefinition,
  type LoadedConfig as Config,
  loadConfig,
  type McpServerOptions,
  type ProgramServers,
  parseAgents,
  parseMcpConfig,
  type Skill,
} from '@robota-sdk/agent-resources';
export type {
  CommentedLines,
  HunkResult,
  HunkState,
  PlacedDraft,
  Review,
  ReviewFile,
  ReviewHunk,
  ReviewTarget,
} from '@robota-sdk/agent-review';
export {
  type CompactionReceipt,
  type ContextItem,
  type ContextPart,
  type ContextReport,
  type ContextState,
  describeSession,
  type EditPreview,
  type EditState,
  type Entry,
  type EntryView,
  type Fate,
  type FoundSession,
  type ListedSession,
  type Pin,
  partName,
  type RecallItem,
  type RewindTurn,
  remindersIn,
  renameSession,
  requireSession,
  resolutionProblem,
  resolveSession,
  type SearchRole,
  SessionCatalogue,
  type SessionFinder,
  type SessionHandle,
  type SessionListing,
  type SessionProblem,
  type SessionResolution,
  type SessionStorePort,
  type Snippet,
  sessionLabel,
  shortIds,
  spokenContent,
  type TurnFile,
  typedText,
  type UnreadableSession,
  watchPath,
  withoutHeading,
} from '@robota-sdk/agent-sessions';
export {
  createZodFunctionTool,
  type EditorCommand,
  type EditorCommandEnd,
  type EditorPort,
  findRipgrep,
  findSandbox,
  limitText,
  type ProjectCommandEnd,
  runProjectCommand,
  type SandboxAccess,
} from '@robota-sdk/agent-tools';
export {
  collectUsage,
  dayOf,
  readUsage,
  spendingReport,
  type TurnSpending,
  type UsageDimension,
  type UsageReport,
  type UsageRow,
  usageCsv,
  usageDimensions,
  usageOfStore,
  usageReport,
  usageText,
} from '@robota-sdk/agent-usage';
export {
  findBranch,
  hasUncommittedChanges,
  ownWorktree,
  SessionWorktree,
  type Work as WorktreeWork,
  type WorktreeChoice,
} from '@robota-sdk/agent-worktree';
export { ownCatalogue, ownSessions, tidyOwnSessions } from './assembly/own-sessions.ts';
export { thinkingOfEffort, thinkingOfTokens } from './assembly/thinking-wish.ts';
export { realDirectory } from './assembly/workspace-of.ts';
export { interactiveSessionOf } from './client/interactive-session-of.ts';
export { loopAnswer, questionOf } from './client/question.ts';
export type { Session } from './client/session.ts';
export type { ITransportAdapter } from './client/transport.ts';
export { commandSources } from './commands/command-sources.ts';
export { findCommandRow, promptRows } from './commands/command-table.ts';
export { editReceipt, itemState, recacheText } from './commands/context-items-text.ts';
export { describeTokens } from './commands/describe-tokens.ts';
export { isDetached } from './commands/parse-agent-command.ts';
export { fateTexts } from './commands/receipt-text.ts';
export type { CallRecovery } from './contract/create-session-options.ts';
export type { AskedQuestion, QuestionChange, QuestionSource } from './contract/question-source.ts';
export type { IExecutionResult } from './contract/run-result.ts';
export { isLoopEvent, type SessionEvent } from './contract/session-event.ts';
export { conversationText } from './export/export-conversation.ts';
export { exportRedactor } from './export/export-redactor.ts';
export { completeCommand } from './input/complete-command.ts';
export { completeInput, completePath } from './input/complete-input.ts';
export { type DispatchOptions, dispatchInput, type InputResult } from './input/dispatch-input.ts';
export { isCommandText, type ParsedInput, parseInput, readInput } from './input/parse-input.ts';
export { selectedAgent } from './input/select-agent.ts';
export { suggestPrompt } from './input/suggest-prompt.ts';
export { titleSession } from './input/title-session.ts';
export { writeTitle } from './input/write-title.ts';
export {
  callServerTool,
  readServerResource,
  replaceServers,
  restartServer,
  switchServer,
} from './mcp/session-servers.ts';
export { checkPermission, type PermissionSubject } from './permissions/check-permission.ts';
export { describeDecision } from './permissions/describe-decision.ts';
export {
  describePermissions,
  modeOriginOf,
  permissionReport,
  placeOf,
} from './permissions/permission-report.ts';
export { permissionsRow } from './permissions/permissions-row.ts';
export { rulesInForce } from './permissions/session-permissions.ts';
export { draftCount } from './review/draft-count.ts';
export { openReview } from './review/open-review.ts';
export { parseReviewTarget } from './review/review-target.ts';
export { rewindTurns } from './rewind/rewind.ts';
export type { CommandResult } from './session/command-result.ts';
export {
  createInteractiveSession,
  type InteractiveSessionOptions,
  type StoredSessionChoice,
  sessionConfig,
} from './session/create-interactive-session.ts';
export { InteractiveSession } from './session/interactive-session.ts';
export { sessionInventory } from './session/session-inventory.ts';
export type { SubmitOptions } from './session/session-services.ts';
export { callTool } from './state/call-tool.ts';
export { toolStateOf } from './state/tool-state.ts';
export { RequestClock } from './status-line/request-clock.ts';
export { runStatusLine } from './status-line/run-status-line.ts';
export { findSession } from './stored/find-session.ts';
export { type ImportOutcome, importablePrograms, importSessions } from './stored/import-sessions.ts';
export { KeptSessions } from './stored/kept-sessions.ts';
export { pickSession } from './stored/pick-session.ts';
export { agentConversation } from './subagents/agent-conversation.ts';
export { agentIdOf } from './subagents/create-subagent-session.ts';
export { type BackgroundTask, hasEnded, type JobGroupEvent, type TaskEvent } from './tasks/task-state.ts';
