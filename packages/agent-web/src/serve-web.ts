import { join } from 'node:path';
import { type HostEnvironment, userPaths } from '@robota-sdk/agent-sdk/front-end';
import { LiveSessions } from './live/live-sessions.ts';
import { boardRoutes } from './routes/board-routes.ts';
import { openFleet } from './routes/fleet/fleet-port.ts';
import { fleetRows } from './routes/fleet/fleet-rows.ts';
import { fleetRoutes, taskSubject } from './routes/fleet-routes.ts';
import { reviewRoutes } from './routes/review-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { trustedDirectory } from './routes/trusted-directory.ts';
import { usageRoutes } from './routes/usage-routes.ts';
import type { WebTarget } from './server/listen.ts';
import { openServer, type RunningWeb } from './server/open-server.ts';

export interface ServeWebOptions {
  readonly target: WebTarget;
  readonly host: HostEnvironment;
  /** The directory that the server was started in: sessions can begin there. */
  readonly cwd?: string;
  /** Lets `!command` lines of the page run. */
  readonly shell: boolean;
  /** Takes errors that are bugs. */
  readonly log: (text: string) => void;
}

/** Serves the page, and sessions, usage and fleet, to devices that were let in. */
export async function serveWeb({ target, host, cwd, shell, log }: ServeWebOptions): Promise<RunningWeb> {
  const paths = userPaths(host);
  const fleet = { open: () => openFleet({ home: paths.data, database: host.env.ROBOTA_FLEET }) };
  const folder = host.env.ROBOTA_FLEET ? undefined : join(paths.data, 'fleet');
  const live = await LiveSessions.open({ host, cwd, shell, more: fleetRows(fleet.open, folder) });
  const allowRepository = async (path: string) => (await trustedDirectory(path, { live, host })).cwd;
  const web = await openServer({
    target,
    folder: paths.web,
    routes: [
      ...boardRoutes(live),
      ...sessionRoutes(live, host),
      ...reviewRoutes({ home: paths.data, sessions: live, taskSubject: (id) => taskSubject(fleet, id) }),
      ...usageRoutes({ root: paths.root, host }),
      ...fleetRoutes({ ...fleet, rules: { shell, allowRepository } }),
    ],
    streams: live.streams,
    log,
  });
  const close = async () => {
    await web.close();
    await live.close();
  };
  return { ...web, close };
}
