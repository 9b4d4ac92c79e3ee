import type { Message, UserMessage } from '@robota-sdk/agent-core';

const notRequests: ReadonlySet<string | undefined> = new Set(['summary', 'reminder', 'recall', 'pin']);

/** Whether what came from somewhere is what a person asked for. */
export function isRequestOrigin(origin: string | undefined): boolean {
  return !notRequests.has(origin);
}

/** Whether a person asked for something with a message. */
export function isRequest(message: Message): message is UserMessage {
  return message.role === 'user' && isRequestOrigin(message.origin);
}
