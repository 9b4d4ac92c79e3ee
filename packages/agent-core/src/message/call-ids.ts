import { hash } from 'node:crypto';
import type { Message } from './message.ts';

/**
 * Assigns unique ids to the calls of an answer: the vendor's id if it is new. Some servers send none, send one twice,
 * or restart counting in every answer.
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

  /** Searches instead of collecting all ids: an answer has few calls, a conversation thousands. */
  #isTaken(id: string): boolean {
    return this.#claimed.has(id) || this.#messages.some((message) => hasCall(message, id));
  }
}

function hasCall(message: Message, id: string): boolean {
  if (message.role !== 'assistant') return false;
  return message.content.some((content) => content.type === 'tool-call' && content.id === id);
}

/** Deterministic, so that a replay gets the same ids; the strictest vendor accepts nine characters. */
function otherId(vendorId: string, count: number): string {
  return `c${hash('sha256', `${vendorId} ${count}`, 'hex').slice(0, 8)}`;
}
