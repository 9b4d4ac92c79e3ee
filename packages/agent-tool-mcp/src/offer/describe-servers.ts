import type { McpServerState } from '../contract/mcp-server-state.ts';
import { namePart } from '../contract/tool-name.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

const longestDescription = 80;
/** Minimum length of a tool with its description. */
const leastFullLine = 8;

/**
 * Servers and the names of their tools within a number of characters: with what each tool does where there is room, with
 * names alone where there is less, and where there is still less with as many names as fit, shared out fairly.
 */
export function describeServers(
  servers: readonly McpServerState[],
  catalogue: ToolCatalogue,
  budget: number,
): string {
  const count = servers.reduce((sum, server) => sum + catalogue.toolsOf(server).length, 0);
  const full = count * leastFullLine > budget ? undefined : fullTextOf(servers, catalogue);
  if (full !== undefined && full.length <= budget) return full;
  const share = Math.floor(budget / Math.max(1, servers.length)) - 1;
  let left = budget;
  const lines = servers
    .map((server, index) => ({ index, names: namesOf(server, catalogue), head: `- ${server.name}: ` }))
    // Servers that need less than a fair share leave the rest to the others.
    .sort((a, b) => a.names.join(', ').length - b.names.join(', ').length)
    .map(({ index, names, head }, position, all) => {
      const fair = Math.max(share, Math.floor(left / (all.length - position)) - 1);
      const text = head + namesWithin(names, fair - head.length);
      left -= text.length + 1;
      return { index, text };
    });
  return lines
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text)
    .join('\n');
}

function fullTextOf(servers: readonly McpServerState[], catalogue: ToolCatalogue): string {
  return servers.map((server) => fullText(server, catalogue)).join('\n');
}

function fullText(server: McpServerState, catalogue: ToolCatalogue): string {
  if (!catalogue.isKnown(server)) return `- ${server.name}: ${unknown}`;
  const tools = catalogue.toolsOf(server);
  if (tools.length === 0) return `- ${server.name}: no tools`;
  const lines = tools.map(({ tool }) => `  - ${namePart(tool.name)}: ${firstSentence(tool.description)}`);
  return [`- ${server.name}`, ...lines].join('\n');
}

const unknown = 'still starting; ToolSearch waits for it';

function namesOf(server: McpServerState, catalogue: ToolCatalogue): readonly string[] {
  if (!catalogue.isKnown(server)) return [unknown];
  return catalogue.toolsOf(server).map(({ tool }) => namePart(tool.name));
}

function namesWithin(names: readonly string[], room: number): string {
  if (names.length === 0) return 'no tools';
  const all = names.join(', ');
  if (all.length <= room) return all;
  const more = ` … ${names.length} in all`;
  let text = '';
  for (const name of names) {
    const longer = text === '' ? name : `${text}, ${name}`;
    if (longer.length + more.length > room) break;
    text = longer;
  }
  return text === '' ? `${names.length} tools` : `${text}${more}`;
}

/** Text in prompts must not open or close a section. */
function firstSentence(description: string): string {
  const [line = ''] = description
    .replaceAll(/<\/?[\w-]+>/g, ' ')
    .trim()
    .split('\n');
  const [sentence = line] = line.split(/(?<=[.!?])\s/);
  return sentence.length > longestDescription ? `${sentence.slice(0, longestDescription - 1)}…` : sentence;
}
