import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A value that is used once. */
export function createNonce(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Proves that a side of a connection knows the secret, without telling it: a socket that a stranger put instead of ours
 * learns nothing. Both nonces and the side are part of it, so no proof can be sent back or used again.
 */
export function proofOf(
  secret: string,
  side: 'host' | 'visitor',
  nonces: { readonly host: string; readonly visitor: string },
): string {
  const text = JSON.stringify([side, nonces.host, nonces.visitor]);
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Compares in a time that tells nothing. */
export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A nonce of the other side; undefined if it is none. */
export function nonceIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{43}$/.test(value) ? value : undefined;
}
