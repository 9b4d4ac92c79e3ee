import type { UserMessage } from '@robota-sdk/agent-core';
import type { Entry } from './entry.ts';
import { isRequest } from './is-request.ts';
import { projectEntry } from './project-entry.ts';

/** What a person asked for with an entry; nothing for entries of other kinds. */
export function requestOf(entry: Entry): UserMessage | undefined {
  const message = entry.type === 'message' ? entry.message : projectEntry(entry);
  return message && isRequest(message) ? message : undefined;
}

/**
 * The number a person knows each prompt by: its place among the prompts of all branches, in the order in which they were
 * given. New ones never change it.
 */
export function promptNumbers(entries: Iterable<Entry>): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const entry of entries) if (requestOf(entry)) numbers.set(entry.id, numbers.size + 1);
  return numbers;
}
