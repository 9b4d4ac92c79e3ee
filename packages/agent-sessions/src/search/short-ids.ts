import { commonLength, localTime } from '@robota-sdk/agent-core';
import { shownTitle } from '../store/session-summary.ts';
import type { ListedSession } from './summary-cache.ts';

const shortest = 8;
const labelCharacters = 60;

/** The shortest prefixes that distinguish ids, at least eight characters. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, index) => {
      const shared = Math.max(...[index - 1, index + 1].map((at) => commonLength(id, sorted[at] ?? '')));
      const length = Math.max(shortest, shared + 1);
      // A prefix that ends with a dash looks truncated.
      return [id, id.slice(0, id[length - 1] === '-' ? length + 1 : length)];
    }),
  );
}

/** Describes a session's last use and topic on one line. */
export function describeSession(session: ListedSession): string {
  return `${localTime(Date.parse(session.modified))}  ${sessionLabel(session)}`;
}

/** Identifies a session in a list. */
export interface SessionTitle {
  readonly name?: string | undefined;
  readonly firstPrompt?: string | undefined;
  /** The session that it is a copy of. */
  readonly copyOf?: string | undefined;
}

/** The title of a session, shortened for a list. */
export function sessionLabel(session: SessionTitle): string {
  return sessionTitle(session, labelCharacters);
}

/** The title of a session: its name, otherwise its first prompt. An unnamed copy is marked. */
export function sessionTitle(
  { name, firstPrompt, copyOf }: SessionTitle,
  most = Number.POSITIVE_INFINITY,
): string {
  const mark = name === undefined && copyOf !== undefined ? ' (copy)' : '';
  const points = [...shownTitle(name ?? firstPrompt ?? '(nothing was asked)')];
  const room = most - mark.length;
  return (points.length > room ? `${points.slice(0, room - 1).join('')}…` : points.join('')) + mark;
}
