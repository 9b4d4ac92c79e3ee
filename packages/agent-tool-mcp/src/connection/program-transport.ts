import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { anyObject, errorMessage, guard, type JsonObject, jsonCopy } from '@robota-sdk/agent-core';
import type { ProgramPort } from '../contract/program-port.ts';

/** Speaks to a server that lives in the program that drives the session. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #port: ProgramPort;
  #stop: () => void = () => {};
  #isClosed = false;

  constructor(port: ProgramPort) {
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#stop = this.#port.listen((message) => this.#receive(message));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const written = jsonCopy(message);
    // The library waits for answers by itself; a notification has none.
    const isRequest = 'method' in message && 'id' in message;
    void this.#port.exchange(written).then(
      (answer) => {
        if (isRequest) this.#receive(answer ?? failure(message.id, 'the program gave no answer'));
      },
      (thrown: unknown) => {
        if (isRequest) this.#receive(failure(message.id, errorMessage(thrown)));
      },
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop();
    this.onclose?.();
  }

  #receive(message: JsonObject): void {
    if (!this.#isClosed && isMessage(message)) this.onmessage?.(message);
  }
}

/** The library checks the fields of every message itself. */
const isMessage = guard<JSONRPCMessage>(() => anyObject);

function failure(id: string | number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}
