import type { UserMessage } from '@robota-sdk/agent-core';
import type { Entry } from './entry.ts';
import { isRequest } from './is-request.ts';
import { projectEntry } from './project-entry.ts';

/** The user's prompt in an entry; undefined for other kinds. */
export function requestOf(entry: Entry): UserMessage | undefined {
  const message = entry.type === 'message' ? entry.message : projectEntry(entry);
  return message && isRequest(message) ? message : undefined;
}
