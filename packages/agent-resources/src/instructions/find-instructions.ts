import { join } from 'node:path';
import { dialects, entriesIn, type HostEnvironment, userFolder } from '@robota-sdk/agent-config';
import { isMissing } from '@robota-sdk/agent-core';

/** The instruction files of one directory in order, and its folders with rules. */
export interface FoundInstructions {
  readonly files: readonly string[];
  readonly rules: readonly string[];
}

/** Instruction files in a directory of a project. */
export function instructionsIn(directory: string): FoundInstructions {
  const files = dialects.flatMap(({ instructions }) =>
    instructions.flatMap((group) => {
      const found = group.map((name) => join(directory, name)).find((path) => !isMissing(path));
      return found === undefined ? [] : [found];
    }),
  );
  return { files, rules: ruleFolders((dialect) => join(directory, dialect.projectFolder)) };
}

/** The user's instruction files for all projects. */
export function userInstructions(host: HostEnvironment): FoundInstructions {
  const files = dialects.flatMap((dialect) =>
    dialect.userInstructions
      .map((name) => join(userFolder(dialect, host), name))
      .filter((path) => !isMissing(path)),
  );
  return { files: [...new Set(files)], rules: ruleFolders((dialect) => userFolder(dialect, host)) };
}

/** The Markdown files below a folder of rules; for a repository's folder also those that lead out of its `root`. */
export function filesOfRules(folder: string, root: string | undefined): string[] {
  return filesBelow(folder, { root, depth: 1, seen: new Set() }).sort().slice(0, maxRules);
}

interface Descent {
  readonly root: string | undefined;
  readonly depth: number;
  /** Real directories that were entered, because a link may lead back. */
  readonly seen: Set<string>;
}

function filesBelow(folder: string, { root, depth, seen }: Descent): string[] {
  return entriesIn(folder, { root, seen }).flatMap(({ path, kind }) => {
    if (kind === 'directory')
      return depth < maxDepth ? filesBelow(path, { root, depth: depth + 1, seen }) : [];
    return kind === 'outside' || path.endsWith('.md') ? [path] : [];
  });
}

const maxDepth = 6;

/** A folder with more files is not a folder of rules. */
const maxRules = 100;

function ruleFolders(folderOf: (dialect: (typeof dialects)[number]) => string): string[] {
  return dialects
    .flatMap((dialect) => (dialect.rules === undefined ? [] : [join(folderOf(dialect), dialect.rules)]))
    .filter((folder) => !isMissing(folder));
}
