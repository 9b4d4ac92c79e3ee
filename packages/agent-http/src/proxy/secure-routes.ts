import type { RequestOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { ownSecureContext } from '../certificate/own-certificates.ts';
import type { ProxyAddress } from './find-proxy.ts';
import {
  absoluteForm,
  agentFor,
  certificateKey,
  keeping,
  proxyKey,
  type Route,
  type RouteRequest,
} from './route-agents.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/** The way of a request that speaks TLS with its server or with its proxy. */
export function secureRoute(proxy: ProxyAddress | undefined, request: RouteRequest): Route {
  const { url, options, signal } = request;
  // A caller without reuse, or with addresses of its own, keeps its way.
  if (!proxy) return { url, options: { ...options, ...trust(options) } };
  if (url.protocol === 'https:') {
    const agent = agentFor(
      `tunnel ${proxyKey(proxy)}`,
      () => new TunnelAgent(proxy, { ...keeping, ...context() }),
    );
    return { url, options: { ...options, agent, tunnelSignal: signal } as RequestOptions };
  }
  const create = () => new SecureAgent({ ...keeping, ...context() });
  return absoluteForm(proxy, request, agentFor(`forward ${proxyKey(proxy)}`, create));
}

function trust({ agent }: RequestOptions): RequestOptions {
  const own = context();
  if (!('secureContext' in own)) return {};
  if (agent !== undefined) return own as RequestOptions;
  return { agent: agentFor(`direct ${certificateKey()}`, () => new SecureAgent({ ...keeping, ...own })) };
}

function context() {
  const secureContext = ownSecureContext();
  return secureContext ? { secureContext } : {};
}
