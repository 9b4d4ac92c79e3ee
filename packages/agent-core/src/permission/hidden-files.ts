import { lstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Workspace } from '@robota-sdk/agent-shell';
import { orElse } from '../problem/or-else.ts';
import { deniedNames, type HiddenNames, mayMatchPath } from './match-path.ts';
import type { PermissionRules, Rule } from './policy/permission.ts';

/** Tells what one search must not show; asked once per directory. */
export interface HiddenPlaces {
  in(directory: string): HiddenNames;
}

/** Files that searches must skip. */
export interface HiddenFiles {
  isHidden(file: string): boolean;
  /** True if a hidden file may be somewhere below a directory. */
  mayHideBelow(directory: string): Promise<boolean>;
  /** Starts a search. What changes in files meanwhile may go unnoticed until the next one. */
  search(): HiddenPlaces;
}

/**
 * The files that deny rules, ask rules and ignore files hide from searches; undefined if no rule is about reading and
 * there are no ignore files.
 */
export function hiddenFiles(
  rules: PermissionRules,
  workspace: Workspace,
  ignored?: Pick<HiddenFiles, 'search'> & { listRules(): Promise<readonly Rule[]> },
): HiddenFiles | undefined {
  const deny = [...rules.deny, ...rules.ask].filter(
    ({ tool, specifier, isIgnoreLine }) => isSearched(tool) && specifier !== undefined && !isIgnoreLine,
  );
  if (deny.length === 0 && ignored === undefined) return undefined;
  const denied = deniedNames(
    deny.map(({ specifier = '' }) => specifier),
    workspace,
  );
  const mayHideBelow = async (directory: string) =>
    deny.some((rule) => mayLieBelow(rule, directory, workspace)) ||
    ((await ignored?.listRules()) ?? []).some((rule) => mayLieBelow(rule, directory, workspace));
  const ofRules = { search: () => ({ in: denied }), mayHideBelow };
  return hiddenByEither(ofRules, ignored && { ...ofRules, search: () => ignored.search() });
}

/** The files that any of several sources hides. */
export function hiddenByEither(
  ...sources: readonly (Pick<HiddenFiles, 'search' | 'mayHideBelow'> | undefined)[]
): HiddenFiles {
  const given = sources.filter((source) => source !== undefined);
  const search = () => {
    const searches = given.map((source) => source.search());
    return { in: (directory: string) => either(searches.map((one) => one.in(directory))) };
  };
  return {
    search,
    isHidden: (file) => {
      const names = search().in(dirname(file));
      return typeof names === 'string' ? names === 'all' : names(basename(file), isDirectory(file));
    },
    mayHideBelow: async (directory) => {
      for (const source of given) if (await source.mayHideBelow(directory)) return true;
      return false;
    },
  };
}

function either(found: readonly HiddenNames[]): HiddenNames {
  if (found.includes('all')) return 'all';
  const tests = found.filter((one) => typeof one !== 'string');
  if (tests.length < 2) return tests[0] ?? 'nothing';
  return (name, isDirectory) => tests.some((test) => test(name, isDirectory));
}

function isDirectory(path: string): boolean {
  return orElse(() => lstatSync(path).isDirectory(), false);
}

function isSearched(tool: string): boolean {
  return tool === 'Read' || tool === 'Grep' || tool === 'Glob';
}

function mayLieBelow({ specifier = '*' }: Rule, directory: string, workspace: Workspace): boolean {
  const glob = `${directory === '/' ? '' : directory}/*`;
  return mayMatchPath(specifier, glob, { workspace, reading: 'wide' });
}
