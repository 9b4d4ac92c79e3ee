import { randomHex } from '@robota-sdk/agent-core';

/** A UUID of version 7: they sort by time. */
export function newSessionId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  const random = randomHex(10);
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(4), 16) % 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(5, 8)}-${random.slice(8)}`;
}
