import { hash } from 'node:crypto';
import type { Message } from './message.ts';

/**
 * Assigns the calls of an answer ids that are unique in the conversation: the vendor's if it is new. Some
 * servers send none, send one twice, or restart counting in every answer.
 */
export class CallIds {
  readonly #messages: readonly Message[];
  readonly #claimed = new Set<string>();

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  claim(vendorId: string): string {
    let id = vendorId;
    for (let count = 1; id === '' || this.#isTaken(id); count++) id = otherId(vendorId, count);
    this.#claimed.add(id);
    return id;
  }

  /** Looks instead of collecting all ids: an answer has few calls, and a conversation thousands. */
  #isTaken(id: string): boolean {
    return this.#claimed.has(id) || this.#messages.some((message) => hasCall(message, id));
  }
}

function hasCall(message: Message, id: string): boolean {
  if (message.role !== 'assistant') return false;
  return message.content.some((content) => content.type === 'tool-call' && content.id === id);
}

/** Depends on the conversation alone, so that a replay comes to the same; nine characters are what the strictest vendor takes. */
function otherId(vendorId: string, count: number): string {
  return `c${hash('sha256', `${vendorId} ${count}`, 'hex').slice(0, 8)}`;
}
