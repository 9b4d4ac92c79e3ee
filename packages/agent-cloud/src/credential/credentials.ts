import { readFile } from 'node:fs/promises';
import { errorMessage, isJsonObject, parseJson, StreamFailure } from '@robota-sdk/agent-core';
import { httpFetch, readAtMost } from '@robota-sdk/agent-http';

/** Variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that an account is found by. */
export interface AccountOptions {
  readonly env: Environment;
  /** The user's home directory. */
  readonly home: string;
  /** An address of the user's own, in place of the cloud's usual one. */
  readonly baseUrl?: string | undefined;
  /** A key of the cloud's model service, which takes the place of an account. */
  readonly apiKey?: string | undefined;
}

/** Something that is valid until a time. */
export interface Expiring {
  /** Milliseconds since 1970; for ever unless given. */
  readonly expiresAt?: number | undefined;
  /** The source, for messages: `profile work`, `AWS_ACCESS_KEY_ID`. */
  readonly source: string;
}

/** Renewed this long before the end, so that no request is signed with credentials that end on the way. */
const marginMs = 5 * 60_000;
const patienceMs = 10_000;

/** Keeps credentials until shortly before they end. Requests at the same time share one search. */
export class CredentialCache<Kind extends Expiring> {
  readonly #load: (signal: AbortSignal) => Promise<Kind>;
  #current: Promise<Kind> | undefined;
  #usedBefore = false;

  constructor(load: (signal: AbortSignal) => Promise<Kind>) {
    this.#load = load;
  }

  async get(signal: AbortSignal): Promise<Kind> {
    for (let awaited = this.#current; awaited !== undefined; ) {
      const known = await awaited.catch(() => undefined);
      if (known && (known.expiresAt === undefined || known.expiresAt - marginMs > Date.now())) {
        this.#usedBefore = true;
        return known;
      }
      // Another request may have begun a search meanwhile.
      if (this.#current === awaited) break;
      awaited = this.#current;
    }
    this.#usedBefore = false;
    this.#current = this.#load(signal);
    return this.#current;
  }

  /** Forgets what was refused; false if it was found for that very request, as it would be found again. */
  renew(): boolean {
    const wasUsedBefore = this.#usedBefore;
    this.#current = undefined;
    this.#usedBefore = false;
    return wasUsedBefore;
  }
}

/** The account has no credentials, or they were refused. The message says what to do. */
export function noCredentials(message: string): StreamFailure {
  return new StreamFailure({ code: 'auth', retryable: false, message });
}

/** One request for credentials. */
export interface CredentialRequest {
  readonly url: string;
  readonly init?: RequestInit;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** The server is a part of this machine, which no proxy reaches. */
  readonly isDirect?: boolean;
}

/** How the metadata service of a machine is asked: it answers at once, or there is none. */
export const ofMachine = { timeoutMs: 2_000, isDirect: true } as const;

interface CredentialAnswer {
  readonly status: number;
  readonly text: string;
  /** The time of the server. */
  readonly date: string | null;
}

/** The text of an answer with its status. A network that fails is worth another attempt. */
export async function ask(
  { url, init = {}, signal, timeoutMs = patienceMs, isDirect = false }: CredentialRequest,
  what: string,
): Promise<CredentialAnswer> {
  const address = parseAddress(url, what);
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await httpFetch(address, { ...init, redirect: 'error', signal: ends, isDirect });
    const date = response.headers.get('date');
    const body = await readAtMost(response, {
      maxBytes,
      tooLarge: () => new Error('the answer is too long'),
    });
    return { status: response.status, text: body.toString(), date };
  } catch (thrown) {
    signal.throwIfAborted();
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    const reason = ends.aborted ? `no answer within ${timeoutMs / 1000} s` : errorMessage(cause);
    const message = `${what} cannot be reached at ${address.host}: ${reason}`;
    throw new StreamFailure({ code: 'network', retryable: true, message });
  }
}

/** The address of a service that a variable or a file of the user names. */
export function parseAddress(address: string, what: string): URL {
  if (URL.canParse(address)) return new URL(address);
  throw noCredentials(
    `${what}: "${address}" is not a URL. Correct the variable, the region or the file that names it.`,
  );
}

/** No answer with credentials is longer. */
const maxBytes = 1024 * 1024;

/** A JSON object in a text; empty if it is something else. */
export function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}

/** A text field of an object; undefined if it is missing or empty. */
export function textField(object: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text of a token that another program renews in a file. */
export async function readToken(path: string, whose: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    throw noCredentials(
      `${whose}: the token file ${path} cannot be read. Check the variable or the profile that names it.`,
    );
  }
}
