import type { AnswerHeaders } from '@robota-sdk/agent-http';
import type { JsonObject } from '../shape/json.ts';
import type { SseEvent } from './sse.ts';

/** The clouds whose accounts offer models of several vendors. */
export type CloudName = 'bedrock' | 'vertex' | 'azure';

/** One request as an adapter makes it for the vendor's own API. */
export interface AccountCall {
  readonly vendor: string;
  readonly model: string;
  /** The path behind the base URL of the vendor's own API. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly signal: AbortSignal;
}

/** A request that is ready to be sent. */
export interface PreparedCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces that follow each other. */
  readonly body: readonly Uint8Array[];
  /** Makes a parser for an answer whose events are packed in bytes; server-sent events unless given. */
  createParser?(): FrameParser;
}

/** Reads events from pieces of an answer, cut anywhere. */
export interface FrameParser<Piece = Uint8Array> {
  /** The content types of such answers. */
  readonly contentTypes: readonly string[];
  /** Bytes or characters that are kept for an event that is not complete. */
  readonly pending: number;
  push(piece: Piece): SseEvent[];
  /** The answer is over. */
  end(): SseEvent[];
}

/** Reaches models by an account of a cloud. */
export interface CloudAccount {
  /** Throws a `StreamFailure` where there are no credentials. */
  prepare(call: AccountCall): Promise<PreparedCall>;
  /** Forgets credentials that were refused; true if others may be found, so that the request is worth another attempt. */
  renew(refusal: AnswerHeaders): boolean;
  /** Finds credentials and names their source; throws a `StreamFailure` where there are none. */
  describe(signal: AbortSignal): Promise<string>;
}
