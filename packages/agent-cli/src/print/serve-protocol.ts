import type { Writable } from 'node:stream';
import { AgentError, type InteractiveSessionOptions } from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from '../arguments/args.ts';
import { assertEffective } from '../arguments/assert-effective.ts';
import { sessionOptions } from '../arguments/session-options.ts';
import { version } from '../arguments/version.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { protocolOutput } from '../terminal/reserved-output.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Serves one client over standard input and output. */
interface ProtocolServer {
  readonly frontEnd: 'acp' | 'mcp';
  /** As it is called, such as `robota acp`. */
  readonly name: string;
  /** The client that decides refused options, such as `the editor`. */
  readonly client: string;
  /** Printed if it is started in a terminal. */
  readonly advice: string;
  serve(services: ProtocolServices): Promise<void>;
}

/** Services of a server. */
interface ProtocolServices {
  readonly session: InteractiveSessionOptions;
  readonly version: string;
  readonly output: Writable;
  readonly signal: AbortSignal;
  log(text: string): void;
}

/** Serves one client until it goes; resolves with the exit code. */
export async function serveProtocol(args: Arguments, server: ProtocolServer): Promise<number> {
  assertServable(args, server);
  const { store, ...session } = sessionOptions(args);
  const output = protocolOutput();
  const stderr = terminalOutput(process.stderr);
  const interrupts = watchInterrupts();
  try {
    await server.serve({
      session: { ...session, ...(store === 'none' ? { keep: false } : {}) },
      version,
      output,
      signal: interrupts.signal,
      log: (text) => void stderr.say(`robota: ${text}`),
    });
    return interrupts.exitCode ?? 0;
  } finally {
    interrupts.stop();
  }
}

function assertServable(args: Arguments, { frontEnd, name, client, advice }: ProtocolServer): void {
  assertEffective(
    args,
    frontEnd,
    (option) => `${name} takes no --${option}: ${client} decides that. ${advice}`,
  );
  const [word] = args.words;
  if (word !== undefined) throw new AgentError('usage', `${name} takes no "${word}". ${advice}`);
  if (process.stdin.isTTY)
    throw new AgentError('usage', `${name} is started by ${client}, which talks to it. ${advice}`);
}
