import { Agent, type RequestOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { ownSecureContext } from '../certificate/own-certificates.ts';
import type { ProxyAddress } from './find-proxy.ts';
import { TunnelAgent } from './tunnel-agent.ts';

interface RouteRequest {
  readonly url: URL;
  readonly options: RequestOptions;
  /** Aborted when the request ends before it has a connection. */
  readonly signal: AbortSignal;
}

/** The address to connect to, and what Node's client needs to know for it. */
interface Route {
  readonly url: URL;
  readonly options: RequestOptions;
}

/** As Node's shared agents, so that a way through a proxy keeps its connections just as long. */
const keeping = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const;
const agents = new Map<string, Agent>();

/** Turns a request into one that goes through a proxy (or none) and trusts what the environment trusts. */
export function routeThrough(proxy: ProxyAddress | undefined, { url, options, signal }: RouteRequest): Route {
  const isSecure = url.protocol === 'https:';
  // A caller without reuse, or with addresses of its own, keeps its way.
  if (!proxy) return { url, options: isSecure ? { ...options, ...trust(options) } : options };
  if (isSecure) {
    const agent = agentFor(
      `tunnel ${keyOf(proxy)}`,
      () => new TunnelAgent(proxy, { ...keeping, ...context() }),
    );
    return { url, options: { ...options, agent, tunnelSignal: signal } as RequestOptions };
  }
  return absoluteForm(proxy, url, options);
}

/** An HTTP request asks the proxy for the whole address. */
function absoluteForm(proxy: ProxyAddress, url: URL, options: RequestOptions): Route {
  const isSecure = proxy.protocol === 'https:';
  const agent = agentFor(`forward ${keyOf(proxy)}`, () =>
    isSecure ? new SecureAgent({ ...keeping, ...context() }) : new Agent(keeping),
  );
  const headers = {
    ...(options.headers as Record<string, string>),
    host: url.host,
    ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
  };
  const path = `${url.protocol}//${url.host}${url.pathname}${url.search}`;
  return { url: new URL(proxy.label), options: { ...options, headers, path, agent } };
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

function agentFor(key: string, create: () => Agent): Agent {
  const found = agents.get(key);
  if (found) return found;
  const agent = create();
  agents.set(key, agent);
  return agent;
}

function keyOf({ label, authorization = '' }: ProxyAddress): string {
  return `${label} ${authorization} ${certificateKey()}`;
}

function certificateKey(): string {
  return `${process.env.SSL_CERT_FILE ?? ''}|${process.env.NODE_EXTRA_CA_CERTS ?? ''}`;
}
