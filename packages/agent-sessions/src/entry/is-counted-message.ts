import type { Message } from '@robota-sdk/agent-core';

/**
 * True if a message is counted: written by the user or a model. Tool results, reminders and summaries are
 * not.
 */
export function isCountedMessage(message: Message): boolean {
  if (message.role === 'user') return message.origin !== 'reminder' && message.origin !== 'summary';
  return message.role === 'assistant';
}
