import { countFilesIntent, countLinesIntent } from './count-lines.ts';
import { explainProjectIntent } from './explain-project.ts';
import { findDefinitionIntent, findFileIntent } from './find-definition.ts';
import { gitChangesIntent, gitDiffIntent, gitLogIntent } from './git-changes.ts';
import type { Intent } from './intent.ts';
import { listFilesIntent } from './list-files.ts';
import { outlineFileIntent, outlineFolderIntent } from './outline-file.ts';
import { readFileIntent, showPathIntent } from './read-file.ts';
import { renameFileIntent } from './rename-file.ts';
import { renameSymbolIntent } from './rename-symbol.ts';
import { replaceTextIntent } from './replace-text.ts';
import { commitChangesIntent, deleteFileIntent, runCommandIntent } from './run-command.ts';
import { runBuildIntent, runLintIntent, runScriptIntent, runTestsIntent } from './run-task.ts';
import { searchTextIntent } from './search-text.ts';
import { appendToFileIntent, createFileIntent, overwriteFileIntent } from './write-file.ts';

/** Everything the model understands; the first that fits is taken, so the special come before the general. */
export const allIntents: readonly Intent[] = [
  explainProjectIntent,
  gitChangesIntent,
  gitDiffIntent,
  gitLogIntent,
  countLinesIntent,
  countFilesIntent,
  runTestsIntent,
  runBuildIntent,
  runLintIntent,
  readFileIntent,
  outlineFileIntent,
  outlineFolderIntent,
  renameFileIntent,
  renameSymbolIntent,
  replaceTextIntent,
  createFileIntent,
  overwriteFileIntent,
  appendToFileIntent,
  findFileIntent,
  findDefinitionIntent,
  listFilesIntent,
  searchTextIntent,
  showPathIntent,
  runScriptIntent,
  deleteFileIntent,
  commitChangesIntent,
  runCommandIntent,
];
