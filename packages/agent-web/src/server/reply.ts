import type { ServerResponse } from 'node:http';
import type { WebFailure, WebReply } from '../contract/route.ts';
import type { PageDocument } from './page-document.ts';
import type { Refusal } from './refusal.ts';

/** The policy of everything but the page: such a reply is never a document. */
const nothing = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** Headers of every reply. There is none that lets another origin read it. */
export function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', nothing);
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Origin-Agent-Cluster', '?1');
  response.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), display-capture=()');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
}

/** Sends the reply of a handler. */
export function sendReply(response: ServerResponse, reply: WebReply): void {
  if ('json' in reply) return sendJson(response, reply.status ?? 200, reply.json);
  response.setHeader('Content-Type', reply.type);
  response.setHeader(
    'Content-Disposition',
    `attachment; filename="${reply.fileName.replace(/[^\w.-]/g, '_')}"`,
  );
  response.end(reply.text);
}

/** Sends JSON, which no browser takes for anything else. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(value));
}

/** Sends the page. */
export function sendPage(response: ServerResponse, page: PageDocument, accepted: string | undefined): void {
  const isZipped = /\bgzip\b/.test(accepted ?? '');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', page.policy);
  response.setHeader('Vary', 'Accept-Encoding');
  if (isZipped) response.setHeader('Content-Encoding', 'gzip');
  response.end(isZipped ? page.zipped : page.html);
}

/** Sends an error of a handler. */
export function sendFailure(response: ServerResponse, status: number, failure: WebFailure): void {
  sendJson(response, status, failure);
}

/** Sends a refusal and closes the connection: the rest of such a request is not read. */
export function sendRefusal(response: ServerResponse, { status, code, message, hint }: Refusal): void {
  response.setHeader('Connection', 'close');
  if (status === 405) response.setHeader('Allow', 'GET, POST');
  sendFailure(response, status, { code, message, ...(hint === undefined ? {} : { hint }) });
}
