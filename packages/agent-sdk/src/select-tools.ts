import { AgentError, type AnyTool, nearest } from '@robota-sdk/agent-core';

/** Which of the registered tools a session offers. */
export interface ToolSelection {
  /** Only these. */
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** None at all. */
  readonly none?: boolean | undefined;
}

/** A filtered view of the tools; a name that does not exist is an error, so that a typing mistake excludes nothing. */
export function selectTools(tools: readonly AnyTool[], selection: ToolSelection): readonly AnyTool[] {
  if (selection.none) return [];
  const { only, exclude = [] } = selection;
  for (const name of [...(only ?? []), ...exclude]) assertKnown(name, tools);
  return tools.filter(({ name }) => (only?.includes(name) ?? true) && !exclude.includes(name));
}

function assertKnown(name: string, tools: readonly AnyTool[]): void {
  const names = tools.map((tool) => tool.name);
  if (names.includes(name)) return;
  const [near] = nearest(name, names);
  const hint = near === undefined ? `The tools are ${names.join(', ')}.` : `Did you mean ${near}?`;
  throw new AgentError('usage', `There is no tool "${name}". ${hint}`);
}
