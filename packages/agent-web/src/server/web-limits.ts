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
  /** Time for a whole request. */
  readonly requestMs: number;
  readonly connections: number;
}

export const usualLimits: WebLimits = {
  body: { bytes: 1_000_000, milliseconds: 15_000 },
  streams: 64,
  slowReaderMs: 10_000,
  headersMs: 10_000,
  requestMs: 20_000,
  connections: 256,
};

/** The limits that Node enforces. */
export function serverOptions({ headersMs, requestMs }: WebLimits): ServerOptions {
  return {
    maxHeaderSize: 16_384,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: Math.min(headersMs, 5_000),
    requireHostHeader: true,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
  };
}
