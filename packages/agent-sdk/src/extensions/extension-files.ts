import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isWithin, realPathOf } from '@robota-sdk/agent-core';
import { repositoryOf } from '../context/repository-of.ts';
import type { FoundExtension } from './find-extensions.ts';

/** More files than this belong to no extension that somebody could have read. */
const maximum = 2_000;

/** The files that run with an extension: those of its folder, and what its modules import from the repository around it. */
export async function extensionFiles({ path, folder }: FoundExtension): Promise<readonly string[]> {
  const found = new Set([path, ...(await filesBelow(folder))]);
  const root = repositoryOf(folder) ?? folder;
  for (const file of found) {
    if (found.size >= maximum) break;
    if (/\.[cm]?[jt]s$/.test(file)) for (const next of await importedBy(file, root)) found.add(next);
  }
  return [...found].sort();
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && files.length < maximum; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      // What is installed beside it is what its lock file says.
      if (entry.isDirectory() && entry.name !== 'node_modules') waiting.push(path);
      if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
    }
  }
  return files;
}

const importing = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]+)\1/g;

async function importedBy(file: string, root: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return [...text.matchAll(importing)]
    .map(([, , name = '']) => resolve(dirname(file), name))
    .filter((path) => isWithin(root, realPathOf(path)));
}
