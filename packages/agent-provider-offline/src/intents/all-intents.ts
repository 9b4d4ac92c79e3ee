import { countFiles, countLines } from './count-lines.ts';
import { explainProject } from './explain-project.ts';
import { findDefinition, findFile } from './find-definition.ts';
import { gitChanges, gitDiff, gitLog } from './git-changes.ts';
import type { Intent } from './intent.ts';
import { listFiles } from './list-files.ts';
import { outlineFile, outlineFolder } from './outline-file.ts';
import { readFile, showPath } from './read-file.ts';
import { renameFile } from './rename-file.ts';
import { renameSymbol } from './rename-symbol.ts';
import { replaceText } from './replace-text.ts';
import { runCommand } from './run-command.ts';
import { runBuild, runLint, runScript, runTests } from './run-task.ts';
import { searchText } from './search-text.ts';
import { appendToFile, createFile, overwriteFile } from './write-file.ts';

/** Everything the model understands; the first that fits is taken, so the special come before the general. */
export const allIntents: readonly Intent[] = [
  explainProject,
  gitChanges,
  gitDiff,
  gitLog,
  countLines,
  countFiles,
  runTests,
  runBuild,
  runLint,
  readFile,
  outlineFile,
  outlineFolder,
  renameFile,
  renameSymbol,
  replaceText,
  createFile,
  overwriteFile,
  appendToFile,
  findFile,
  findDefinition,
  listFiles,
  searchText,
  showPath,
  runScript,
  runCommand,
];
