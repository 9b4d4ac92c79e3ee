import type { JsonObject } from '@robota-sdk/agent-core';

/** The way to a server that lives in the program that drives the session. */
export interface ProgramPort {
  /** Hands over a message; resolves with the answer of the server, or with nothing where it has none. */
  exchange(message: JsonObject): Promise<JsonObject | undefined>;
  /** Hears messages the server sends on its own, until what it returns is called. */
  listen(hear: (message: JsonObject) => void): () => void;
  /** Answers to `initialize` and `tools/list`, where the program sent them ahead. */
  readonly offered?: ProgramOffer | undefined;
}

/** Answers of a server, as they are in the protocol. */
export interface ProgramOffer {
  readonly initializeResult: JsonObject;
  readonly toolsListResult?: JsonObject | undefined;
}
