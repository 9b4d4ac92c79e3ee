export {
  type AskUserInput,
  askUserTool,
  askUserWithPreviews,
  type PreviewFormat,
} from './ask-user/ask-user-tool.ts';
export { type BashInput, bashTool, runUserCommand } from './bash/bash-tool.ts';
export { denialOf } from './bash/denied-command.ts';
export { type BackgroundJob, type Processes, processes } from './bash/processes.ts';
export {
  type ProjectCommand,
  type ProjectCommandEnd,
  runProjectCommand,
} from './bash/run-project-command.ts';
export { completeFiles } from './complete/complete-files.ts';
export type { EditInput } from './edit/edit-input.ts';
export { editTool } from './edit/edit-tool.ts';
export type { Edit } from './edit/find-match.ts';
export {
  type EditorCommand,
  type EditorCommandEnd,
  type EditorPort,
  editorAccess,
} from './files/editor-access.ts';
export { FileLedger, type FileVersion, fileLedger, versionOf } from './files/file-ledger.ts';
export {
  describePathProblem,
  type ResolvedPath,
  resolvePath,
} from './files/resolve-path.ts';
export type { ProgramResult } from './files/run-program.ts';
export { decodeText } from './files/text-file.ts';
export { WorkspaceFiles } from './files/workspace-files.ts';
export { type GlobInput, globTool } from './glob/glob-tool.ts';
export { type GrepInput, grepTool } from './grep/grep-tool.ts';
export {
  IgnoreFiles,
  ignoredFiles,
  ignoreFileNames,
} from './ignored/ignore-files.ts';
export { fitImages } from './image/fit-images.ts';
export { compileGlob, type GlobPattern } from './match/glob.ts';
export {
  limitText,
  limitToolOutput,
  outputLimit,
} from './output/limit-output.ts';
export { outputRoom } from './output/output-room.ts';
export {
  type ExecutionMode,
  exitPlanTool,
  type PlanMode,
  planMode,
} from './plan/exit-plan-tool.ts';
export { tickPlan } from './plan/tick-plan.ts';
export type { ReadInput } from './read/read-input.ts';
export { documentAccess } from './read/read-pdf.ts';
export { readTool } from './read/read-tool.ts';
export type { Sandbox, SandboxContext } from './sandbox/enter-sandbox.ts';
export { findSandbox, type SandboxTool } from './sandbox/find-sandbox.ts';
export { hostPatternProblem } from './sandbox/host-pattern.ts';
export { sandboxDirectory } from './sandbox/sandbox-directory.ts';
export { sandboxFor } from './sandbox/sandbox-for.ts';
export {
  parseSandbox,
  type SandboxAccess,
  type SandboxMode,
  type SandboxPolicy,
  sandboxAccess,
  sandboxModes,
  strictPolicy,
} from './sandbox/sandbox-policy.ts';
export { findRipgrep } from './search/find-ripgrep.ts';
export { hiddenFromSearch } from './search/hidden-from-search.ts';
export { builtinTools } from './set/builtin-tools.ts';
export {
  type Todo,
  TodoList,
  type TodoWriteInput,
  todos,
  todosFrom,
  todoWriteTool,
} from './todo-write/todo-write-tool.ts';
export {
  createZodFunctionTool,
  FunctionTool,
  type FunctionToolDefinition,
  type FunctionToolSchema,
  functionTool,
  type TToolResult,
  type ZodLike,
  zodSchema,
} from './tool/function-tool.ts';
export { keylessEnvironment, type StandaloneTool, standaloneTool } from './tool/standalone-tool.ts';
export { strictSchema } from './tool/strict-schema.ts';
export { type WebAccess, type WebFetchInput, webAccess } from './web-fetch/web-access.ts';
export { webFetchTool } from './web-fetch/web-fetch-tool.ts';
export { hasSearchBackend, type SearchAccess, searchAccess } from './web-search/search-backend.ts';
export { type WebSearchInput, webSearchTool } from './web-search/web-search-tool.ts';
export type { WriteInput } from './write/write-input.ts';
export { writeTool } from './write/write-tool.ts';
