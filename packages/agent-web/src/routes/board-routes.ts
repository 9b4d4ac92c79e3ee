import type { WebRoute } from '../contract/route.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** The board, and the models for a new session. */
export function boardRoutes(live: LiveSessions): readonly WebRoute[] {
  return [
    { method: 'GET', path: '/api/board', handle: async () => ({ json: await live.board.page() }) },
    { method: 'GET', path: '/api/models', handle: async () => ({ json: await live.board.models() }) },
  ];
}
