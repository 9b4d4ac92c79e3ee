import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Hears of messages that are none. */
  onError(error: Error): void;
}

/** The revision that needs no handshake; clients of older ones begin with `initialize`. */
const modernVersion = '2026-07-28';

/**
 * Serves one client of any revision until it goes. The first message decides the revision, and `makeServer` makes the server for
 * it; one that was only asked what it speaks may be replaced.
 */
export async function serveOverStdio(makeServer: () => Server, options: StdioOptions): Promise<void> {
  const { input, output, signal, onError } = options;
  const closed = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    input.once('end', resolve).once('close', resolve);
    output.once('close', resolve).once('error', resolve);
  });
  const handle = serveStdio(makeServer, {
    transport: checkingVersions(new StdioServerTransport(input, output)),
    onerror: onError,
  });
  await closed;
  await handle.close();
}

/** Refuses requests of unknown revisions; the library does so only with the first. */
function checkingVersions(wire: StdioServerTransport): Transport {
  const checked: Transport = {
    start: () => {
      wire.onclose = () => checked.onclose?.();
      wire.onerror = (error) => checked.onerror?.(error);
      wire.onmessage = (message) => {
        const refusal = versionRefusal(message);
        if (refusal) wire.send(refusal).catch(() => {});
        else checked.onmessage?.(message);
      };
      return wire.start();
    },
    send: (message) => wire.send(message),
    close: () => wire.close(),
  };
  return checked;
}

function versionRefusal(message: JSONRPCMessage): JSONRPCMessage | undefined {
  if (!('method' in message) || !('id' in message)) return undefined;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || requested === modernVersion) return undefined;
  const {
    code,
    message: text,
    data,
  } = new UnsupportedProtocolVersionError({
    supported: [modernVersion],
    requested,
  });
  return { jsonrpc: '2.0', id: message.id, error: { code, message: text, data } };
}
