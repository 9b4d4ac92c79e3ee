import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { AgentError } from '@robota-sdk/agent-core';

/** A new file is never made through a link that leads nowhere. */
export function assertNoDanglingLink(file: string): void {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink || existsSync(file)) return;
  const message = `${file} is a link to ${readlinkSync(file)}, which does not exist. Remove the link, or name another file.`;
  throw new AgentError('session', message);
}

/** The error for a file that is no session. */
export function noSession(file: string): AgentError {
  return new AgentError(
    'session',
    `${file} is no session, neither of Robota nor of another program: none of its lines is one of a session. Name a new file, or a session's own.`,
  );
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** A file that another program may have written. */
export function unreadable(file: string): AgentError {
  return new AgentError(
    'session',
    `${file} is no session that can be opened. If another program wrote it, make one of it with robota sessions import ${quoted(file)}.`,
  );
}

/** A session of another program, which is only read. */
export function foreign(file: string): AgentError {
  return new AgentError(
    'session',
    `${file} belongs to another program and is never written to. Make a session of it with robota sessions import ${quoted(file)}, or continue in a copy with --fork.`,
  );
}

/** A session of a format that is only read. */
export function outdated(file: string, version: number): AgentError {
  return new AgentError(
    'session',
    `${file} has format ${version} of old, which is only read: it is never rewritten. Make a session of it with robota sessions import ${quoted(file)}, or continue in a copy with --fork.`,
  );
}
