import type { Message } from '@robota-sdk/agent-core';

/** Now, but later than every message: what replaces them must be told from what they were by its time. */
export function timeAfter(messages: readonly Message[]): number {
  return messages.reduce((time, { timestamp }) => Math.max(time, timestamp + 1), Date.now());
}
