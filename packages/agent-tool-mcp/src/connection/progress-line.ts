import type { Progress } from '@modelcontextprotocol/client';

/** A server's progress as a line to append to the live view. */
export function progressLine({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return `${message === undefined ? count : `${count} ${message}`}\n`;
}
