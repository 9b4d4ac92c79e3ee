import type { AnswerHeaders } from '@robota-sdk/agent-http';
import type { JsonObject } from '../shape/json.ts';
import type { SseEvent } from './sse.ts';

/** Clouds whose accounts offer models of several vendors. */
export type CloudName = 'bedrock' | 'vertex' | 'azure';

/** One request as an adapter makes it for the vendor's own API. */
export interface AccountCall {
  readonly vendor: string;
  readonly model: string;
  /** The path after the base URL of the vendor's own API. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly signal: AbortSignal;
}

/** A request that is ready to send. */
export interface PreparedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Consecutive chunks. */
  readonly body: readonly Uint8Array[];
  /** Creates a parser for events in a binary format. Default: server-sent events. */
  createParser?(): FrameParser;
}

/** Parses events from chunks of an answer. */
export interface FrameParser<Piece = Uint8Array> {
  /** The content types it accepts. */
  readonly contentTypes: readonly string[];
  /** Bytes or characters of an incomplete event. */
  readonly pending: number;
  push(piece: Piece): SseEvent[];
  /** Called at the end of the answer. */
  end(): SseEvent[];
}

/** Reaches models through a cloud account. */
export interface CloudAccount {
  /** Throws a `StreamFailure` if there are no credentials. */
  prepare(call: AccountCall): Promise<PreparedRequest>;
  /** Drops refused credentials; returns true if others may exist, so that a retry is worthwhile. */
  renew(refusal: AnswerHeaders): boolean;
  /** Finds credentials and names their source; throws a `StreamFailure` if there are none. */
  describe(signal: AbortSignal): Promise<string>;
}
