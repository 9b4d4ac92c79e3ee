import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { AgentError } from '@robota-sdk/agent-core';

/** A new file is never created through a broken link. */
export function assertNoDanglingLink(file: string): void {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink || existsSync(file)) return;
  const message = `${file} is a link to ${readlinkSync(file)}, which does not exist. Remove the link, or name another file.`;
  throw new AgentError('session', message);
}

/** The error for a file that is not a session. */
export function noSession(file: string): AgentError {
  return new AgentError(
    'session',
    `${file} is not a session file: none of its lines belongs to a session. Name a new file or a session file.`,
  );
}

/** Quotes a path for the shell. */
function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** A file that another program may have written. */
export function unreadable(file: string): AgentError {
  return new AgentError(
    'session',
    `${file} cannot be opened as a session. If another program wrote it, import it: robota sessions import ${quoted(file)}`,
  );
}

/** A session of another program, which is only read. */
export function foreign(file: string): AgentError {
  return new AgentError(
    'session',
    `${file} belongs to another program and is never written to. Import it with robota sessions import ${quoted(file)}, or continue in a copy with --fork.`,
  );
}

/** A session without its first line, which says whose it is. */
export function headless(file: string): AgentError {
  return new AgentError(
    'session',
    `The first line of ${file} is damaged or missing, so nothing can be added to it. All other lines are intact: continue in a copy with --fork.`,
  );
}

/** A session of a format that is only read. */
export function outdated(file: string, version: number): AgentError {
  return new AgentError(
    'session',
    `${file} uses the old format ${version}, which is read-only. Import it with robota sessions import ${quoted(file)}, or continue in a copy with --fork.`,
  );
}
