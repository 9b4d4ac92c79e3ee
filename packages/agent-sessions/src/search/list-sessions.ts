import { join } from 'node:path';
import { isBlankFile } from '../store/session-summary.ts';
import { scanSessions } from './scan-sessions.ts';
import type { CataloguePlace, CatalogueScope, SessionListing } from './session-catalogue.ts';
import { type ListedSession, summarizeProject } from './summary-cache.ts';

/** Sums up every session of a scope in which something was said. */
export function listSessions(place: CataloguePlace, scope: CatalogueScope): SessionListing {
  const { projects, elsewhere, unreadable } = scanSessions(place, scope);
  const sessions: ListedSession[] = [];
  for (const [project, files] of projects) {
    const summarized = summarizeProject(files, join(place.cache, `${project}.summaries`));
    sessions.push(...summarized.sessions.filter(isUsed));
    unreadable.push(...summarized.unreadable);
  }
  return { sessions: sessions.sort(byModified), unreadable, elsewhere };
}

/** Files of sessions in which nothing was said, as they were once kept, help nobody. */
function isUsed({ messages, name, firstPrompt, path }: ListedSession): boolean {
  return messages > 0 || name !== undefined || firstPrompt !== undefined || !isBlankFile(path);
}

function byModified(a: ListedSession, b: ListedSession): number {
  if (a.modified !== b.modified) return a.modified < b.modified ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
