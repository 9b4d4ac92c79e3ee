import { AgentError } from '@robota-sdk/agent-core';
import type { WebRequest, WebRoute } from '../contract/route.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

const mostEntries = 500;
const usualEntries = 100;

/** A session: its last entries and its state, and earlier entries. */
export function sessionRoutes(live: LiveSessions): readonly WebRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/sessions/:id',
      handle: async (request) => ({ json: await live.page(idOf(request)) }),
    },
    {
      method: 'GET',
      path: '/api/sessions/:id/entries',
      handle: async (request) => ({ json: await live.entries(idOf(request), rangeOf(request)) }),
    },
  ];
}

function idOf({ params }: WebRequest): string {
  return params.id ?? '';
}

function rangeOf({ query }: WebRequest): { readonly before?: string; readonly limit: number } {
  const limit = Number(query.get('limit') ?? usualEntries);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostEntries)
    throw new AgentError('usage', `limit must be a whole number from 1 to ${mostEntries}.`);
  const before = query.get('before');
  return before === null ? { limit } : { before, limit };
}
