import type { UserMessage } from '@robota-sdk/agent-core';
import type { Entry } from './entry.ts';
import { isRequest } from './is-request.ts';
import { projectEntry } from './project-entry.ts';

/** What a person asked for with an entry; nothing for entries of other kinds. */
export function requestOf(entry: Entry): UserMessage | undefined {
  const message = entry.type === 'message' ? entry.message : projectEntry(entry);
  return message && isRequest(message) ? message : undefined;
}
