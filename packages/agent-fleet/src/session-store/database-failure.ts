import { errorMessage } from '@robota-sdk/agent-core';

/** The error of a statement; Node reports a refused connection to several addresses as one of many. */
export function failureOf(error: unknown): Error {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first : new Error(errorMessage(first));
}

/** Classes of errors of Postgres that pass: connections, resources, races, an administrator's intervention. */
const passingClasses: ReadonlySet<string> = new Set(['08', '40', '53', '55', '57', '58']);

/** True if the same statement may succeed later. Errors of the network have no code of five characters. */
export function isPassing(error: Error | undefined): boolean {
  const code = error && 'code' in error ? String(error.code) : '';
  return !/^[0-9A-Z]{5}$/.test(code) || passingClasses.has(code.slice(0, 2));
}
