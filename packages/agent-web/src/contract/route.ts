import type { JsonValue } from '@robota-sdk/agent-core';

/** A request that passed every check of the server: it comes from a known device and from our own page. */
export interface WebRequest {
  /** The parts of the path that a route names, such as `id` in `/api/sessions/:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON of a POST; null for a GET. */
  readonly body: JsonValue;
  /** The id of the device that asks. */
  readonly device: string;
  /** Aborted when the browser is gone. */
  readonly signal: AbortSignal;
}

/** The result of a handler. An `AgentError` that it throws becomes a `WebFailure`. */
export type WebReply =
  | { readonly json: unknown; readonly status?: number }
  /** A file to save. */
  | { readonly text: string; readonly type: string; readonly fileName: string };

/** An operation of the server. GET reads; POST changes. */
export interface WebRoute {
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  readonly handle: (request: WebRequest) => WebReply | Promise<WebReply>;
}

/** Body of every reply with a status of 400 or more. */
export interface WebFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}
