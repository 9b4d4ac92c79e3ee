import { closeSync, openSync, readSync } from 'node:fs';

const poolSize = 256;
let pool: Buffer = Buffer.alloc(0);

/**
 * Returns random bytes as hexadecimal digits. They come from the system: loading Node's cryptography takes a tenth of a
 * short run.
 */
export function randomHex(bytes: number): string {
  if (bytes > pool.length) pool = randomPool(Math.max(bytes, poolSize));
  const hex = pool.toString('hex', 0, bytes);
  pool = pool.subarray(bytes);
  return hex;
}

/** A random UUID, version 4. */
export function randomUuid(): string {
  const hex = randomHex(16);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function randomPool(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  // Windows has no `/dev/urandom`.
  return isFilled(bytes) ? bytes : process.getBuiltinModule('node:crypto').randomFillSync(bytes);
}

function isFilled(bytes: Buffer): boolean {
  try {
    const file = openSync('/dev/urandom', 'r');
    try {
      return readSync(file, bytes) === bytes.length;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
