import { basename } from 'node:path';
import { AgentError, embeddedWorkerWords, isSingleExecutable } from '@robota-sdk/agent-core';
import { innerNode, innerProxySocket } from './bubblewrap-arguments.ts';
import { findSystemProgram } from './find-sandbox.ts';

// Any port works, because the inner network is separate.
const innerPort = 3128;

/**
 * Programs cannot use a proxy on a socket file, so a small forwarder inside accepts their connections. It closes its
 * output once it listens; until then the shell waits, and then becomes the command.
 */
const launcher = ': "$(NODE_OPTIONS= "$1" "$2" "$3" 2>/dev/null &)"; shift 3; exec "$@"';

// The closed output is replaced immediately, because node fails if a connection gets the number of a standard stream.
export const forwarder = `
const { closeSync, openSync } = require('node:fs');
const { connect, createServer } = require('node:net');
const server = createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path: '${innerProxySocket}', allowHalfOpen: true });
  inner.pipe(outer).pipe(inner);
  inner.on('error', () => outer.destroy());
  outer.on('error', () => inner.destroy());
});
server.listen(${innerPort}, '127.0.0.1', () => {
  closeSync(1);
  openSync('/dev/null', 'w');
});
`;

/** Runs a command behind the forwarder, for a sandbox without network. */
export function launchBehindProxy(argv: readonly string[]): string[] {
  const words = isSingleExecutable() ? embeddedWorkerWords('proxy-forwarder') : ['-e', forwarder];
  return ['/bin/sh', '-c', launcher, 'sh', innerNode, ...words, ...argv];
}

/** Environment variables that point programs to the proxy, in all common spellings. */
export function proxyEnvironment(port: number = innerPort): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const direct = 'localhost,127.0.0.1,::1';
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: direct,
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
  };
}

/** The program that runs the forwarder: node, or the single executable. */
export function nodeProgram(): string {
  const file =
    isSingleExecutable() || /^node(\.exe)?$/.test(basename(process.execPath))
      ? process.execPath
      : findSystemProgram('node');
  if (file !== undefined) return file;
  throw new AgentError(
    'tool',
    'A sandbox that allows single hosts needs node, which was not found. Install node, or set sandbox.network to "off" or "on".',
  );
}
