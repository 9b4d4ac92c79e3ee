import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { CertificateError, isCertificateFault } from './certificate/certificate-error.ts';
import { certificateVariables } from './certificate/own-certificates.ts';
import { type Environment, findProxy, type ProxyAddress, proxyVariables } from './proxy/find-proxy.ts';
import { ProxyError } from './proxy/proxy-error.ts';
import { routeThrough } from './proxy/routes.ts';

const connectTimeoutMs = 10_000;

/** How Node's client is to send a request: its own options, and a signal for the time before there is a connection. */
export interface RouteOptions extends RequestOptions {
  readonly method: string;
  /** Goes past every proxy: the server is a part of this machine, whatever its address looks like. */
  readonly isDirect?: boolean | undefined;
}

/** A request that was opened, and the proxy it goes through. */
export interface OpenedRequest {
  readonly request: ClientRequest;
  readonly proxy?: ProxyAddress;
  /** Makes an error of the request, or of its answer, one that names the proxy or the certificate. */
  explain(error: Error): Error;
  /** The error an answer stands for if it is the proxy's own. */
  problemOf(answer: IncomingMessage): Error | undefined;
  /** Ends the request, also while the proxy still connects. */
  abort(error?: Error): void;
}

/** Opens a request on the way the environment prescribes; loads what proxies and certificates need only for them. */
export async function openRequest(
  url: URL,
  { isDirect = false, ...options }: RouteOptions,
): Promise<OpenedRequest> {
  const env = process.env;
  if (!isConfigured(env)) return open(url, options);
  const proxy = isDirect ? undefined : findProxy(url, env);
  const connecting = new AbortController();
  const route = await routeThrough(proxy, { url, options, signal: connecting.signal });
  return open(route.url, route.options, { target: url, proxy, connecting });
}

function isConfigured(env: Environment): boolean {
  return [...proxyVariables, ...certificateVariables].some((name) => env[name]);
}

interface RouteContext {
  readonly target: URL;
  readonly proxy: ProxyAddress | undefined;
  readonly connecting: AbortController;
}

function open(url: URL, options: RequestOptions, context?: RouteContext): OpenedRequest {
  const isSecure = url.protocol === 'https:';
  const { request: send } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
  const request = send(url, options);
  const { proxy, connecting, target = url } = context ?? {};
  // A proxy that gives up late must not end the process with an error of a request that is over.
  if (connecting) request.on('error', () => {});
  const abort = (error?: Error) => {
    request.destroy(error);
    // A request without a socket hears of its end only by the failed connection.
    connecting?.abort(error);
  };
  limitConnecting(request, abort, proxy);
  return {
    request,
    abort,
    explain: (error) => explain(error, target, proxy),
    problemOf: ({ statusCode }) =>
      proxy && statusCode === 407 ? ProxyError.unauthorized(proxy, statusCode) : undefined,
    ...(proxy ? { proxy } : {}),
  };
}

/** Without a tunnel they come from the connection to the proxy itself. */
const connectFaults =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$|CERT|SELF_SIGNED|UNABLE_TO/;

function explain(error: Error, target: URL, proxy: ProxyAddress | undefined): Error {
  // Only errors of the connection have a code of the system.
  if (error instanceof ProxyError || error instanceof CertificateError || codeOf(error) === '') return error;
  const isForwarded = proxy !== undefined && target.protocol === 'http:';
  if (isForwarded && connectFaults.test(codeOf(error))) return ProxyError.unreachable(proxy, error);
  if (isCertificateFault(error)) return new CertificateError(target.host, error, proxy?.label);
  return proxy ? ProxyError.broken(proxy, target.host, error) : error;
}

/** An address that swallows everything would otherwise be waited for as long as a model that thinks. */
function limitConnecting(request: ClientRequest, abort: (error: Error) => void, proxy?: ProxyAddress): void {
  const seconds = connectTimeoutMs / 1000;
  const timer = setTimeout(() => {
    if (proxy) return abort(ProxyError.silent(proxy, seconds));
    abort(Object.assign(new Error(`no connection within ${seconds} s`), { code: 'ETIMEDOUT' }));
  }, connectTimeoutMs);
  const stop = () => clearTimeout(timer);
  request.once('error', stop);
  request.once('close', stop);
  request.once('socket', (socket) => {
    const isOpen = request.reusedSocket || (request.protocol === 'http:' && !socket.connecting);
    if (isOpen) stop();
    else socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', stop);
  });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
