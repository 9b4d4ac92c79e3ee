import { runMcpRequest } from '@robota-sdk/agent-sdk/front-end';
import { readRequestWords, subcommandRequest } from '../arguments/subcommand-request.ts';

/** Runs `robota mcp …`. */
export async function mcpCommand(given: readonly string[]): Promise<number> {
  const request = readRequestWords('mcp', given);
  const { words, trustProject } = request;
  if (words[0] === 'serve') {
    const { serveCommand } = await import('./serve-command.ts');
    return serveCommand(given.slice(given.indexOf('serve') + 1));
  }
  return subcommandRequest(request, (desk) => runMcpRequest(words, { ...desk, trustProject }));
}
