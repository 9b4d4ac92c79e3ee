import { join, resolve } from 'node:path';
import { projectIdOf } from '../store/project-id.ts';
import type { SessionMatch } from './match-session.ts';
import { type SearchRequest, searchSessions } from './search-sessions.ts';
import {
  directoriesIn,
  filesOfProject,
  type SessionFile,
  sessionFileName,
  type UnreadableSession,
} from './session-files.ts';
import { SignatureIndex } from './signature-index.ts';
import { type ListedSession, summarizeProject, summarizeSession } from './summary-cache.ts';

export interface CatalogueScope {
  /** The directory whose sessions are meant; those of all directories unless given. */
  readonly cwd?: string;
}

export interface SessionListing {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  readonly unreadable: readonly UnreadableSession[];
  /** How many sessions other directories have. */
  readonly elsewhere: number;
}

/** A session that fits a query. */
export interface FoundSession extends SessionMatch {
  readonly session: ListedSession;
}

export interface SessionFindings extends Omit<SessionListing, 'sessions'> {
  /** Best first: many hits, in a name or close to each other, and lately used. */
  readonly found: readonly FoundSession[];
  /** How many sessions fit; where it is not complete, at least so many. */
  readonly matched: number;
  readonly complete: boolean;
}

/**
 * Lists and searches the sessions kept as files. What it remembers of them is in `cache/sessions`, where anything may be
 * deleted at any time: files that are not known as they are now are read again.
 */
export class SessionCatalogue {
  readonly #root: string;
  readonly #cache: string;

  constructor({ home }: { readonly home: string }) {
    this.#root = resolve(home, 'sessions');
    this.#cache = resolve(home, 'cache', 'sessions');
  }

  /** Sums up every session of a directory, or of all. */
  async list(scope: CatalogueScope = {}): Promise<SessionListing> {
    const { projects, elsewhere, unreadable } = this.#scan(scope);
    const sessions: ListedSession[] = [];
    for (const [project, files] of projects) {
      const summarized = summarizeProject(files, this.#cacheFile(project, 'summaries'));
      sessions.push(...summarized.sessions);
      unreadable.push(...summarized.unreadable);
    }
    return { sessions: sessions.sort(byModified), unreadable, elsewhere };
  }

  /** Searches all that was said and done in the sessions of a directory, or of all. */
  async search({ cwd, ...request }: SearchRequest & CatalogueScope): Promise<SessionFindings> {
    const { projects, elsewhere, unreadable } = this.#scan(cwd === undefined ? {} : { cwd });
    const indexes = new Map<string, SignatureIndex>();
    const indexOf = (project: string) => {
      const index = indexes.get(project) ?? new SignatureIndex(this.#cacheFile(project, 'signatures'));
      indexes.set(project, index);
      return index;
    };
    const answer = await searchSessions([...projects.values()].flat(), request, indexOf);
    for (const [project, index] of indexes) index.save(projects.get(project) ?? []);
    const found = answer.found.flatMap(({ file, match }): FoundSession[] => {
      const session = summarizeSession(file);
      return 'why' in session ? [] : [{ session, ...match }];
    });
    const { matched, complete } = answer;
    return { found, matched, complete, unreadable: [...unreadable, ...answer.unreadable], elsewhere };
  }

  /** The files of sessions whose id is the given one, or begins with it where none is. In lower case. */
  filesById(beginning: string): string[] {
    const found: string[] = [];
    for (const project of directoriesIn(this.#root).names) {
      for (const id of directoriesIn(join(this.#root, project)).names) {
        const path = join(this.#root, project, id, sessionFileName);
        if (id.toLowerCase() === beginning) return [path];
        if (id.toLowerCase().startsWith(beginning)) found.push(path);
      }
    }
    return found;
  }

  #scan({ cwd }: CatalogueScope): Scan {
    const { names, why } = directoriesIn(this.#root);
    const own = cwd === undefined ? undefined : projectIdOf(cwd);
    const projects = new Map<string, SessionFile[]>();
    const unreadable: UnreadableSession[] = why === undefined ? [] : [{ path: this.#root, why }];
    let elsewhere = 0;
    for (const project of names) {
      const found = filesOfProject(this.#root, project);
      if (own !== undefined && project !== own) {
        elsewhere += found.files.length + found.unreadable.length;
        continue;
      }
      projects.set(project, found.files);
      unreadable.push(...found.unreadable);
    }
    return { projects, unreadable, elsewhere };
  }

  #cacheFile(project: string, kind: 'summaries' | 'signatures'): string {
    return join(this.#cache, `${project}.${kind}`);
  }
}

interface Scan {
  readonly projects: ReadonlyMap<string, SessionFile[]>;
  readonly unreadable: UnreadableSession[];
  readonly elsewhere: number;
}

function byModified(a: ListedSession, b: ListedSession): number {
  if (a.modified !== b.modified) return a.modified < b.modified ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
