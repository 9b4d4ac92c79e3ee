import type { Message, UserMessage } from '@robota-sdk/agent-core';

const notRequests: ReadonlySet<string | undefined> = new Set(['summary', 'reminder', 'recall', 'pin']);

/** True if the origin means that the user wrote it. */
export function isRequestOrigin(origin: string | undefined): boolean {
  return !notRequests.has(origin);
}

/** True if a message is a prompt of the user. */
export function isRequest(message: Message): message is UserMessage {
  return message.role === 'user' && isRequestOrigin(message.origin);
}
