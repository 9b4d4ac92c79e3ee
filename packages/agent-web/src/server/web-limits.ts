import type { ServerOptions } from 'node:http';
import type { BodyLimits } from './read-body.ts';

/** Limits that keep one client from taking the server away from the others. */
export interface WebLimits {
  readonly body: BodyLimits;
  /** Streams open at once. */
  readonly streams: number;
  /** A stream whose browser takes nothing for so long is dropped. */
  readonly slowReaderMs: number;
  /** Time for the headers of a request. */
  readonly headersMs: number;
  /** Time that a connection may stay open between two requests. */
  readonly keepAliveMs: number;
  /** Connections at once that no known device has used. */
  readonly strangers: number;
  readonly connections: number;
}

export const usualLimits: WebLimits = {
  body: { bytes: 1_000_000, milliseconds: 15_000 },
  streams: 64,
  slowReaderMs: 10_000,
  headersMs: 10_000,
  keepAliveMs: 5_000,
  strangers: 128,
  connections: 512,
};

const longestTimer = 2 ** 31 - 1;

/** The limits that Node enforces. Its own checks of slow requests would wake up an idle server; `Connections` has them. */
export function serverOptions({ keepAliveMs }: WebLimits): ServerOptions {
  return {
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: longestTimer,
    requireHostHeader: true,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
  };
}
