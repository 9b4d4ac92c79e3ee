import type { Client } from '@modelcontextprotocol/client';
import { AgentError, endSentence, errorMessage } from '@robota-sdk/agent-core';

const shownTail = 1000;
/** Servers may answer with whole pages. */
const shownReason = 600;

/** Facts about a server at the time of a failure. */
export interface FailureScene {
  readonly server: string;
  readonly stderrTail?: string | undefined;
  /** The first line on standard output that was no message. */
  readonly rubbish?: string | undefined;
}

/** An error in the name of a server, with its last words and what to do. */
export function serverFailure(
  { server, stderrTail = '', rubbish }: FailureScene,
  why: string,
  cause?: unknown,
): AgentError {
  const parts = [
    endSentence(
      `The MCP server "${server}" ${why.length > shownReason ? `${why.slice(0, shownReason - 1)}…` : why}`,
    ),
    ...(rubbish === undefined
      ? []
      : [`On standard output, where only messages belong, it wrote: ${rubbish}`]),
    ...(stderrTail === '' ? [] : [`On standard error it wrote: ${stderrTail.slice(-shownTail)}`]),
  ];
  return new AgentError('tool', parts.join('\n'), { cause });
}

/** True if a server wants a login, by the error of a request to it. */
export function wantsLogin(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { status } = thrown as { status?: unknown };
  return status === 401 || thrown.name === 'UnauthorizedError' || thrown.name === 'InsufficientScopeError';
}

/** True if a server no longer knows the session, so that only a new connection helps; since 2026-07-28 there is none. */
export function lostSession(thrown: unknown, client: Pick<Client, 'getProtocolEra'>): boolean {
  if (!(thrown instanceof Error) || client.getProtocolEra() === 'modern') return false;
  const { status } = thrown as { status?: unknown };
  return status === 404 || (status === 400 && /session/i.test(thrown.message));
}

/** The reason of an error in words, with what lies behind a failed request. */
export function reasonOf(thrown: unknown): string {
  const message = withoutPage(errorMessage(thrown));
  const { status } = (thrown ?? {}) as { status?: unknown };
  if (typeof status === 'number') return `it answered with HTTP ${status}${adviceFor(status)} (${message})`;
  const { cause } = (thrown ?? {}) as { cause?: unknown };
  if (!(cause instanceof Error)) return message;
  const { code } = cause as { code?: unknown };
  const detail = cause.message === '' ? String(code ?? cause.name) : cause.message;
  return `${message} (${detail})`;
}

/** A URL that is no MCP server may answer with an HTML page, which helps no reader of an error. */
function withoutPage(message: string): string {
  const start = message.search(/<!doctype|<html|<head|<body/i);
  return start < 0 ? message : message.slice(0, start).replace(/(?<![\s:])[\s:]+$/, '');
}

function adviceFor(status: number): string {
  if (status === 404 || status === 405) return '; is its address right?';
  if (status === 403) return '; are its headers right?';
  return status >= 500 ? '; it is in trouble itself' : '';
}
