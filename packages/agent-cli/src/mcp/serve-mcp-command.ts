import { parseArguments } from '../arguments/args.ts';
import { serveProtocol } from '../print/serve-protocol.ts';

/** Runs `robota mcp serve`: offers Robota to one MCP client until it goes. */
export async function serveMcpCommand(words: readonly string[]): Promise<number> {
  return serveProtocol(parseArguments(words), {
    frontEnd: 'mcp',
    name: 'robota mcp serve',
    client: 'its MCP client',
    advice: 'Add it to one: claude mcp add robota -- robota mcp serve.',
    serve: async (services) => {
      const { serveMcp } = await import('@robota-sdk/agent-transport-mcp');
      await serveMcp({ ...services, input: process.stdin });
    },
  });
}
