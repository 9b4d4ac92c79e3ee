import { randomHex } from '@robota-sdk/agent-core';

/** A UUID of version 7: later ones sort behind earlier ones. */
export function newSessionId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  const random = Buffer.from(randomHex(10), 'hex');
  random[0] = 0x70 | ((random[0] ?? 0) & 0x0f);
  random[2] = 0x80 | ((random[2] ?? 0) & 0x3f);
  const hex = time + random.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
