import type { Workspace } from '@robota-sdk/agent-shell';
import { pathRule } from './decide-path.ts';
import { mayMatchPath } from './match-path.ts';
import type { IgnoredFiles, PermissionRules, Rule } from './policy/permission.ts';

/** Files that deny or ask rules hide, so that searches must skip them. */
export interface HiddenFiles {
  isHidden(file: string): boolean;
  /** True if a hidden file may be somewhere below a directory. */
  mayHideBelow(directory: string): boolean;
}

/**
 * The files that deny rules, ask rules and ignore files hide from searches; undefined if no rule is about reading and
 * there are no ignore files.
 */
export function hiddenFiles(
  rules: PermissionRules,
  workspace: Workspace,
  ignored?: IgnoredFiles,
): HiddenFiles | undefined {
  const deny = [...rules.deny, ...rules.ask].filter(
    ({ tool, specifier }) => isSearched(tool) && specifier !== undefined,
  );
  if (deny.length === 0 && ignored === undefined) return undefined;
  const policy = { mode: 'default', rules: { allow: [], ask: [], deny }, workspace, ignored } as const;
  return {
    isHidden: (file) =>
      ['Glob', 'Grep'].some(
        (tool) =>
          pathRule('deny', policy, { tool, access: { kind: 'search', path: file, real: file } }) !==
          undefined,
      ),
    mayHideBelow: (directory) =>
      [...deny, ...(ignored?.rules ?? [])].some((rule) => mayLieBelow(rule, directory, workspace)),
  };
}

function isSearched(tool: string): boolean {
  return tool === 'Read' || tool === 'Grep' || tool === 'Glob';
}

function mayLieBelow({ specifier = '*' }: Rule, directory: string, workspace: Workspace): boolean {
  const glob = `${directory === '/' ? '' : directory}/*`;
  return mayMatchPath(specifier, glob, { workspace, reading: 'wide' });
}
