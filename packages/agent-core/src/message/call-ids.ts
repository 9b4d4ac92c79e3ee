import { randomBytes } from 'node:crypto';
import { type Message, toolCallsOf } from './message.ts';

/**
 * Gives the calls of an answer ids that are unique in the conversation: the vendor's own where it sends a fresh one.
 * Some servers send none, send one twice, or begin to count anew in every answer.
 */
export class CallIds {
  readonly #messages: readonly Message[];
  #taken: Set<string> | undefined;

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  claim(vendorId: string): string {
    this.#taken ??= new Set(this.#messages.flatMap((message) => toolCallsOf(message).map(({ id }) => id)));
    const id = vendorId === '' || this.#taken.has(vendorId) ? freshId() : vendorId;
    this.#taken.add(id);
    return id;
  }
}

function freshId(): string {
  return `c${randomBytes(4).toString('hex')}`;
}
