import { constants } from 'node:os';

/** Describes how a shell ended: its exit code, and the signal for codes above 128. */
export function describeExit({
  code,
  signal,
}: {
  readonly code: number | null;
  readonly signal: string | null;
}): string {
  if (code === null) return `killed by ${signal ?? 'a signal'}`;
  const name = code > 128 ? signalName(code - 128) : undefined;
  return name === undefined ? `exit code ${code}` : `exit code ${code} (${name})`;
}

function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
