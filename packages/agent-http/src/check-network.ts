import type { Socket } from 'node:net';
import { describeBroken } from './certificate/certificate-error.ts';
import { ownSecureContext, readCertificateFiles } from './certificate/own-certificates.ts';
import { type Environment, type ProxyAddress, parseProxy, usedProxyVariables } from './proxy/find-proxy.ts';
import { ProxyError } from './proxy/proxy-error.ts';

/** One thing that the environment says about connections. */
export interface NetworkFinding {
  readonly what: string;
  /** Why it does not work, and what to do; without credentials. */
  readonly problem?: string;
}

const patienceMs = 5_000;

/** Looks at the proxies and certificates of an environment; connects to the proxies unless told not to. */
export async function checkNetwork(
  env: Environment,
  { connects }: { readonly connects: boolean },
): Promise<readonly NetworkFinding[]> {
  const proxies = await Promise.all(
    usedProxyVariables(env).map((name) => checkProxy(name, { env, connects })),
  );
  const bypass = (env.no_proxy?.trim() || env.NO_PROXY?.trim()) ?? '';
  return [
    ...proxies,
    ...(bypass === '' ? [] : [{ what: `without a proxy (NO_PROXY): ${bypass}` }]),
    ...readCertificateFiles(env).map((file) => {
      const what = `${file.variable}: ${file.path}`;
      if (file.problem !== undefined) return { what, problem: describeBroken(file) };
      const count = file.certificates.length;
      return { what: `${what} (${count} ${count === 1 ? 'authority' : 'authorities'})` };
    }),
  ];
}

async function checkProxy(
  variable: string,
  { env, connects }: { readonly env: Environment; readonly connects: boolean },
): Promise<NetworkFinding> {
  try {
    const proxy = parseProxy(variable, env[variable] ?? '');
    const what = `${variable}: ${proxy.label}${proxy.login ? ', with credentials' : ''}`;
    const problem = connects ? await faultOf(proxy, env) : undefined;
    return problem === undefined ? { what } : { what, problem };
  } catch (thrown) {
    if (!(thrown instanceof ProxyError)) throw thrown;
    return { what: variable, problem: thrown.message };
  }
}

/** Why no connection to a proxy is possible. */
function faultOf(proxy: ProxyAddress, env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    const address = { host: proxy.hostname, port: proxy.port };
    const isSecure = proxy.protocol === 'https:';
    const socket: Socket = isSecure
      ? process.getBuiltinModule('node:tls').connect({ ...address, secureContext: ownSecureContext(env) })
      : process.getBuiltinModule('node:net').connect(address);
    const end = (problem?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem?.message);
    };
    const timer = setTimeout(() => end(ProxyError.silent(proxy, patienceMs / 1000)), patienceMs);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end());
    socket.on('error', (error) => end(ProxyError.unreachable(proxy, error)));
  });
}
