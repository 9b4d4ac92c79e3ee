import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretBytes = 32;
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const codeLength = 8;

/** A random secret of 256 bits, as text for an address, a cookie or a header. */
export function createSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** A random code of 40 bits that is easy to type: no letters that look like digits. */
export function createCode(): string {
  return [...randomBytes(codeLength)].map((byte) => codeAlphabet[byte % codeAlphabet.length]).join('');
}

/** Only the hash of a secret is stored. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Compares a secret with a stored hash in a time that says nothing about either. */
export function matchesHash(secret: string, hash: string): boolean {
  const stored = Buffer.from(hash, 'hex');
  const given = createHash('sha256').update(secret, 'utf8').digest();
  return stored.length === given.length && timingSafeEqual(stored, given);
}
