import type { Message } from '@robota-sdk/agent-core';
import { isBranchSummary } from './project-entry.ts';

/** True if a message is shown to the user: summaries of branches are, reminders for the model are not. */
export function isShownToUser(message: Message): boolean {
  return message.role !== 'user' || message.origin !== 'reminder' || isBranchSummary(message);
}
