import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { DeviceFolder } from '../access/device-folder.ts';
import { Entrance } from '../access/entrance.ts';
import type { WebRoute } from '../contract/route.ts';
import type { StreamSource } from '../contract/stream.ts';
import { deviceRoutes } from './device-routes.ts';
import { listen, type WebTarget } from './listen.ts';
import { mainOrigin } from './web-address.ts';
import { usualLimits, type WebLimits } from './web-limits.ts';
import { WebServer } from './web-server.ts';

export interface OpenServerOptions {
  readonly target: WebTarget;
  /** The folder of the devices. */
  readonly folder: string;
  readonly routes: readonly WebRoute[];
  readonly streams: StreamSource;
  readonly limits?: Partial<WebLimits> | undefined;
  /** Takes errors that are bugs. */
  readonly log: (text: string) => void;
}

/** A running server. */
export interface RunningWeb {
  readonly origin: string;
  /** A new address with a token, for one use within a minute. */
  createAddress(): string;
  close(): Promise<void>;
}

/** Starts a server with routes and a source of events, and adds what devices need. */
export async function openServer(options: OpenServerOptions): Promise<RunningWeb> {
  const limits = { ...usualLimits, ...options.limits };
  const { folder, routes, streams, log, target } = options;
  const devices = new DeviceFolder(folder);
  devices.prepare();
  const entrance = new Entrance();
  const { server, address } = await listen(target, limits);
  const origin = mainOrigin(address);
  const web = new WebServer(server, {
    address,
    devices,
    entrance,
    routes: [...deviceRoutes({ devices, entrance, address: origin }), ...routes],
    streams,
    limits,
    log,
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
      if (target.kind === 'socket') rmSync(target.path, { force: true });
    },
  };
}
