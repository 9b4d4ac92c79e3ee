/** True if a list of tools contains one; `mcp__server` includes all tools of a server. */
export function listNames(list: Iterable<string>, tool: string): boolean {
  return [...list].some((name) => name === tool || (isOfMcp(name) && tool.startsWith(`${name}__`)));
}

/** Permission to use MCP tools includes the tools that find and call unlisted ones. */
export function isMcpGateway(list: Iterable<string>, tool: string): boolean {
  return ['mcpcall', 'toolsearch'].includes(tool.toLowerCase()) && [...list].some(isOfMcp);
}

/** True if a name is that of an MCP tool, which may not be connected yet. */
export function isOfMcp(name: string): boolean {
  return name.startsWith('mcp__');
}
