import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scanSessions } from './scan-sessions.ts';
import { type SearchRequest, searchSessions } from './search-sessions.ts';
import type { CataloguePaths, CatalogueScope, FoundSession, SessionFindings } from './session-catalogue.ts';
import type { UnreadableSession } from './session-files.ts';
import { SignatureIndex } from './signature-index.ts';
import { summarizeSession } from './summary-cache.ts';

/** Searches every session of a scope, and updates the index. */
export async function searchCatalogue(
  place: CataloguePaths,
  { cwd, ...request }: SearchRequest & CatalogueScope,
): Promise<SessionFindings> {
  const { projects, elsewhere, unreadable } = scanSessions(place, cwd === undefined ? {} : { cwd });
  const indexes = new Map<string, SignatureIndex>();
  const indexOf = (project: string) => {
    const index = indexes.get(project) ?? new SignatureIndex(join(place.cache, `${project}.signatures`));
    indexes.set(project, index);
    return index;
  };
  const answer = await searchSessions([...projects.values()].flat(), request, indexOf);
  for (const [project, index] of indexes) index.save(projects.get(project) ?? []);
  const closed: UnreadableSession[] = [];
  const found = answer.found.flatMap(({ session: file, match }): FoundSession[] => {
    const session = summarizeSession(file);
    if (!('why' in session)) return [{ session, ...match }];
    // It may have been deleted just now.
    if (existsSync(file.path)) closed.push(session);
    return [];
  });
  return {
    found,
    matched: answer.matched - (answer.found.length - found.length),
    complete: answer.complete,
    unreadable: [...unreadable, ...answer.unreadable, ...closed],
    elsewhere,
  };
}
