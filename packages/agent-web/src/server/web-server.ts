import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { AgentError } from '@robota-sdk/agent-core';
import type { Device, DeviceFolder } from '../access/device-folder.ts';
import { nameDevice } from '../access/device-name.ts';
import type { Entrance } from '../access/entrance.ts';
import { type Entered, keyHeader } from '../contract/devices.ts';
import { entryOfToken } from '../contract/entry-token.ts';
import { type PageName, pageOf } from '../contract/pages.ts';
import type { WebRoute } from '../contract/route.ts';
import type { StreamSource } from '../contract/stream.ts';
import { type CheckedRequest, checkRequest, headerValues, notFound } from './check-request.ts';
import { Connections } from './connections.ts';
import { writeEvents } from './event-stream.ts';
import { isPagePath, loadPage, type PageDocument } from './page-document.ts';
import { readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';
import { sendFailure, sendJson, sendPage, sendRefusal, sendReply, setCommonHeaders } from './reply.ts';
import { RouteTable } from './route-table.ts';
import type { WebAddress } from './web-address.ts';
import type { WebLimits } from './web-limits.ts';

export interface WebServerOptions {
  readonly address: WebAddress;
  readonly devices: DeviceFolder;
  readonly entrance: Entrance;
  readonly routes: readonly WebRoute[];
  readonly streams: StreamSource;
  readonly limits: WebLimits;
  /** Takes errors that are bugs; never a secret of a request. */
  readonly log: (text: string) => void;
}

/** Serves requests that pass every check: the page to its address, and the rest to devices that were let in. */
export class WebServer {
  readonly #options: WebServerOptions;
  readonly #routes: RouteTable;
  readonly #connections: Connections;
  readonly #streams = new Map<AbortController, string>();
  readonly #stopWatching: () => void;
  readonly #pages = new Map<PageName, Promise<PageDocument>>();

  constructor(server: Server, options: WebServerOptions) {
    this.#options = options;
    this.#routes = new RouteTable(options.routes);
    this.#connections = new Connections(server, options.limits);
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, serve);
    this.#stopWatching = options.devices.watch(() => this.#endRevoked());
  }

  /** Ends the streams; connections are the server's. */
  close(): void {
    this.#stopWatching();
    for (const stream of this.#streams.keys()) stream.abort();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {});
    response.on('error', () => {});
    this.#connections.begin(request, response);
    setCommonHeaders(response);
    try {
      const checked = checkRequest(request, this.#options.address);
      if (checked.isApi) await this.#serveApi({ request, response, checked });
      else await this.#servePage(checked.path, { request, response });
    } catch (thrown) {
      this.#fail(response, thrown);
    }
  }

  async #servePage(path: string, { request, response }: Exchange): Promise<void> {
    if (!isPagePath(path)) throw notFound();
    const name = pageOf(path);
    const page = this.#pages.get(name) ?? loadPage(name);
    this.#pages.set(name, page);
    sendPage(response, await page, request.headers['accept-encoding']);
  }

  async #serveApi(exchange: Exchange & { readonly checked: CheckedRequest }): Promise<void> {
    const { request, response, checked } = exchange;
    const { method, path } = checked;
    const isEntry = method === 'POST' && (path === '/api/enter' || path === '/api/pair');
    if (isEntry) return this.#enter(exchange);
    const device = this.#deviceOf(request, checked);
    if (!device) throw unknownDevice();
    this.#connections.trust(request);
    if (method === 'GET' && path === '/api/events') return this.#stream(exchange, device);
    const { route, params } = this.#routes.find(method, path);
    const body = method === 'POST' ? await readBody(request, this.#options.limits.body) : null;
    // It may have been locked out while it sent the rest.
    if (!this.#options.devices.has(device.id)) throw unknownDevice();
    const { signal } = abortOnClose(response);
    const reply = await route.handle({ params, query: checked.query, body, device: device.id, signal });
    if (!response.destroyed) sendReply(response, reply);
  }

  /** Lets a browser in that brings the token of the address, or the code of a known device. */
  async #enter({ request, response, checked }: Exchange & { checked: CheckedRequest }): Promise<void> {
    const { address, devices, entrance, limits } = this.#options;
    const { token, code } = await readBody(request, limits.body);
    const isAllowed =
      checked.path === '/api/enter'
        ? typeof token === 'string' && entrance.takeToken(token)
        : typeof code === 'string' && devices.has(entrance.takeCode(code) ?? '');
    if (!isAllowed)
      throw new Refusal(401, 'no-entry', {
        message:
          checked.path === '/api/enter' ? 'This address was used or is too old.' : 'Wrong or old code.',
        hint: 'Press Enter where robota web runs for a new address, or ask a known device for a code.',
      });
    const before = this.#deviceOf(request, checked);
    if (before) devices.remove(before.id);
    const name = nameDevice(request.headers['user-agent'], headerValues(request, 'sec-ch-ua')[0]);
    const { device, secrets } = devices.add({ name, origin: checked.origin });
    response.setHeader('Set-Cookie', deviceCookie(address, secrets.cookie));
    const entered: Entered = { key: secrets.key, device: { id: device.id, name } };
    sendJson(response, 200, entered);
  }

  async #stream({ request, response, checked }: Exchange & { checked: CheckedRequest }, device: Device) {
    const { limits, streams } = this.#options;
    if (this.#streams.size >= limits.streams)
      throw new Refusal(503, 'too-many-streams', { message: `${limits.streams} streams are open already.` });
    const controller = abortOnClose(response);
    this.#streams.set(controller, device.id);
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    const { signal } = controller;
    try {
      const events = streams.open({
        session: checked.query.get('session') ?? undefined,
        lastEntry: headerValues(request, 'last-event-id').map(entryOfToken)[0],
        signal,
      });
      await writeEvents(response, events, { signal, slowMs: limits.slowReaderMs });
      // The last event, such as one that lets the page load again, is on its way still.
      if (!signal.aborted) response.end();
    } catch (thrown) {
      if (!signal.aborted && !response.headersSent) throw thrown;
    } finally {
      this.#streams.delete(controller);
      controller.abort();
      if (response.headersSent && !response.writableEnded) response.destroy();
    }
  }

  #deviceOf(request: IncomingMessage, { origin }: CheckedRequest): Device | undefined {
    const { address, devices } = this.#options;
    const [key = ''] = headerValues(request, keyHeader.toLowerCase());
    for (const cookie of cookiesIn(request, address)) {
      const device = devices.find({ cookie, key }, origin);
      if (device) return device;
    }
    return undefined;
  }

  #endRevoked(): void {
    for (const [stream, device] of this.#streams) if (!this.#options.devices.has(device)) stream.abort();
  }

  #fail(response: ServerResponse, thrown: unknown): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (thrown instanceof Refusal) return sendRefusal(response, thrown);
    if (AgentError.is(thrown) && thrown.code !== 'internal') {
      const { code, problem, hint } = thrown;
      return sendFailure(response, code === 'session-in-use' ? 409 : 400, {
        code,
        message: problem.message,
        ...(hint === undefined ? {} : { hint }),
      });
    }
    this.#options.log(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    sendFailure(response, 500, { code: 'internal', message: 'The server failed; its terminal says why.' });
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function unknownDevice(): Refusal {
  return new Refusal(401, 'unknown-device', {
    message: 'This browser is not signed in, or its access was revoked.',
    hint: 'Open a new address from robota web, or type a code from another device.',
  });
}

function abortOnClose(response: ServerResponse): AbortController {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller;
}

const maxAgeSeconds = 30 * 24 * 60 * 60;
/** A page of another port can add cookies of the same name for other paths; their number is limited. */
const mostCookies = 64;

/** The value of `Set-Cookie` that a device gets. */
function deviceCookie({ cookieName, isSecure }: WebAddress, value: string): string {
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

/** Every value that a request has for our cookie. */
function cookiesIn(request: IncomingMessage, { cookieName }: WebAddress): string[] {
  return (headerValues(request, 'cookie')[0] ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1))
    .slice(0, mostCookies);
}
