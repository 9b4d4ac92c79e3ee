import { Readable, Writable } from 'node:stream';
import { AgentError } from '@robota-sdk/agent-sdk';
import { parseArguments } from '../args.ts';
import { watchInterrupts } from '../interrupts.ts';
import type { OptionName } from '../options.ts';
import { protocolOutput } from '../protocol-output.ts';
import { sessionOptions } from '../session-options.ts';
import { terminalOutput } from '../terminal-output.ts';
import { version } from '../version.ts';

const help = `robota acp: Robota in an editor, by the Agent Client Protocol over standard input and output

Usage
  robota acp [options]     started by the editor: Zed, JetBrains, Neovim and others (docs/acp.md)

Options are those of robota --help that begin a session, such as --model, --permission-mode, --allow, --deny,
--sandbox, --thinking and --trust-project. Directories and sessions are the editor's to choose.
`;

/** What the editor decides, or what only makes sense for a single prompt. */
const refused: readonly OptionName[] = [
  'print',
  'continue',
  'resume',
  'session',
  'fork',
  'cwd',
  'output-format',
  'json-schema',
  'record',
  'replay',
  'plain',
];

/** Runs `robota acp`: serves one editor until it goes. */
export async function acpCommand(words: readonly string[]): Promise<number> {
  const args = parseArguments(words);
  if (args.has('help')) {
    process.stdout.write(help);
    return 0;
  }
  const option = refused.find((name) => args.has(name));
  if (option !== undefined)
    throw new AgentError(
      'usage',
      `robota acp takes no --${option}: the editor decides that. See robota acp --help.`,
    );
  const [word] = args.words;
  if (word !== undefined)
    throw new AgentError('usage', `robota acp takes no "${word}". See robota acp --help.`);
  if (process.stdin.isTTY)
    throw new AgentError(
      'usage',
      'robota acp is started by an editor, which talks to it. See robota acp --help.',
    );
  const { cwd: _, store, ...session } = sessionOptions(args);
  const output = protocolOutput();
  const stderr = terminalOutput(process.stderr);
  const interrupts = watchInterrupts();
  try {
    const { serveAcp } = await import('@robota-sdk/agent-transport-acp');
    await serveAcp({
      session: { ...session, ...(store === 'none' ? { keep: false } : {}) },
      version,
      input: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
      output: Writable.toWeb(output) as WritableStream<Uint8Array>,
      signal: interrupts.signal,
      log: (text) => void stderr.write(stderr.clean(`robota: ${text}\n`)),
    });
    return interrupts.exitCode ?? 0;
  } finally {
    interrupts.stop();
  }
}
