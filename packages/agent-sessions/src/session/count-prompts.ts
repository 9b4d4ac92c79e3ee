import { GrowingFold, type Message } from '@robota-sdk/agent-core';

const prompts = new GrowingFold<Message, number>(
  () => 0,
  (count, message) => (message.role === 'user' && !('origin' in message) ? count + 1 : count),
);

/** How many messages of a conversation the user typed; asked with every prompt. */
export function countPrompts(messages: readonly Message[]): number {
  return prompts.of(messages);
}
