interface ToolAlias {
  readonly tool: string;
  /** The files it handles, if our tool handles all files. */
  readonly files?: string;
}

/** Tool names of Claude Code that differ from ours. */
const aliases: Readonly<Record<string, ToolAlias>> = {
  Task: { tool: 'Agent' },
  AskUserQuestion: { tool: 'AskUser' },
  MultiEdit: { tool: 'Edit' },
  LS: { tool: 'Glob' },
  SlashCommand: { tool: 'Skill' },
  NotebookEdit: { tool: 'Edit', files: '*.ipynb' },
  NotebookRead: { tool: 'Read', files: '*.ipynb' },
};

/** The built-in tool that a name in a rule means, and the files covered by a rule without a specifier. */
export function toolAlias(name: string): ToolAlias {
  return (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? { tool: name };
}

/** All names of a tool for hooks, its own first. */
export function namesOfTool(tool: string): readonly string[] {
  const others = Object.entries(aliases).filter(([, alias]) => alias.tool === tool && !alias.files);
  return [tool, ...others.map(([name]) => name)];
}
