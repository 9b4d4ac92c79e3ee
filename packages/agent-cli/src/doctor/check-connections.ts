import { checkNetwork, type HostEnvironment } from '@robota-sdk/agent-sdk/front-end';
import type { Finding } from './finding.ts';

/** The proxies and certificates that the environment names; nothing where it names none. */
export async function checkConnections(
  env: HostEnvironment['env'],
  { asksServers }: { readonly asksServers: boolean },
): Promise<readonly Finding[]> {
  const found = await checkNetwork(env, { connects: asksServers });
  return found.map(({ what, problem }) =>
    problem === undefined
      ? { area: 'network', status: 'ok', what }
      : { area: 'network', status: 'broken', what, why: problem },
  );
}
