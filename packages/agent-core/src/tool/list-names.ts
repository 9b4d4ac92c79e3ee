/** True if a list of tools names one; `mcp__server` names all tools of a server. */
export function listNames(list: Iterable<string>, tool: string): boolean {
  return [...list].some((name) => name === tool || (isOfMcp(name) && tool.startsWith(`${name}__`)));
}

/** Permission to use MCP tools includes finding and calling those that no request lists. */
export function isMcpGateway(list: Iterable<string>, tool: string): boolean {
  return ['mcpcall', 'toolsearch'].includes(tool.toLowerCase()) && [...list].some(isOfMcp);
}

/** True if a name is that of an MCP server's tools, which may not be known yet. */
export function isOfMcp(name: string): boolean {
  return name.startsWith('mcp__');
}
