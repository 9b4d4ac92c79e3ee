export type { BudgetLimits } from './budget/budget.ts';
export { type DayLedger, FileDayLedger, type FileDayLedgerOptions } from './budget/day-ledger.ts';
export type { Payer, SessionSpending } from './budget/session-spending.ts';
export {
  Checkpoints,
  type CheckpointsOptions,
  type LineCounts,
  type RewindOptions,
  type RewindPlan,
  type RewindResult,
} from './checkpoint/checkpoints.ts';
export { readOriginals } from './checkpoint/original-files.ts';
export type { PlannedFile } from './checkpoint/plan-rewind.ts';
export type { RewindTurn, TurnFile } from './checkpoint/rewind-turns.ts';
export { type CacheBreak, cacheBreak } from './compaction/cache-break.ts';
export type { CompactionRequest, CompactionResult } from './compaction/compact.ts';
export { compactionText } from './compaction/compaction-text.ts';
export type { ContextItem, EditPreview } from './compaction/context-items.ts';
export {
  type ContextPart,
  type ContextPartKind,
  type ContextReport,
  partName,
} from './compaction/context-report.ts';
export { parkedOn } from './compaction/parked-run.ts';
export type { Pin } from './compaction/pins.ts';
export type { PrefixBreak } from './compaction/prefix-watch.ts';
export type { RecallItem } from './compaction/recall.ts';
export type { CompactionReceipt, Fate, ReceiptItem } from './compaction/receipt.ts';
export type { SessionContext } from './compaction/session-context.ts';
export type {
  Compaction,
  CompactionPolicy,
  ConversationOptions,
  ModelDependentOptions,
  PromptOptions,
  ProviderConversationOptions,
} from './compaction/session-options.ts';
export { decodeLine, decodeObject, encodeLine } from './entry/codec.ts';
export type { EditState } from './entry/context-edit.ts';
export {
  type Entry,
  type EntryDraft,
  type Fact,
  formatVersion,
  type ImportOrigin,
  ownWriter,
  type SessionHeader,
} from './entry/entry.ts';
export { isCountedMessage } from './entry/is-counted-message.ts';
export { isRequest, isRequestOrigin } from './entry/is-request.ts';
export { isShownToUser } from './entry/is-shown-to-user.ts';
export { LineMigrator, migrateMessage } from './entry/migrate.ts';
export { omissionDraft } from './entry/omit.ts';
export { projectEntry } from './entry/project-entry.ts';
export { pruningDraft } from './entry/prune.ts';
export { repairMessages } from './entry/repair.ts';
export { requestOf } from './entry/request-of.ts';
export {
  addTotals,
  entryTotals,
  joinOutcomes,
  noTotals,
  type SessionTotals,
  type SpentFor,
  type SpentOn,
  spentDraft,
  spentFor,
  totalsOf,
} from './entry/session-totals.ts';
export { remindersIn, spokenContent, typedText } from './entry/spoken-content.ts';
export { stableUuid } from './entry/stable-uuid.ts';
export { summaryMessage } from './entry/summary-message.ts';
export { addShares, type ToolShare, toolSharesIn, toolSharesOf } from './entry/tool-shares.ts';
export { EntryTree, type LinePosition } from './entry/tree.ts';
export { withoutHeading } from './entry/without-heading.ts';
export { type CompactionItem, type Item, isStored, type ToolItem } from './items/item.ts';
export { ItemReducer } from './items/item-reducer.ts';
export { lastItems, readItems } from './items/items-of.ts';
export {
  FileSessionLogger,
  type FileSessionLoggerOptions,
  type ISessionLogger,
  SilentSessionLogger,
} from './log/session-logger.ts';
export {
  type ISpinner,
  type ITerminalOutput,
  noTerminalOutput,
  userInterfaceOf,
} from './log/terminal-output.ts';
export { openTap } from './replay/open-tap.ts';
export type { Replay } from './replay/replay-session.ts';
export type { SessionTap } from './replay/session-tap.ts';
export { type CacheRow, readRows, writeCache } from './search/cache-file.ts';
export type { SessionMatch, TextFilter } from './search/match-session.ts';
export {
  type ReferenceKind,
  type ResolveOptions,
  requireSession,
  resolutionProblem,
  resolveSession,
  type SessionResolution,
} from './search/resolve-session.ts';
export type { SearchRequest } from './search/search-sessions.ts';
export {
  type FoundSession,
  SessionCatalogue,
  type SessionFinder,
  type SessionFindings,
  type SessionListing,
} from './search/session-catalogue.ts';
export {
  directoriesIn,
  filesOfProject,
  type SessionFile,
  type UnreadableSession,
} from './search/session-files.ts';
export { lineDecoder, rawLines } from './search/session-lines.ts';
export type { SearchRole, SessionText } from './search/session-texts.ts';
export { describeSession, sessionLabel, shortIds } from './search/short-ids.ts';
export type { Snippet } from './search/snippet.ts';
export { StoreCatalogue } from './search/store-catalogue.ts';
export type { ListedSession } from './search/summary-cache.ts';
export { removeUnusedSessions } from './search/unused-sessions.ts';
export { promptShape } from './session/argument-shapes.ts';
export { Conversation, Conversation as Session } from './session/conversation.ts';
export { createHeader } from './store/create-header.ts';
export { FileTail } from './store/follow-file.ts';
export {
  JsonlSessionStore,
  JsonlSessionStore as SessionStore,
  type JsonlSessionStoreOptions,
} from './store/jsonl-store.ts';
export type { AppendOptions, HandleFollower, LineSink } from './store/line-sink.ts';
export { LineSplitter, textOfLine } from './store/line-splitter.ts';
export { MemorySessionStore } from './store/memory-store.ts';
export { newSessionId } from './store/new-session-id.ts';
export { projectIdOf } from './store/project-id.ts';
export {
  type ReadSessionOptions,
  readSessionFile,
  type SessionContent,
} from './store/read-session-file.ts';
export { renameSession } from './store/rename-session.ts';
export { rescueLines } from './store/rescue-session.ts';
export { SessionHandle } from './store/session-handle.ts';
export type { SessionProblem } from './store/session-problem.ts';
export {
  type FollowedLine,
  type FollowOptions,
  type NewSessionOptions,
  type OpenSessionOptions,
  resolveReference,
  type SessionFilling,
  type SessionRecord,
  type SessionRecordDraft,
  SessionStorePort,
  type SessionSummary,
} from './store/session-store.ts';
export { firstPromptOf, isBlankLine, shownTitle } from './store/session-summary.ts';
export { unkeptCopy, unkeptHandle } from './store/unkept-handle.ts';
export type { ExportedSession } from './tree/exported-session.ts';
export { modelOn } from './tree/model-on.ts';
export type { MoveResult } from './tree/move-leaf.ts';
export type { SessionBranches } from './tree/session-branches.ts';
export type { EntryKind, EntryView, SessionTree } from './tree/session-tree.ts';
export { tellsAll, watchPath } from './watch/watch-path.ts';
export {
  type ContextState,
  contextState,
  contextTokens,
  defaultCompaction,
  estimateTokens,
  tokensOfCharacters,
} from './window/context-window.ts';
