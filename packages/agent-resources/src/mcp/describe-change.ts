import { escapedLine } from '@robota-sdk/agent-config';
import { shorten } from '@robota-sdk/agent-core';
import type { ChangedServer, McpKnowledge } from './server-memory.ts';

const longestText = 600;

/** Lists what changed in a server's description, one line each, for the approval question. */
export function describeChange({ before, after }: Pick<ChangedServer, 'before' | 'after'>): string {
  const old = partsOf(before);
  const now = partsOf(after);
  const gone = [...old.keys()].filter((key) => !now.has(key)).map((key) => `- ${key} is gone`);
  const changed = [...now].flatMap(([key, part]) => {
    const known = old.get(key);
    if (known === undefined) return [`+ ${key}: ${short(part.text)}`];
    if (known.text === part.text && known.rest === part.rest) return [];
    if (known.text === part.text) return [`~ ${key}: its arguments changed: ${short(part.rest)}`];
    return [`~ ${key}`, `    before: ${short(known.text)}`, `    now:    ${short(part.text)}`];
  });
  return [...gone, ...changed].join('\n');
}

interface Part {
  readonly text: string;
  readonly rest: string;
}

function partsOf({ tools, prompts }: McpKnowledge): Map<string, Part> {
  return new Map([
    ...tools.map(
      ({ name, description, inputSchema }) =>
        [`tool ${escapedLine(name)}`, { text: description, rest: JSON.stringify(inputSchema) }] as const,
    ),
    ...prompts.map(
      ({ name, description, arguments: list }) =>
        [`prompt ${escapedLine(name)}`, { text: description, rest: JSON.stringify(list) }] as const,
    ),
  ]);
}

function short(text: string): string {
  return shorten(escapedLine(text), longestText);
}
