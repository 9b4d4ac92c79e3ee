import type { Message } from '@robota-sdk/agent-core';

/** Now, but later than every message: replacements must be newer than what they replace. */
export function timeAfter(messages: readonly Message[]): number {
  return messages.reduce((time, { timestamp }) => Math.max(time, timestamp + 1), Date.now());
}
