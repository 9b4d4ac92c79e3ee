import { Readable, Writable } from 'node:stream';
import { parseArguments } from '../arguments/args.ts';
import { serveProtocol } from '../print/serve-protocol.ts';

/** Runs `robota acp`: serves one editor until it goes. */
export async function acpCommand(words: readonly string[]): Promise<number> {
  return serveProtocol(parseArguments(words), {
    frontEnd: 'acp',
    name: 'robota acp',
    client: 'the editor',
    advice: 'See robota acp --help.',
    serve: async ({ session: { cwd: _, ...session }, output, ...services }) => {
      const { serveAcp } = await import('@robota-sdk/agent-transport-acp');
      await serveAcp({
        ...services,
        session,
        input: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
        output: Writable.toWeb(output) as WritableStream<Uint8Array>,
      });
    },
  });
}
