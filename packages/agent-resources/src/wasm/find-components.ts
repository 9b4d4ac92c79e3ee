import { join } from 'node:path';
import {
  allResourceFolders,
  entriesIn,
  type ResourceFolder,
  type ResourceSearchPaths,
  refusalOf,
} from '@robota-sdk/agent-config';
import { isMissing, isProblem, type Problem, sentence, warning } from '@robota-sdk/agent-core';

/** A WebAssembly component in a folder of extensions. */
export interface FoundComponent {
  readonly path: string;
  /** The file's name. */
  readonly name: string;
  /** The file next to it with grants, limits and settings; it may be missing. */
  readonly manifest: string;
  /** Supplied by the repository, the user's own, or part of a plugin, which was agreed to as a whole. */
  readonly scope: ResourceFolder['scope'];
  /** The folder that must contain a repository's files. */
  readonly root?: string | undefined;
}

/** A folder that may contain components. */
export type ComponentFolder = Pick<ResourceFolder, 'path' | 'scope' | 'root'> & {
  readonly only?: ResourceFolder['only'] | undefined;
};

/** The components found, and those that lead out of their repository. */
export interface FoundComponents {
  readonly components: readonly FoundComponent[];
  readonly problems: readonly Problem[];
}

/** Finds the components of a project, its user and plugins, in order; the first of a name wins. Reads none. */
export function findComponents(places: ResourceSearchPaths): FoundComponents {
  const found = componentFolders(places).flatMap(componentsIn);
  const rank = { project: 0, user: 1, plugin: 2 };
  return {
    components: found
      .filter((each): each is FoundComponent => !isProblem(each))
      .sort((a, b) => rank[a.scope] - rank[b.scope]),
    problems: found.filter((each) => isProblem(each)),
  };
}

/** The existing folders that may contain components. */
export function componentFolders(places: ResourceSearchPaths): ResourceFolder[] {
  return allResourceFolders('extensions', places).filter(({ path }) => !isMissing(path));
}

/** The components of a folder: `hello.wasm`, or `hello/hello.wasm`. */
export function componentsIn({
  path: folder,
  scope,
  root,
  only,
}: ComponentFolder): (FoundComponent | Problem)[] {
  return entriesIn(folder, { root }).flatMap(({ name: entry, path, kind }): (FoundComponent | Problem)[] => {
    if (only !== undefined && !only.includes(entry)) return [];
    const isNested = kind === 'directory' && !isMissing(join(path, `${entry}.wasm`));
    const file = isNested ? join(path, `${entry}.wasm`) : path;
    if (entry.startsWith('.') || !file.endsWith('.wasm') || (!isNested && kind === 'directory')) return [];
    const refusal = refusalOf(file, root);
    if (refusal !== undefined) {
      const message = sentence`The extension ${{ extension: file }} is skipped: ${{ reason: refusal }}.`;
      return [warning('extension.unusable', message, { subject: file, isInactive: true })];
    }
    const name = entry.replace(/\.wasm$/, '');
    return [{ path: file, name, manifest: file.replace(/\.wasm$/, '.json'), scope, root }];
  });
}
