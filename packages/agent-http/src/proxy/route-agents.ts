import type { Agent, RequestOptions } from 'node:http';
import { certificateVariables } from '../certificate/own-certificates.ts';
import type { ProxyAddress } from './find-proxy.ts';

/** A request on its way. */
export interface RouteRequest {
  readonly url: URL;
  readonly options: RequestOptions;
  /** Aborted when the request ends before it has a connection. */
  readonly signal: AbortSignal;
}

/** The address to connect to, and what Node's client needs to know for it. */
export interface Route {
  readonly url: URL;
  readonly options: RequestOptions;
}

/** As Node's shared agents, so that a way through a proxy keeps its connections just as long. */
export const keeping = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const;
const agents = new Map<string, Agent>();

/** An HTTP request asks the proxy for the whole address. */
export function absoluteForm(proxy: ProxyAddress, { url, options }: RouteRequest, agent: Agent): Route {
  const headers = {
    ...(options.headers as Record<string, string>),
    host: url.host,
    ...authorizationFor(proxy),
  };
  const path = `${url.protocol}//${url.host}${url.pathname}${url.search}`;
  return { url: new URL(proxy.label), options: { ...options, headers, path, agent } };
}

/** One agent for each way, so that its connections are used again. */
export function agentFor(key: string, create: () => Agent): Agent {
  const found = agents.get(key);
  if (found) return found;
  const agent = create();
  agents.set(key, agent);
  return agent;
}

/** Tells proxies and what is trusted on the way to them apart. */
export function proxyKey(proxy: ProxyAddress): string {
  return `${proxy.label} ${JSON.stringify(proxy.login ?? '')} ${certificateKey()}`;
}

/** The header with which an HTTP proxy lets requests through. */
export function authorizationFor({ login }: ProxyAddress): Readonly<Record<string, string>> {
  if (!login) return {};
  const credentials = Buffer.from(`${login.user}:${login.password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${credentials}` };
}

/** The certificates that the environment names. */
export function certificateKey(): string {
  return certificateVariables.map((name) => process.env[name] ?? '').join('|');
}
