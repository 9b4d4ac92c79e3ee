import type { WebRoute } from '../contract/route.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** The board: `GET /api/board`. */
export function boardRoutes(live: LiveSessions): readonly WebRoute[] {
  return [{ method: 'GET', path: '/api/board', handle: async () => ({ json: await live.board.page() }) }];
}
