import { createHash } from 'node:crypto';
import { AgentError, endSentence, errorMessage } from '@robota-sdk/agent-core';
import { httpFetch, readAtMost } from '@robota-sdk/agent-http';
import { isLoopbackHost, requireAddress } from './check-source.ts';

export interface FileDownloadOptions {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Milliseconds without a byte before the server counts as stuck. */
  readonly idleMs?: number;
  /** Sent only to the origin of the URL itself, never to redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The end of the message if it fails. */
  readonly advice?: string;
  /** The message for an address that does not exist. */
  readonly missing?: string;
}

const maxRedirects = 5;
const defaultTimeoutMs = 120_000;

/** Downloads a file of limited size over https, or http from this machine; redirects must be as safe as the address. */
export async function downloadFile(address: string, options: FileDownloadOptions): Promise<Buffer> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  const idle = new IdleTimer(options.idleMs);
  const signal = AbortSignal.any([deadline, idle.signal, ...(options.signal ? [options.signal] : [])]);
  try {
    const { headers = {}, missing } = options;
    const response = await follow(address, { signal, headers, missing });
    return await readBody(response, options.maxBytes, idle);
  } catch (thrown) {
    options.signal?.throwIfAborted();
    if (AgentError.is(thrown)) throw thrown;
    const cause =
      thrown instanceof Error && thrown.cause !== undefined ? `: ${errorMessage(thrown.cause)}` : '';
    const { advice = 'Check the address and the network, or add it from a local folder.' } = options;
    const reason = endSentence(`${errorMessage(thrown)}${cause}`);
    throw new AgentError('config', `${address} could not be downloaded: ${reason} ${advice}`, {
      cause: thrown,
    });
  } finally {
    idle.stop();
  }
}

/** Aborts after a period without activity. */
class IdleTimer {
  readonly #controller = new AbortController();
  readonly #milliseconds: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number | undefined) {
    this.#milliseconds = milliseconds;
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.stop();
    const milliseconds = this.#milliseconds;
    if (milliseconds === undefined) return;
    const reason = new Error(`no data arrived for ${milliseconds / 1000} s`);
    this.#timer = setTimeout(() => this.#controller.abort(reason), milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Fails unless content has the sum it should have. */
export function requireSum(content: Buffer, expected: string, { algorithm = 'sha256', of = '' } = {}): void {
  const sum = createHash(algorithm).update(content).digest('hex');
  if (sum === expected) return;
  const advice = 'It was changed since it was listed; do not use it before you know why.';
  throw new AgentError('config', `${of} has the sum ${sum}, not ${expected}. ${advice}`);
}

interface Following {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  readonly missing: string | undefined;
}

async function follow(address: string, { signal, headers, missing }: Following): Promise<Response> {
  let current = requireAddress(address, { local: false });
  const startedHere = isLoopbackHost(new URL(current).hostname);
  for (let count = 0; count <= maxRedirects; count++) {
    const isOwn = new URL(current).origin === new URL(address).origin;
    const response = await httpFetch(current, { redirect: 'manual', signal, headers: isOwn ? headers : {} });
    const target = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || target === null) {
      if (response.ok) return response;
      if (response.status === 404 && missing !== undefined) throw new AgentError('config', missing);
      throw new AgentError('config', `${current} answered with status ${response.status}.`);
    }
    await response.body?.cancel();
    current = requireAddress(new URL(target, current).href, { local: false });
    if (!startedHere && isLoopbackHost(new URL(current).hostname))
      throw new AgentError('config', `${address} leads to this machine, and is not followed.`);
  }
  throw new AgentError('config', `${address} leads from one address to the next without end.`);
}

async function readBody(response: Response, maxBytes: number, idle: IdleTimer): Promise<Buffer> {
  const tooLarge = () => new AgentError('config', `${response.url} is larger than ${maxBytes} bytes.`);
  if (Number(response.headers.get('content-length') ?? 0) <= maxBytes)
    return readAtMost(response, { maxBytes, tooLarge, onChunk: () => idle.restart() });
  await response.body?.cancel();
  throw tooLarge();
}
