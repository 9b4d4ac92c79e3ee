import { createHash } from 'node:crypto';
import { isSameModel, type ModelRef } from '@robota-sdk/agent-core';

/**
 * The id under which a call is sent. A vendor's own ids go back unchanged. Those of others may be too long or have
 * letters it refuses; nine letters and digits are what the strictest one takes.
 */
export function sentCallId(id: string, maker: ModelRef, receiver: ModelRef): string {
  if (isSameModel(maker, receiver)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}
