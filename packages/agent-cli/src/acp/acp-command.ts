import { Readable, Writable } from 'node:stream';
import { parseArguments } from '../arguments/args.ts';
import { serveProtocol } from '../print/serve-protocol.ts';

const help = `robota acp: Robota in an editor, by the Agent Client Protocol over standard input and output

Usage
  robota acp [options]     started by the editor: Zed, JetBrains, Neovim and others (docs/acp.md)

Options are those of robota --help that begin a session, such as --model, --permission-mode, --allow, --deny,
--sandbox, --thinking and --trust-project. Directories and sessions are the editor's to choose.
`;

/** Runs `robota acp`: serves one editor until it goes. */
export async function acpCommand(words: readonly string[]): Promise<number> {
  const args = parseArguments(words);
  if (args.has('help')) {
    process.stdout.write(help);
    return 0;
  }
  return serveProtocol(args, {
    name: 'robota acp',
    client: 'the editor',
    refused: ['cwd'],
    advice: 'See robota acp --help.',
    serve: async ({ session: { cwd: _, ...session }, output, ...desk }) => {
      const { serveAcp } = await import('@robota-sdk/agent-transport-acp');
      await serveAcp({
        ...desk,
        session,
        input: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
        output: Writable.toWeb(output) as WritableStream<Uint8Array>,
      });
    },
  });
}
