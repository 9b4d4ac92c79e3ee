import type {
  ClientCapabilities,
  DiscoverResult,
  PriorDiscovery,
  Transport,
} from '@modelcontextprotocol/client';
import { anyObject, guard, type JsonObject, jsonCopy, list, object, text } from '@robota-sdk/agent-core';

/** The first revision without a handshake; every request names it. */
const modernVersion = '2026-07-28';
/** The newest revision that begins with `initialize`. */
const legacyVersion = '2025-11-25';
/** How long a server may ignore the first question before it is also greeted the old way. */
const ignoredMs = 1000;

/** Names us to a server, and says what it may ask us. */
export interface ClientHello {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly capabilities: ClientCapabilities;
}

/**
 * Starts a program and finds out which revision it speaks, on the pipe that is used afterwards: asks it the first question
 * of the new revision, and greets it the old way too when it ignores that. Rejects if the program ends before it answers,
 * and waits as long as it is silent.
 */
export async function probeEra(transport: Transport, client: ClientHello): Promise<PriorDiscovery> {
  const { clientInfo, capabilities } = jsonCopy(client) as { [K in keyof ClientHello]: JsonObject };
  const waiting = new Map<unknown, (result: JsonObject | undefined) => void>();
  const closed = new Promise<never>((_, reject) => {
    transport.onclose = () => reject(new Error('it ended before it had answered'));
  });
  closed.catch(() => {});
  transport.onmessage = (message) => {
    if (!('id' in message) || 'method' in message) return;
    waiting.get(message.id)?.('result' in message ? (jsonCopy(message.result) as JsonObject) : undefined);
  };
  /** Resolves with the result; undefined if the server refuses. */
  const ask = (method: string, params: JsonObject) => {
    const id = `era ${method}`;
    transport.send({ jsonrpc: '2.0', id, method, params }).catch(() => {});
    return new Promise<JsonObject | undefined>((resolve) => waiting.set(id, resolve));
  };
  try {
    await transport.start();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': modernVersion,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const discovered = ask('server/discover', { _meta: meta }).then(modernIn);
    const verdict = await Promise.race([
      discovered.then((modern) => modern ?? legacy),
      closed,
      after(ignoredMs),
    ]);
    if (verdict) return verdict;
    const { extensions, ...older } = capabilities;
    const hello = { protocolVersion: legacyVersion, capabilities: older, clientInfo };
    const greeted = ask('initialize', hello).then((result) => result && { kind: 'greeted' as const, result });
    // The first that is accepted decides; a refusal leaves the decision to the other.
    const accepted = Promise.any([discovered.then(unlessRefused), greeted.then(unlessRefused)]);
    const answer = await Promise.race([accepted.catch(() => legacy), closed]);
    if (answer.kind !== 'greeted') return answer;
    answerInitialize(transport, answer.result);
    return legacy;
  } finally {
    transport.onmessage = undefined;
    transport.onclose = undefined;
  }
}

const legacy: PriorDiscovery = { kind: 'legacy' };

const isDiscovery = guard<DiscoverResult & JsonObject>(() =>
  object({ supportedVersions: list(text), capabilities: anyObject }),
);

/** The answer of a server to the first question of the new revision; undefined if it does not speak that. */
export function modernIn(result: unknown): Extract<PriorDiscovery, { kind: 'modern' }> | undefined {
  if (!isDiscovery(result) || !result.supportedVersions.includes(modernVersion)) return undefined;
  return { kind: 'modern', discover: result };
}

function unlessRefused<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Error('refused');
  return answer;
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}

/** Gives the library the answer that has come already when it greets the server itself. */
function answerInitialize(transport: Transport, result: JsonObject): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if (!('id' in message) || !('method' in message) || message.method !== 'initialize')
      return send(message, options);
    transport.send = send;
    queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result }));
  };
}
