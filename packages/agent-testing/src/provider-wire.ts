import type { Connection } from '@robota-sdk/agent-core';
import { type ModelServer, startModelServer } from './model-server.ts';

/** A way between a provider and a model server. */
export interface WireConnection {
  /** Laid over the connection to the server itself. */
  readonly connection: Partial<Connection>;
  close(): Promise<void>;
}

/** How a provider reaches its models: at the vendor's own server, or by a cloud that stands in between. */
export interface ProviderWire {
  /** False for a cloud, which has addresses and credentials of its own. */
  readonly isDirect: boolean;
  open(server: ModelServer): Promise<WireConnection>;
}

/** The vendor's own server. */
export const directWire: ProviderWire = {
  isDirect: true,
  open: async () => ({ connection: {}, close: async () => {} }),
};

/** A server and the way to it; closing the way ends both. */
export interface OpenWire {
  readonly server: ModelServer;
  readonly way: WireConnection;
}

/** Starts a server, and the way to it. */
export async function serveWire(wire: ProviderWire): Promise<OpenWire> {
  const server = await startModelServer();
  const { connection, close } = await wire.open(server);
  const closeBoth = async () => {
    await close();
    await server.close();
  };
  return { server, way: { connection, close: closeBoth } };
}
