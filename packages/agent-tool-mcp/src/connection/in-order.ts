import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

type Receive = NonNullable<Transport['onmessage']>;

/**
 * Lets the library deal with a step of progress before it hears what came after it: it takes notifications up a moment
 * later than answers, and by then has forgotten who wanted to know of the last step. Messages that `take` accepts are not its.
 */
export function inOrder(
  transport: Transport,
  take: (message: JSONRPCMessage) => boolean = () => false,
): Transport {
  const queue = new MessageQueue();
  let receive: Receive | undefined;
  let close: (() => void) | undefined;
  Object.defineProperties(transport, {
    onmessage: {
      get: () => receive,
      set: (handler: Receive | undefined) => {
        receive =
          handler &&
          ((...message) => {
            if (!take(message[0])) queue.push(() => handler(...message), message[0]);
          });
      },
    },
    onclose: {
      get: () => close,
      set: (handler: (() => void) | undefined) => {
        // An answer that arrived counts, although its server is gone.
        close = handler && (() => queue.flush(handler));
      },
    },
  });
  return transport;
}

class MessageQueue {
  #held: { readonly hand: () => void; readonly message: JSONRPCMessage }[] | undefined;

  push(hand: () => void, message: JSONRPCMessage): void {
    if (this.#held) return void this.#held.push({ hand, message });
    hand();
    if (!('method' in message) || message.method !== 'notifications/progress') return;
    this.#held = [];
    setImmediate(() => this.#release());
  }

  /** Hands on everything that waits, and then does something. */
  flush(then: () => void): void {
    while (this.#held) this.#release();
    then();
  }

  #release(): void {
    const waiting = this.#held ?? [];
    this.#held = undefined;
    for (const { hand, message } of waiting) this.push(hand, message);
  }
}
