import type { ContextPart, InteractiveSession, JsonObject } from '@robota-sdk/agent-sdk/front-end';

/** Kinds of parts, by the names programs know. */
const categories: readonly (readonly [id: string, name: string, kinds: readonly ContextPart['kind'][]])[] = [
  ['system_prompt', 'System prompt', ['system']],
  ['system_tools', 'Tools', ['tool']],
  ['mcp_tools', 'MCP tools', []],
  ['memory_files', 'Instruction files', ['instructions']],
];

/** The context usage of a session, in the format of programs for Claude Code. */
export function contextUsage(session: InteractiveSession): JsonObject {
  const own = session;
  const { parts, usedTokens, maxTokens, freeTokens } = own.context.report();
  const isMcp = ({ kind, name }: ContextPart) => kind === 'tool' && name.startsWith('mcp__');
  const idOf = (part: ContextPart) =>
    isMcp(part)
      ? 'mcp_tools'
      : (categories.find(([, , kinds]) => kinds.includes(part.kind))?.[0] ?? 'messages');
  const tokensOf = (id: string) =>
    parts.filter((part) => idOf(part) === id).reduce((sum, { tokens }) => sum + tokens, 0);
  const used = [...categories, ['messages', 'Messages', []] as const].map(([id, name]) => ({
    id,
    name,
    tokens: tokensOf(id),
    color: 'text',
    kind: 'used',
  }));
  return {
    categories: [
      ...used.filter(({ tokens }) => tokens > 0),
      { id: 'free_space', name: 'Free space', tokens: freeTokens, color: 'inactive', kind: 'free' },
    ],
    totalTokens: usedTokens,
    maxTokens,
    rawMaxTokens: maxTokens,
    percentage: Math.min(100, Math.round((usedTokens / Math.max(1, maxTokens)) * 100)),
    gridRows: [],
    model: `${own.model.vendor}/${own.model.id}`,
    memoryFiles: parts
      .filter(({ kind }) => kind === 'instructions')
      .map(({ name, tokens }) => ({ path: name, type: 'Project', tokens })),
    mcpTools: parts
      .filter(isMcp)
      .map(({ name, tokens }) => ({ name, serverName: name.split('__')[1] ?? '', tokens, isLoaded: true })),
    agents: [],
  };
}
