import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { DeviceFolder } from './access/device-folder.ts';
import { Entrance } from './access/entrance.ts';
import type { StreamSource } from './contract/stream.ts';
import { deviceRoutes } from './routes/device-routes.ts';
import { listen, type WebTarget } from './server/listen.ts';
import { mainOrigin } from './server/web-address.ts';
import { usualLimits, type WebLimits } from './server/web-limits.ts';
import { WebServer } from './server/web-server.ts';

export interface ServeWebOptions {
  readonly target: WebTarget;
  /** The folder of the devices. */
  readonly folder: string;
  /** Lets `!command` lines of the page run. */
  readonly shell: boolean;
  readonly limits?: Partial<WebLimits>;
  readonly log: (text: string) => void;
}

/** A running server. */
export interface RunningWeb {
  readonly origin: string;
  /** A new address with a token, for one use within a minute. */
  createAddress(): string;
  close(): Promise<void>;
}

/** Serves the page and the sessions to devices that were let in. */
export async function serveWeb(options: ServeWebOptions): Promise<RunningWeb> {
  const limits = { ...usualLimits, ...options.limits };
  const devices = new DeviceFolder(options.folder);
  devices.prepare();
  const entrance = new Entrance();
  const { server, address } = await listen(options.target, limits);
  const origin = mainOrigin(address);
  const web = new WebServer(server, {
    address,
    devices,
    entrance,
    routes: [...deviceRoutes({ devices, entrance, address: origin })],
    streams: silentStreams,
    limits,
    log: options.log,
  });
  return {
    origin,
    createAddress: () => `${origin}/#${entrance.createToken()}`,
    close: async () => {
      web.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      if (options.target.kind === 'socket') rmSync(options.target.path, { force: true });
    },
  };
}

const silentStreams: StreamSource = {
  async *open({ signal }) {
    if (!signal.aborted) await once(signal, 'abort');
    yield* [];
  },
};
