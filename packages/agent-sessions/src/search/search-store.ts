import { foldText } from '@robota-sdk/agent-core';
import type { SessionStorePort } from '../store/session-store.ts';
import { type SessionMatch, SessionMatcher } from './match-session.ts';
import { parseQuery } from './search-query.ts';
import { rankSessions, type SearchRequest } from './search-sessions.ts';
import type { SessionFindings } from './session-catalogue.ts';
import { textsOfSession } from './session-texts.ts';
import type { ListedSession } from './summary-cache.ts';

/** Searches sessions of a store, newest first, by reading them. */
export async function searchStore(
  store: SessionStorePort,
  sessions: readonly ListedSession[],
  request: SearchRequest,
): Promise<Pick<SessionFindings, 'found' | 'matched' | 'complete'>> {
  const dated = sessions.map((session) => ({ session, modified: Date.parse(session.modified) }));
  const terms = parseQuery(request.query);
  const { found, ...counts } = await rankSessions(dated, request, ({ session }) =>
    matchIn(store, session.id, new SessionMatcher(terms, request)),
  );
  return { ...counts, found: found.map(({ session: { session }, match }) => ({ session, ...match })) };
}

async function matchIn(
  store: SessionStorePort,
  id: string,
  matcher: SessionMatcher,
): Promise<SessionMatch | undefined> {
  // It may have been deleted just now.
  if (!(await store.has(id))) return undefined;
  const session = await store.open(id, { mode: 'read' });
  try {
    for (const text of textsOfSession(session)) matcher.add(text, foldText(text.text));
    return matcher.finish();
  } finally {
    await session.close();
  }
}
