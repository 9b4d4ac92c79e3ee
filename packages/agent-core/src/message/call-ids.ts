import { hash } from 'node:crypto';
import type { Message } from './message.ts';

/**
 * Assigns the calls of an answer ids that are unique in the conversation: the vendor's if it is new. Some
 * servers send none, send one twice, or restart counting in every answer.
 */
export class CallIds {
  readonly #messages: readonly Message[];
  #taken: Set<string> | undefined;

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  claim(vendorId: string): string {
    this.#taken ??= idsIn(this.#messages);
    let id = vendorId;
    for (let count = 1; id === '' || this.#taken.has(id); count++) id = otherId(vendorId, count);
    this.#taken.add(id);
    return id;
  }
}

function idsIn(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const content of message.content) if (content.type === 'tool-call') ids.add(content.id);
  }
  return ids;
}

/** Depends on the conversation alone, so that a replay comes to the same; nine characters are what the strictest vendor takes. */
function otherId(vendorId: string, count: number): string {
  return `c${hash('sha256', `${vendorId} ${count}`, 'hex').slice(0, 8)}`;
}
