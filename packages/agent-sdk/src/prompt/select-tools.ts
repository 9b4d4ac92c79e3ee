import {
  AgentError,
  type AnyTool,
  isMcpGateway,
  isOfMcp,
  listNames,
  nearest,
  type ToolSelection,
} from '@robota-sdk/agent-core';

/** A filtered view of the tools; a name that does not exist is an error, so that a typing mistake excludes nothing. */
export function selectTools(tools: readonly AnyTool[], selection: ToolSelection): readonly AnyTool[] {
  if (selection.none) return [];
  const only = selection.only?.map((name) => knownName(name, tools));
  const exclude = (selection.exclude ?? []).map((name) => knownName(name, tools));
  return tools.filter(({ name }) => {
    const isWanted = !only || listNames(only, name) || isMcpGateway(only, name);
    return isWanted && !listNames(exclude, name);
  });
}

/** Other agents write tool names in lower case. */
function knownName(name: string, tools: readonly AnyTool[]): string {
  const names = tools.map((tool) => tool.name);
  const known = names.find((each) => each.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return known;
  if (isOfMcp(name)) return name;
  const [near] = nearest(name, names);
  const hint = near === undefined ? `The tools are ${names.join(', ')}.` : `Did you mean ${near}?`;
  throw new AgentError('usage', `There is no tool "${name}". ${hint}`);
}
