interface ToolAlias {
  readonly tool: string;
  /** The files it handles, if ours handles all. */
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

/** The tool of ours that a name means in a rule, and the files a rule without a specifier is for. */
export function toolAlias(name: string): ToolAlias {
  return (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? { tool: name };
}

/** Every name under which hooks know a tool, its own first. */
export function namesOfTool(tool: string): readonly string[] {
  const others = Object.entries(aliases).filter(([, alias]) => alias.tool === tool && !alias.files);
  return [tool, ...others.map(([name]) => name)];
}
