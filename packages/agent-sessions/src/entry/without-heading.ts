import { type Message, textOf } from '@robota-sdk/agent-core';
import { isRequest } from './is-request.ts';
import { typedText } from './spoken-content.ts';

/** The text of a message without what the program added: reminders after a prompt, the heading of a pin. */
export function withoutHeading(message: Message): string {
  const text = isRequest(message) ? typedText(message) : textOf(message.content);
  const hasHeading = message.role === 'user' && (message.origin === 'pin' || message.origin === 'recall');
  return hasHeading ? text.slice(text.indexOf('\n\n') + 1) : text;
}
