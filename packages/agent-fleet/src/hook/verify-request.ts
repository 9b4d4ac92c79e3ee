import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far the clock of a sender may be off, and how long a signature is good. */
const windowMs = 5 * 60_000;

/** A request that was signed with the secret. */
export interface VerifiedRequest {
  readonly delivery: string;
  /** Each may be used once. */
  readonly keys: readonly string[];
  /** The name of GitHub's event; none in our own form. */
  readonly event?: string;
}

/** Reasons to refuse a request; a sender learns no more. */
export type RefusalReason = 'signature' | 'time' | 'delivery' | 'path';

interface Signed {
  readonly headers: IncomingHttpHeaders;
  /** The path it was sent to. */
  readonly path: string;
  /** True if the server has no other task, so that the path decides nothing. */
  readonly isOnlyTask: boolean;
  readonly body: Buffer;
  readonly secret: string;
  readonly now: number;
}

/**
 * Checks the signature of a request. Our own form signs the time, the id of the delivery, the path and the body. GitHub's signs
 * the body alone: there the signature itself may be used only once, whatever id it comes with, and only where the path does not
 * choose the task.
 */
export function verifyRequest(signed: Signed): VerifiedRequest | RefusalReason {
  const own = header(signed.headers, 'x-robota-signature');
  if (own !== undefined) return verifyOwn(signed, own);
  const github = header(signed.headers, 'x-hub-signature-256');
  return github === undefined ? 'signature' : verifyGithub(signed, github);
}

function verifyOwn(
  { headers, path, body, secret, now }: Signed,
  signature: string,
): VerifiedRequest | RefusalReason {
  const timestamp = header(headers, 'x-robota-timestamp') ?? '';
  const delivery = header(headers, 'x-robota-delivery') ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return 'time';
  if (!isDelivery(delivery)) return 'delivery';
  if (!isSame(signature, `v2=${ownSignature({ secret, timestamp, delivery, path, body })}`))
    return 'signature';
  if (Math.abs(now - Number(timestamp) * 1000) > windowMs) return 'time';
  return { delivery, keys: [`robota ${delivery}`] };
}

function verifyGithub(
  { headers, body, secret, isOnlyTask }: Signed,
  signature: string,
): VerifiedRequest | RefusalReason {
  if (!isOnlyTask) return 'path';
  const delivery = header(headers, 'x-github-delivery') ?? '';
  if (!isDelivery(delivery)) return 'delivery';
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  if (!isSame(signature, `sha256=${expected}`)) return 'signature';
  const event = header(headers, 'x-github-event') ?? '';
  return { delivery, keys: [`github ${delivery}`, `sha256 ${expected}`], event };
}

/** The signature of our own form, in hexadecimal. */
export function ownSignature({
  secret,
  timestamp,
  delivery,
  path,
  body,
}: {
  readonly secret: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly delivery: string;
  /** Without a query. */
  readonly path: string;
  readonly body: Uint8Array | string;
}): string {
  // None of the first three can hold a line break, so nothing can be moved from one into the next.
  return createHmac('sha256', secret)
    .update(`${timestamp}\n${delivery}\n${path}\n`)
    .update(body)
    .digest('hex');
}

/** Takes as long for a wrong signature as for the right one; both are hashed, so that their lengths do not tell. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'length').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function isDelivery(text: string): boolean {
  return /^[\w.:-]{1,128}$/.test(text);
}

/** A header that came once; Node joins others of the same name with a comma, which none of ours may hold. */
function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
