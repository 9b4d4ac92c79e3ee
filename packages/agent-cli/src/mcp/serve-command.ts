import { AgentError } from '@robota-sdk/agent-sdk';
import { parseArguments } from '../args.ts';
import { watchInterrupts } from '../interrupts.ts';
import type { OptionName } from '../options.ts';
import { protocolOutput } from '../protocol-output.ts';
import { sessionOptions } from '../session-options.ts';
import { terminalOutput } from '../terminal-output.ts';
import { version } from '../version.ts';

/** What only makes sense for a single prompt, or what the client decides. */
const refused: readonly OptionName[] = [
  'print',
  'continue',
  'resume',
  'session',
  'fork',
  'output-format',
  'json-schema',
  'record',
  'replay',
  'plain',
];

/** Runs `robota mcp serve`: offers Robota to one MCP client until it goes. */
export async function serveCommand(words: readonly string[]): Promise<number> {
  const args = parseArguments(words);
  const option = refused.find((name) => args.has(name));
  if (option !== undefined)
    throw new AgentError('usage', `robota mcp serve takes no --${option}: its client decides that.`);
  const [word] = args.words;
  if (word !== undefined) throw new AgentError('usage', `robota mcp serve takes no "${word}".`);
  if (process.stdin.isTTY) {
    const advice = 'Add it to one: claude mcp add robota -- robota mcp serve.';
    throw new AgentError(
      'usage',
      `robota mcp serve is started by an MCP client, which talks to it. ${advice}`,
    );
  }
  const { store, ...session } = sessionOptions(args);
  const output = protocolOutput();
  const stderr = terminalOutput(process.stderr);
  const interrupts = watchInterrupts();
  try {
    const { serveMcp } = await import('@robota-sdk/agent-transport-mcp');
    await serveMcp({
      session: { ...session, ...(store === 'none' ? { keep: false } : {}) },
      version,
      input: process.stdin,
      output,
      signal: interrupts.signal,
      log: (text) => void stderr.write(stderr.clean(`robota: ${text}\n`)),
    });
    return interrupts.exitCode ?? 0;
  } finally {
    interrupts.stop();
  }
}
