import { isSameModel, type Message, type ModelRef } from '@robota-sdk/agent-core';

/**
 * The calls of the vendor's own tools that may be sent. A call without a result, and a result without a call, are refused.
 * A result may come in the answer after a pause or after tools have run; until then the vendor owes it.
 */
export class ServerCalls {
  readonly #model: ModelRef;
  readonly #before: ServerCalls | undefined;
  readonly #paired = new Set<string>();
  readonly #open: Set<string>;
  /** True once a message had a call or a result. */
  hasAny = false;

  /** Calls of a conversation that continues another one. */
  constructor(model: ModelRef, before?: ServerCalls) {
    this.#model = model;
    this.#before = before;
    this.#open = new Set(before === undefined ? [] : before.#open);
  }

  /** True if the vendor owes a result, which a later message may bring. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  add(message: Message): void {
    if (message.role !== 'assistant') return;
    if (this.isOpen && !isSameModel(message.model, this.#model)) this.#open.clear();
    for (const content of message.content) {
      if (content.type !== 'server-tool') continue;
      this.hasAny = true;
      if (content.phase === 'call') this.#open.add(content.id);
      else if (this.#open.delete(content.id)) this.#paired.add(content.id);
    }
    if (this.isOpen && message.stopReason !== 'pause' && message.stopReason !== 'tool-calls')
      this.#open.clear();
  }

  has(id: string): boolean {
    return this.#open.has(id) || this.#isPaired(id);
  }

  #isPaired(id: string): boolean {
    if (this.#paired.has(id)) return true;
    return this.#before ? this.#before.#isPaired(id) : false;
  }
}
