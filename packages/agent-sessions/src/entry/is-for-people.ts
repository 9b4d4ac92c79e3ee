import type { Message } from '@robota-sdk/agent-core';
import { isBranchSummary } from './project-entry.ts';

/** Whether people are shown a message: what only the model was told is not for them, but the summary of a branch is. */
export function isForPeople(message: Message): boolean {
  return message.role !== 'user' || message.origin !== 'reminder' || isBranchSummary(message);
}
