import type { Workspace } from '@robota-sdk/agent-shell';
import { pathRule } from './decide-path.ts';
import { mayMatchPath } from './match-path.ts';
import type { PermissionRules, Rule } from './policy/permission.ts';

/** Files that deny or ask rules keep from being read unseen, so that a search must leave them out. */
export interface HiddenFiles {
  isHidden(file: string): boolean;
  /** True if such a file may lie somewhere below a directory. */
  mayHideBelow(directory: string): boolean;
}

/** The files that deny and ask rules hide from searches; undefined if no rule is about reading files. */
export function hiddenFiles(rules: PermissionRules, workspace: Workspace): HiddenFiles | undefined {
  const deny = [...rules.deny, ...rules.ask].filter(
    ({ tool, specifier }) => isSearched(tool) && specifier !== undefined,
  );
  if (deny.length === 0) return undefined;
  const policy = { mode: 'default', rules: { allow: [], ask: [], deny }, workspace } as const;
  return {
    isHidden: (file) =>
      ['Glob', 'Grep'].some(
        (tool) =>
          pathRule('deny', policy, { tool, access: { kind: 'search', path: file, real: file } }) !==
          undefined,
      ),
    mayHideBelow: (directory) => deny.some((rule) => mayLieBelow(rule, directory, workspace)),
  };
}

function isSearched(tool: string): boolean {
  return tool === 'Read' || tool === 'Grep' || tool === 'Glob';
}

function mayLieBelow({ specifier = '*' }: Rule, directory: string, workspace: Workspace): boolean {
  const glob = `${directory === '/' ? '' : directory}/*`;
  return mayMatchPath(specifier, glob, { workspace, reading: 'wide' });
}
