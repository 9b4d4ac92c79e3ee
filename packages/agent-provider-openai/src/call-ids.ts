import { createHash, randomBytes } from 'node:crypto';
import { type Message, type ModelRef, toolCallsOf } from '@robota-sdk/agent-core';

/** Whether two references mean the same model of the same vendor, reached in the same way. */
export function isSameModel(a: ModelRef, b: ModelRef): boolean {
  return a.vendor === b.vendor && a.id === b.id && a.api === b.api;
}

/**
 * Gives the calls of an answer ids that are unique in the conversation: the vendor's own where it sends a fresh one.
 * Some servers send none, or begin to count anew in every answer.
 */
export class CallIds {
  readonly #taken = new Set<string>();

  constructor(messages: readonly Message[]) {
    for (const message of messages) for (const call of toolCallsOf(message)) this.#taken.add(call.id);
  }

  claim(vendorId: string): string {
    const id = vendorId === '' || this.#taken.has(vendorId) ? freshId() : vendorId;
    this.#taken.add(id);
    return id;
  }
}

/**
 * The id under which a call is sent. A vendor's own ids go back unchanged. Those of others may be too long or have
 * letters it refuses; nine letters and digits are what the strictest one takes.
 */
export function sentCallId(id: string, maker: ModelRef, receiver: ModelRef): string {
  if (isSameModel(maker, receiver)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}

function freshId(): string {
  return `c${randomBytes(4).toString('hex')}`;
}
