import type { OmittedOutput } from '@robota-sdk/agent-core';

/** Says how much of an output was not kept, and where it is. */
export function describeOmitted({ lines, note }: OmittedOutput): string {
  return `… ${lines} more line${lines === 1 ? '' : 's'}; ${note}`;
}
