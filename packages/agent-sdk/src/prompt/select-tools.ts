import {
  AgentError,
  type AnyTool,
  didYouMean,
  isMcpGateway,
  isOfMcp,
  listNames,
  type ToolSelection,
} from '@robota-sdk/agent-core';

/** A filtered view of the tools; an unknown name is an error, so that a typo does not exclude nothing. */
export function selectTools(tools: readonly AnyTool[], selection: ToolSelection): readonly AnyTool[] {
  if (selection.none) return [];
  const only = selection.only?.map((name) => knownName(name, tools));
  const exclude = (selection.exclude ?? []).map((name) => knownName(name, tools));
  const selected = tools.filter(({ name }) => {
    const isWanted = !only || listNames(only, name) || isMcpGateway(only, name);
    return isWanted && !listNames(exclude, name);
  });
  const aliases = Object.entries(selection.aliases ?? {});
  return aliases.length === 0 ? selected : withAliases(selected, new Map(aliases));
}

/**
 * Turns a call of an alias into a call of the real tool, which is then judged and run; aliases of aliases are not
 * followed.
 */
function withAliases(tools: readonly AnyTool[], aliases: ReadonlyMap<string, string>): readonly AnyTool[] {
  const aliased = tools.map(
    (tool): AnyTool => ({ ...tool, resolve: (call) => target(call) ?? tool.resolve?.(call) }),
  );
  const target: NonNullable<AnyTool['resolve']> = ({ name: alias, input }) => {
    const name = aliases.get(alias);
    if (name === undefined) return undefined;
    const tool = tools.find((each) => each.name === name);
    if (tool) return { tool, input };
    for (const each of tools) {
      const found = each.resolve?.({ name, input });
      if (found) return found;
    }
    return undefined;
  };
  return aliased;
}

/** Other agents write tool names in lower case. */
function knownName(name: string, tools: readonly AnyTool[]): string {
  const names = tools.map((tool) => tool.name);
  const known = names.find((each) => each.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return known;
  if (isOfMcp(name)) return name;
  const hint = didYouMean(name, names) ?? `The tools are ${names.join(', ')}.`;
  throw new AgentError('usage', `Unknown tool "${name}". ${hint}`);
}
