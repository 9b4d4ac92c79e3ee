import { type Message, textOf } from '@robota-sdk/agent-core';

/** What a message says; of what the program says for a person, the heading says nothing. */
export function withoutHeading(message: Message): string {
  const text = textOf(message.content);
  const hasHeading = message.role === 'user' && (message.origin === 'pin' || message.origin === 'recall');
  return hasHeading ? text.slice(text.indexOf('\n\n') + 1) : text;
}
