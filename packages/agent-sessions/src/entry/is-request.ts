import type { Message, UserMessage } from '@robota-sdk/agent-core';

const notRequests: ReadonlySet<UserMessage['origin']> = new Set(['summary', 'reminder', 'recall', 'pin']);

/** Whether a person asked for something with a message. */
export function isRequest(message: Message): message is UserMessage {
  return message.role === 'user' && !notRequests.has(message.origin);
}
