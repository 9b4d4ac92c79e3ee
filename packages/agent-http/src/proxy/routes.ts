import type { RequestOptions } from 'node:http';
import type { ProxyAddress } from './find-proxy.ts';
import { absoluteForm, agentFor, keeping, proxyKey, type Route, type RouteRequest } from './route-agents.ts';

/**
 * Turns a request into one that goes through a proxy (or none) and trusts what the environment trusts. TLS is loaded only
 * where it is spoken: it costs more than all the rest of a proxy.
 */
export async function routeThrough(proxy: ProxyAddress | undefined, request: RouteRequest): Promise<Route> {
  const { url, options } = request;
  if (url.protocol === 'https:' || proxy?.protocol === 'https:') {
    const { secureRoute } = await import('./secure-routes.ts');
    return secureRoute(proxy, request);
  }
  if (!proxy) return { url, options };
  if (proxy.protocol === 'socks5:') {
    const { SocksAgent } = await import('./socks-tunnel.ts');
    const agent = agentFor(`socks ${proxyKey(proxy)}`, () => new SocksAgent(proxy, keeping));
    return { url, options: { ...options, agent, tunnelSignal: request.signal } as RequestOptions };
  }
  const { Agent } = process.getBuiltinModule('node:http');
  return absoluteForm(
    proxy,
    request,
    agentFor(`forward ${proxyKey(proxy)}`, () => new Agent(keeping)),
  );
}
