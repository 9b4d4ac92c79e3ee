import { runMcpRequest } from '@robota-sdk/agent-sdk/front-end';
import { readRequestWords, subcommandRequest } from '../arguments/subcommand-request.ts';

/** Runs `robota mcp …`. */
export async function mcpCommand(given: readonly string[]): Promise<number> {
  const request = readRequestWords('mcp', given);
  const { words, trustProject } = request;
  if (words[0] === 'serve') {
    const { serveMcpCommand } = await import('./serve-mcp-command.ts');
    return serveMcpCommand(given.slice(given.indexOf('serve') + 1));
  }
  return subcommandRequest(request, (services) => runMcpRequest(words, { ...services, trustProject }));
}
