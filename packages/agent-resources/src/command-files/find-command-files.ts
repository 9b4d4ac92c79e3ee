import { join } from 'node:path';
import type { ResourceFolder } from '@robota-sdk/agent-config';
import { entriesIn } from '@robota-sdk/agent-config';
import { isMissing } from '@robota-sdk/agent-core';
import { commandName } from './command-name.ts';

/** A command file. */
export interface FoundCommand {
  readonly name: string;
  readonly path: string;
  readonly folder: ResourceFolder;
}

/** Maximum depth of nested command folders. */
const maxDepth = 6;

/**
 * Finds the command files of a folder by name. A folder with a SKILL.md is a skill, not a command. Synchronous, because
 * reading a few directories is faster than a promise for each.
 */
export function findCommandFiles(folder: ResourceFolder): readonly FoundCommand[] {
  if (isMissing(folder.path)) return [];
  return walk({ folder, below: '', depth: 1, only: folder.only, seen: new Set() })
    .sort()
    .map((below) => ({ name: commandName(below, folder.plugin), path: join(folder.path, below), folder }))
    .filter(({ name }) => name !== '');
}

interface Step {
  readonly folder: ResourceFolder;
  readonly below: string;
  readonly depth: number;
  readonly only: readonly string[] | undefined;
  /** Real directories that were entered, because a link may lead back. */
  readonly seen: Set<string>;
}

function walk({ folder, below, depth, only, seen }: Step): string[] {
  const entries = entriesIn(join(folder.path, below), { root: folder.root, seen });
  if (entries.some(({ name }) => name === 'SKILL.md')) return [];
  return entries.flatMap(({ name, kind }) => {
    if (name.startsWith('.') || (only && !only.includes(name))) return [];
    const path = below === '' ? name : `${below}/${name}`;
    // Reading a file that leads elsewhere, or is not a file, reports it.
    if (kind !== 'directory') return name.endsWith('.md') || kind === 'outside' ? [path] : [];
    return depth < maxDepth ? walk({ folder, below: path, depth: depth + 1, only: undefined, seen }) : [];
  });
}
