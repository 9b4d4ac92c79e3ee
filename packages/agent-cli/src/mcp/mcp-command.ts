import { runMcpRequest } from '@robota-sdk/agent-sdk/front-end';
import { readRequestWords, subcommandRequest } from '../arguments/subcommand-request.ts';
import { mcpHelp } from './mcp-help.ts';

const trustFlag = '--trust-project';

/** Runs `robota mcp …`. */
export async function mcpCommand(given: readonly string[]): Promise<number> {
  const request = readRequestWords(given);
  if (request.help) {
    process.stdout.write(mcpHelp);
    return 0;
  }
  if (request.words[0] === 'serve') {
    const { serveCommand } = await import('./serve-command.ts');
    return serveCommand(given.slice(given.indexOf('serve') + 1));
  }
  const own = request.words.indexOf('--');
  const at = request.words.indexOf(trustFlag);
  const trustProject = at >= 0 && (own < 0 || at < own);
  const words = trustProject ? request.words.toSpliced(at, 1) : request.words;
  return subcommandRequest(request, (desk) => runMcpRequest(words, { ...desk, trustProject }));
}
