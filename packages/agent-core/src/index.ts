export { commonLength, type DiffLine, type FileDiff, nearest } from '@robota-sdk/agent-diff';
export {
  describeRisk,
  isInWorkspace,
  isWithin,
  matchGlob,
  matchSteps,
  openGlob,
  type Risk,
  tildePath,
  type Workspace,
} from '@robota-sdk/agent-shell';
export type {
  Command,
  CommandContext,
  CommandFacts,
  CommandNeed,
  CommandOutcome,
  CommandSurface,
  SessionTarget,
  Subcommand,
} from './extension/command.ts';
export type { Extension, ExtensionHost, ProviderFactory } from './extension/extension.ts';
export { Listeners } from './extension/listeners.ts';
export { notifyAll } from './extension/notify-all.ts';
export { Registries } from './extension/registries.ts';
export { type Registered, Registry } from './extension/registry.ts';
export { readWord, splitWords, type Word } from './extension/split-words.ts';
export { usableCommand, usableOutcome } from './extension/usable-command.ts';
export { askGit, type GitFailure } from './file/ask-git.ts';
export { atomicWrite } from './file/atomic-write.ts';
export { openBeneath, readBeneath, type WriteBeneathOptions, writeBeneath } from './file/beneath.ts';
export { foldText, unfoldedOffset } from './file/fold-text.ts';
export { fuzzyScore } from './file/fuzzy-score.ts';
export {
  findProgram,
  helperEnvironment,
  isProgram,
  trustedSearchPath,
} from './file/host-programs.ts';
export { isMissing } from './file/is-missing.ts';
export { makeDirectories } from './file/make-directories.ts';
export { isReservedName, type PathProblem } from './file/path-problem.ts';
export { readBlobs } from './file/read-blobs.ts';
export {
  openRegularFile,
  openRegularFileSync,
  readRegularFile,
  readRegularFileSync,
} from './file/read-regular-file.ts';
export { repositoryOf } from './file/repository-of.ts';
export {
  acquireLock,
  describeLockOwner,
  isOwnerGone,
  type LockOwner,
  lockHolder,
  ownLockOwner,
  parseLockOwner,
  sessionInUse,
} from './file/session-lock.ts';
export {
  noteTemporaryFiles,
  sandboxFolder,
  temporaryBeside,
  temporaryGone,
} from './file/temporary-files.ts';
export { childPath, realPathOf, type Walk, walkPath } from './file/walk-path.ts';
export { applyInputHooks, withReminder } from './hook/apply-input-hooks.ts';
export { assertHook } from './hook/check-hook.ts';
export { commandHook } from './hook/command-hook.ts';
export { type HookAnswer, noReason, parseHookOutput, parseVerdict } from './hook/hook-answer.ts';
export type { HookCall, HookDefinition, HookExecutor, HookExecutors } from './hook/hook-executor.ts';
export type { Hook, HookInput, HookPoint, HookResult } from './hook/hook-map.ts';
export { compileMatcher, isReadableMatcher } from './hook/hook-matcher.ts';
export { HookProcesses } from './hook/hook-processes.ts';
export { httpHook } from './hook/http-hook.ts';
export { HookRegistry } from './hook/run-hook.ts';
export type {
  AfterCall,
  AgentRun,
  AllowedCall,
  Authorization,
  AuthorizationRequest,
  EventSink,
  ModelChoice,
  PendingCall,
  PendingResolution,
  SpendingStop,
  ToolEnvironment,
  WindowReason,
} from './loop/agent-run.ts';
export type { AgentEvent, CompactionReason } from './loop/events.ts';
export { executeTools } from './loop/execute-tools.ts';
export { describeLimitWait, type LimitWait } from './loop/limit-waits.ts';
export { MessageQueue, type QueuedMessage } from './loop/message-queue.ts';
export { runAgent } from './loop/run-agent.ts';
export { type AnswerCut, cutOf } from './message/answer-cut.ts';
export { MessageAssembler } from './message/assemble.ts';
export { type CallState, callStateOf, describeEnd, describeState } from './message/call-state.ts';
export {
  type AssistantContent,
  type Content,
  type ImageContent,
  type ServerToolContent,
  type TextContent,
  type ThinkingContent,
  type ToolCallContent,
  textOf,
  type UserContent,
  userContentShape,
} from './message/content.ts';
export type { Display } from './message/display.ts';
export { type AnsweredCall, type Exchange, exchangesOf, missingResult } from './message/exchange.ts';
export { GrowingFold } from './message/growing-fold.ts';
export { imageSize } from './message/image-size.ts';
export { isDisplay } from './message/is-display.ts';
export {
  type AssistantMessage,
  type CallPermission,
  createMessage,
  type Message,
  type ToolMessage,
  type ToolStatus,
  toolCallsOf,
  toolEnd,
  type UserMessage,
} from './message/message.ts';
export type { ModelEvent, ModelFailure } from './message/model-event.ts';
export {
  type ApiKind,
  apiKinds,
  apiOfStored,
  isSameModel,
  type ModelRef,
  type StopReason,
  storedApi,
} from './message/model-ref.ts';
export type { Denial, RunOutcome } from './message/run-outcome.ts';
export type { OmittedOutput, ShellRun } from './message/shell-run.ts';
export {
  addUsage,
  costOf,
  describeCost,
  describeMoney,
  noUsage,
  type Price,
  parseUsage,
  totalTokens,
  type Usage,
} from './message/usage.ts';
export { type AnswerDecoder, decodeAnswer, eventPayload, streamAnswer } from './model/answer-stream.ts';
export { applyUserModels } from './model/apply-user-models.ts';
export {
  type Catalogue,
  createVendor,
  findVendor,
  keyVariables,
  loadCatalogue,
  type Vendor,
} from './model/catalogue.ts';
export type {
  AccountCall,
  CloudAccount,
  CloudName,
  FrameParser,
  PreparedRequest,
} from './model/cloud-account.ts';
export { isContextOverflow } from './model/context-overflow.ts';
export { encodeBody } from './model/encode-body.ts';
export { type EventStreamCall, endWithError, incompleteStream, streamEvents } from './model/event-stream.ts';
export { failureOfText, isLoopback, StreamFailure } from './model/failure.ts';
export { failureName } from './model/failure-name.ts';
export { given, givenFields } from './model/given.ts';
export {
  type Compat,
  type Connection,
  defaultIdleTimeoutMs,
  type Model,
  modelDefaults,
  type ThinkingFormatName,
  type ThinkingLevel,
  type ToolProtocol,
  takesDocuments,
  thinkingLevels,
  toolProtocols,
} from './model/model.ts';
export { guessedName, guessHint, modelMenuName, windowText } from './model/model-name.ts';
export {
  modelsFileShape,
  profileShape,
  singleProfileShape,
  toolProtocolShape,
} from './model/model-shapes.ts';
export {
  countAt,
  objectAt,
  objectsAt,
  parseToolInput,
  storedArguments,
  type ToolInput,
  textAt,
} from './model/payload.ts';
export {
  activeProfile,
  mergeProfiles,
  type Profile,
  type ProfileSet,
  parseProfiles,
} from './model/profiles.ts';
export {
  batchOf,
  eventsOf,
  type ModelProvider,
  type ModelRequest,
  type ModelStream,
  type ToolSpec,
} from './model/provider.ts';
export { defaultModelOf, resolveModel } from './model/resolve-model.ts';
export {
  defaultRetryPolicy,
  describeSpan,
  planRetry,
  type RetryPolicy,
  waitForRetry,
} from './model/retry.ts';
export { type SseEvent, SseParser } from './model/sse.ts';
export { parseUserModels, type UserModels } from './model/user-models.ts';
export { endpointOf } from './model/vendor-endpoint.ts';
export { randomHex, randomUuid } from './naming/random-id.ts';
export { shortHash } from './naming/short-hash.ts';
export { describeBytes, firstLine, localTime, shorten, shortLine, singleLine } from './naming/short-text.ts';
export {
  type Approval,
  type AuthorizationView,
  Authorizer,
  type CallJudge,
  type Judgement,
} from './permission/authorizer.ts';
export { offeredRules } from './permission/combine.ts';
export { decide } from './permission/decide.ts';
export { deniesUse } from './permission/decide-use.ts';
export { evaluatePermission, type PermissionAnswer } from './permission/evaluate-permission.ts';
export {
  type HiddenFiles,
  type HiddenPlaces,
  hiddenByEither,
  hiddenFiles,
} from './permission/hidden-files.ts';
export { hostFiles } from './permission/host-files.ts';
export { coversCall, matchCall, type RuleMatch } from './permission/match-call.ts';
export type { HiddenNames } from './permission/match-path.ts';
export {
  builtInTools as builtInToolNames,
  isLostGuard,
  parseRule,
  parseRules,
  type RuleProblem,
  type RuleTexts,
  splitRules,
} from './permission/parse-rule.ts';
export { isPermissionMode, type PermissionMode, permissionModes } from './permission/policy/mode.ts';
export { namesTool } from './permission/policy/names-tool.ts';
export type {
  IgnoredFiles,
  PermissionDecision,
  PermissionPolicy,
  PermissionRequest,
  PermissionRules,
  Rule,
  RuleLists,
  RuleOrigin,
} from './permission/policy/permission.ts';
export { SessionMode } from './permission/policy/session-mode.ts';
export { protectedNames } from './permission/protected-paths.ts';
export {
  bashAdvice,
  bashWords,
  editorWords,
  findBash,
  ownShells,
  programWords,
  userShellWords,
} from './platform/shells.ts';
export { relativePath } from './platform/windows-paths.ts';
export {
  AgentError,
  type AgentErrorCode,
  type AgentErrorKind,
  errorMessage,
  errorReport,
  problemOf,
} from './problem/agent-error.ts';
export { didYouMean } from './problem/did-you-mean.ts';
export { diskAdvice } from './problem/disk-advice.ts';
export { endSentence } from './problem/end-sentence.ts';
export { orElse } from './problem/or-else.ts';
export { pluralize } from './problem/pluralize.ts';
export {
  addSentence,
  describeHint,
  describeProblem,
  describeProblems,
  isProblem,
  type Problem,
  type ProblemDetails,
  type ProblemHint,
  type ProblemSource,
  type ProblemText,
  problemData,
  sentence,
  summarizeProblem,
  warning,
} from './problem/problem.ts';
export { atExit } from './process/at-exit.ts';
export { descendantsOf, signalProcesses } from './process/descendants.ts';
export { describeExit } from './process/describe-exit.ts';
export { groupOptions, signalTree } from './process/end-process-tree.ts';
export { type GroupWatchdog, guarded, startGroupWatchdog } from './process/group-watchdog.ts';
export { homeDirectory } from './process/home-directory.ts';
export { orAborted } from './process/or-aborted.ts';
export { type GroupLeader, isGroupAlive, signalGroup } from './process/process-group.ts';
export { type RobotaDirectories, robotaDirectories } from './process/robota-directories.ts';
export { isProcessAlive } from './process/send-signal.ts';
export { type LongTimer, startTimer } from './process/start-timer.ts';
export { findOptionalModule, type OptionalModuleSearch } from './program/optional-module.ts';
export {
  embeddedWorker,
  embeddedWorkerWords,
  isSingleExecutable,
  nodeForFiles,
} from './program/single-executable.ts';
export {
  createRedactor,
  hideFromNowOn,
  type LiveRedactor,
  type Redactor,
  secretHider,
  textRedactor,
} from './secret/redact.ts';
export {
  type Arguments,
  abortSignal,
  anyValue,
  callback,
  checkArguments,
  fieldOf,
  having,
  objectInstance,
  optional,
  pathShape,
} from './shape/check-arguments.ts';
export {
  checked,
  described,
  describing,
  either,
  guard,
  instance,
  lazy,
  mapped,
  nonEmptyText,
  nullable,
  shapeAt,
  url,
  whole,
  withDefault,
} from './shape/combine.ts';
export { formatDuration, parseDuration } from './shape/duration.ts';
export {
  decodeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  parseJson,
} from './shape/json.ts';
export { jsonSchema } from './shape/json-schema.ts';
export {
  describeMismatch,
  type KeyPath,
  meantKey,
  pathText,
  Report,
  type ShapeProblem,
} from './shape/report.ts';
export type { ParseResult, Schema } from './shape/schema.ts';
export { schemaProblem } from './shape/schema-problem.ts';
export {
  type AnyShape,
  amount,
  anyObject,
  anything,
  count,
  exactly,
  flag,
  integer,
  list,
  number,
  numberWithin,
  object,
  record,
  type Shape,
  shape,
  type TypeOf,
  text,
  variants,
  words,
} from './shape/shape.ts';
export { type Access, accessesCollide } from './tool/access.ts';
export { type FailureExcerpt, failingLines, failureExcerpt } from './tool/failure-excerpt.ts';
export { claudeTools, eidolonTools, type OwnCall, piTools, toOwnCall } from './tool/foreign-tools.ts';
export { isMcpGateway, isOfMcp, listNames } from './tool/list-names.ts';
export { SessionState, type StateKey } from './tool/session-state.ts';
export { tellingArgument } from './tool/telling-argument.ts';
export {
  type AnyTool,
  type FileIntent,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  type ToolSelection,
  textOutput,
} from './tool/tool.ts';
export { namesOfTool } from './tool/tool-aliases.ts';
export { usableTool } from './tool/usable-tool.ts';
export {
  type Answer,
  type AskedCall,
  type Notice,
  problemNotice,
  type Question,
  silentInterface,
  type UserInterface,
} from './tool/user-interface.ts';
