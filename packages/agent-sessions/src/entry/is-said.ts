import type { Message } from '@robota-sdk/agent-core';

/** Whether a message counts where messages are counted: said by the person or by a model. Results of tools, reminders and summaries are not. */
export function isSaid(message: Message): boolean {
  if (message.role === 'user') return message.origin !== 'reminder' && message.origin !== 'summary';
  return message.role === 'assistant';
}
