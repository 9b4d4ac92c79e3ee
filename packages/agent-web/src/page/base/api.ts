import { keyHeader } from '../../contract/devices.ts';
import type { WebFailure } from '../../contract/route.ts';

const keyName = 'robota-key';

/** A request that the server refused, or that did not reach it. */
export class ApiError extends Error {
  /** The HTTP status; 0 if the server was not reached. */
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  /** Everything that the server said. */
  readonly body: unknown;

  constructor(status: number, failure: WebFailure) {
    const { code, message, hint } = failure;
    super(message);
    this.body = failure;
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** Keeps the key that this browser was given when it entered. */
export function keepKey(key: string): void {
  localStorage.setItem(keyName, key);
}

/** Whether this browser was let in once. */
export function hasKey(): boolean {
  return localStorage.getItem(keyName) !== null;
}

/** The header that every request carries besides the cookie. */
export function keyHeaders(): Record<string, string> {
  const key = localStorage.getItem(keyName);
  return key === null ? {} : { [keyHeader]: key };
}

/** Reads from the server. */
export function get<T>(path: `/api/${string}`, signal?: AbortSignal): Promise<T> {
  return request<T>(path, signal === undefined ? {} : { signal });
}

/** Changes something on the server. */
export function post<T = unknown>(path: `/api/${string}`, body: unknown = {}): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Reads a file from the server and lets the browser save it. */
export async function download(path: `/api/${string}`, fileName: string): Promise<void> {
  const reply = await answered(path, {});
  if (!reply.ok)
    throw new ApiError(reply.status, failureOf(await reply.json().catch(() => undefined), reply.status));
  const address = URL.createObjectURL(await reply.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

async function request<T>(path: string, options: RequestOptions): Promise<T> {
  const reply = await answered(path, options);
  const value: unknown = await reply.json().catch(() => undefined);
  if (reply.ok) return value as T;
  throw new ApiError(reply.status, failureOf(value, reply.status));
}

type RequestOptions = RequestInit & { readonly headers?: Record<string, string> };

async function answered(path: string, options: RequestOptions): Promise<Response> {
  const headers = { ...keyHeaders(), ...options.headers };
  return fetch(path, { cache: 'no-store', ...options, headers }).catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, {
      code: 'unreachable',
      message: 'Cannot reach the server.',
      hint: 'Check that robota web is still running.',
    });
  });
}

function failureOf(value: unknown, status: number): WebFailure {
  const { code, message, hint } = (value ?? {}) as Partial<WebFailure>;
  return {
    ...(value ?? {}),
    code: code ?? 'failed',
    message: message ?? `The server answered with status ${status}.`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.hint !== undefined) return `${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
