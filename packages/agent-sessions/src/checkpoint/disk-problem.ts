import { errorMessage } from '@robota-sdk/agent-core';

/** Describes why a file cannot be written. */
export function diskProblem(thrown: unknown): string {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  return code === 'EROFS' ? 'the disk is read-only' : errorMessage(thrown);
}

/** The note for a call whose changes could not be saved. */
export function unkeptText(thrown: unknown): string {
  return `they could not be saved (${diskProblem(thrown)})`;
}
