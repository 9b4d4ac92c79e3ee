import { join } from 'node:path';
import { byTime, isBlankFile } from '../store/session-summary.ts';
import { scanSessions } from './scan-sessions.ts';
import type { CataloguePaths, CatalogueScope, SessionListing } from './session-catalogue.ts';
import { type ListedSession, summarizeProject } from './summary-cache.ts';

/** Lists every session of a scope that has messages. */
export function listSessions(place: CataloguePaths, scope: CatalogueScope): SessionListing {
  const { projects, elsewhere, unreadable } = scanSessions(place, scope);
  const sessions: ListedSession[] = [];
  for (const [project, files] of projects) {
    const summarized = summarizeProject(files, join(place.cache, `${project}.summaries`));
    sessions.push(...summarized.sessions.filter(isUsed));
    unreadable.push(...summarized.unreadable);
  }
  return { sessions: sessions.sort(byTime), unreadable, elsewhere };
}

/** Older versions stored sessions without messages; they are hidden. */
function isUsed({ messages, name, firstPrompt, path }: ListedSession): boolean {
  return messages > 0 || name !== undefined || firstPrompt !== undefined || !isBlankFile(path);
}
