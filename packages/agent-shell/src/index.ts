export { type CodeText, codeTexts, variableTexts } from './commands/code-texts.ts';
export { executingOptionsOf } from './commands/executing-options.ts';
export { extractCommands } from './commands/extract-commands.ts';
export { interpretsInput } from './commands/fed-input.ts';
export {
  type FileOperand,
  fileOperands,
  hasKnownOperands,
  readsWhatItNames,
} from './commands/file-operands.ts';
export { gitArguments } from './commands/git-operands.ts';
export { mayChange, mayRead, type NamedPath } from './commands/named-paths.ts';
export { baseName } from './commands/nested-runs.ts';
export { pathArguments, uploadArguments } from './commands/path-arguments.ts';
export { shells, wrappers } from './commands/wrappers.ts';
export type { GlobTarget } from './effects/expand-glob.ts';
export { elsewhereOfGit, hazardOfGit, runsGit } from './effects/git-places.ts';
export { pushedPlace } from './effects/git-push.ts';
export { diskPrograms, erasesDisk } from './effects/judge-disks.ts';
export { linksInside } from './effects/links-inside.ts';
export { settingsOfNpm } from './effects/npm-settings.ts';
export {
  changedTo,
  directoryChange,
  hasMoved,
  innerDirectories,
  movesInside,
  type PlacedCommand,
  placeCommands,
  placeInside,
  placesOf,
} from './effects/place-commands.ts';
export {
  type CheckedOutLinks,
  checkedOut,
  earlierThan,
  plantedLink,
  writtenThrough,
} from './effects/planted-links.ts';
export { dangerText, describeRisk, namedDeletions, type Risk, type Risks, risksOf } from './effects/risks.ts';
export { otherProgram } from './effects/search-path.ts';
export { isRawDevice, isVital } from './effects/vital-paths.ts';
export { parseGitConfig } from './git/git-config.ts';
export { mayPrintContents, mayPrintUntracked, type PrintedFiles, printedByGit } from './git/printed-files.ts';
export { globsOverlap, matchGlob, matchSteps, openGlob } from './path/glob-match.ts';
export { isInWorkspace, isWithin } from './path/is-within.ts';
export type { DirectoryEntry, PolicyFiles, TrackedFiles } from './path/policy-files.ts';
export type { ShellScope } from './path/shell-scope.ts';
export { tildePath } from './path/tilde-path.ts';
export type { Workspace } from './path/workspace.ts';
export { type NotReadOnly, readOnly } from './read-only/read-only.ts';
export { builtinAssignments } from './word/assigning-builtins.ts';
export { decodeEscapes } from './word/decode-escapes.ts';
export { isHarmlessVariable } from './word/harmless-variables.ts';
export type { Redirection, ShellScript, SimpleCommand } from './word/shell-script.ts';
export {
  isFixedPath,
  literalOf,
  markedText,
  nameValuesOf,
  type ShellWord,
  unknownText,
  type Variables,
  valuesOf,
  wordOf,
} from './word/shell-word.ts';
export { suspiciousCharacter } from './word/suspicious-characters.ts';
