import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile, relativePath } from '@robota-sdk/agent-core';

/** A snapshot of a folder: the hash identifies its content, the stamp detects changes cheaply. */
export interface TreeSeal {
  readonly hash: string;
  readonly stamp: string;
}

/** Seals all files of a folder as they are. */
export async function sealTree(root: string): Promise<TreeSeal> {
  const hash = createHash('sha256');
  const files = filesBelow(root);
  for (const { path, isExecutable, isLink } of files) {
    const content = isLink ? Buffer.from('link') : await readRegularFile(path);
    const sum = createHash('sha256').update(content).digest('hex');
    hash.update(JSON.stringify([nameOf(root, path), isExecutable, isLink, sum]));
  }
  return { hash: hash.digest('hex'), stamp: stampOf(root, files) };
}

/** True if a folder still has the content that it was sealed with. */
export async function isSealed(root: string, { hash, stamp }: TreeSeal): Promise<boolean> {
  if (stampOf(root, filesBelow(root)) === stamp) return true;
  return (await sealTree(root)).hash === hash;
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

/** Uses ctime, which programs cannot set back. */
function stampOf(root: string, files: readonly TreeFile[]): string {
  const hash = createHash('sha256');
  for (const { path, marks } of files) hash.update(JSON.stringify([nameOf(root, path), ...marks]));
  return hash.digest('hex');
}

function nameOf(root: string, path: string): string {
  return relativePath(root, path);
}
