import { join } from 'node:path';
import { projectIdOf } from '../store/project-id.ts';
import { isBlankFile } from '../store/session-summary.ts';
import type { CataloguePaths, CatalogueScope } from './session-catalogue.ts';
import {
  directoriesIn,
  filesOfProject,
  type SessionFile,
  sessionFileName,
  type UnreadableSession,
} from './session-files.ts';

export interface Scan {
  readonly projects: ReadonlyMap<string, readonly SessionFile[]>;
  readonly unreadable: UnreadableSession[];
  readonly elsewhere: number;
}

/** Finds the files of a scope without reading them. */
export function scanSessions({ root }: CataloguePaths, { cwd }: CatalogueScope): Scan {
  const { names, why } = directoriesIn(root);
  const own = cwd === undefined ? undefined : projectIdOf(cwd);
  const projects = new Map<string, readonly SessionFile[]>();
  const unreadable: UnreadableSession[] = why === undefined ? [] : [{ path: root, why }];
  let elsewhere = 0;
  for (const project of names) {
    const found = filesOfProject(root, project);
    if (own !== undefined && project !== own) {
      elsewhere += found.files.filter(isUsed).length + found.unreadable.length;
      continue;
    }
    projects.set(project, found.files);
    unreadable.push(...found.unreadable);
  }
  return { projects, unreadable, elsewhere };
}

/** A file with messages is hardly ever smaller, so few files are read. */
const blankBytes = 1024;

function isUsed({ bytes, path }: SessionFile): boolean {
  return bytes > blankBytes || !isBlankFile(path);
}

/** The path of every session, by its id; reads only directory names. */
export function sessionPaths({ root }: CataloguePaths): { readonly id: string; readonly path: string }[] {
  return directoriesIn(root).names.flatMap((project) => {
    const directory = join(root, project);
    return directoriesIn(directory).names.map((id) => ({ id, path: join(directory, id, sessionFileName) }));
  });
}
