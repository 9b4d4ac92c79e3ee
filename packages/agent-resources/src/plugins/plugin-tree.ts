import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegularFile, relativePath } from '@robota-sdk/agent-core';

/** A snapshot of a folder: the hash identifies its content, the stamp detects changes cheaply. */
export interface TreeSeal {
  readonly hash: string;
  readonly stamp: string;
}

/** Seals all files of a folder as they are. */
export async function sealTree(root: string): Promise<TreeSeal> {
  const files = filesBelow(root);
  return { hash: await hashOf(root, files), stamp: stampOf(root, files) };
}

/**
 * True if a folder still has the content that it was sealed with. Running a plugin's Python scripts adds bytecode. Since
 * Python may prefer it to the sealed scripts, it is removed.
 */
export async function isSealed(root: string, seal: TreeSeal): Promise<boolean> {
  const files = filesBelow(root);
  const added = files.filter(isBytecode);
  const others = files.filter((file) => !isBytecode(file));
  if (added.length === 0 || !(await fits(root, others, seal))) return fits(root, files, seal);
  for (const { path } of added) rmSync(path, { force: true });
  return true;
}

async function fits(root: string, files: readonly TreeFile[], { hash, stamp }: TreeSeal): Promise<boolean> {
  return stampOf(root, files) === stamp || (await hashOf(root, files)) === hash;
}

function isBytecode({ path, isLink }: TreeFile): boolean {
  return !isLink && path.endsWith('.pyc') && basename(dirname(path)) === '__pycache__';
}

/** Every file of a folder, in order. */
export function treeFiles(root: string): string[] {
  return filesBelow(root).map(({ path }) => path);
}

/** True if something in a folder is neither a file nor a folder. */
export function hasLinks(root: string): boolean {
  return filesBelow(root).some(({ isLink }) => isLink);
}

interface TreeFile {
  readonly path: string;
  readonly isExecutable: boolean;
  readonly isLink: boolean;
  readonly marks: readonly number[];
}

function filesBelow(root: string): TreeFile[] {
  const found: TreeFile[] = [];
  const visit = (folder: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        visit(path);
        continue;
      }
      const { size, mtimeMs, ctimeMs, mode } = lstatSync(path);
      found.push({
        path,
        isExecutable: (mode & 0o100) !== 0,
        isLink: !entry.isFile(),
        marks: [size, mtimeMs, ctimeMs, mode],
      });
    }
  };
  visit(root);
  return found;
}

async function hashOf(root: string, files: readonly TreeFile[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { path, isExecutable, isLink } of files) {
    const content = isLink ? Buffer.from('link') : await readRegularFile(path);
    const sum = createHash('sha256').update(content).digest('hex');
    hash.update(JSON.stringify([nameOf(root, path), isExecutable, isLink, sum]));
  }
  return hash.digest('hex');
}

/** Uses ctime, which programs cannot set back. */
function stampOf(root: string, files: readonly TreeFile[]): string {
  const hash = createHash('sha256');
  for (const { path, marks } of files) hash.update(JSON.stringify([nameOf(root, path), ...marks]));
  return hash.digest('hex');
}

function nameOf(root: string, path: string): string {
  return relativePath(root, path);
}
