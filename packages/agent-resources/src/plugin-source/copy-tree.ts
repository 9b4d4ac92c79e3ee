import { constants } from 'node:fs';
import { chmod, copyFile, lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AgentError, isWithin, makeDirectories } from '@robota-sdk/agent-core';
import { archiveLimits } from '../archive/archive-entry.ts';

/**
 * Copies a folder, without `.git`, into a new one. A link to something inside becomes a copy of its target. A
 * link that leads outside is skipped, since it would add files that were not reviewed. Returns the names of
 * skipped links.
 */
export async function copyTree(from: string, to: string, { root = from } = {}): Promise<readonly string[]> {
  const copy = new TreeCopy(await realpath(root), archiveLimits);
  const start = await realpath(from);
  await copy.folder(start, to, []);
  return copy.skipped.map((path) => relative(start, path));
}

class TreeCopy {
  readonly #root: string;
  readonly #limits: typeof archiveLimits;
  /** Skipped links. */
  readonly skipped: string[] = [];
  #files = 0;
  #bytes = 0;

  constructor(root: string, limits: typeof archiveLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  async folder(from: string, to: string, above: readonly string[]): Promise<void> {
    makeDirectories(to, 0o700);
    for (const name of (await readdir(from)).sort()) {
      if (name.toLowerCase() === '.git') continue;
      await this.#entry(join(from, name), join(to, name), [...above, from]);
    }
  }

  async #entry(from: string, to: string, above: readonly string[]): Promise<void> {
    const isLink = (await lstat(from)).isSymbolicLink();
    const real = isLink ? await realpath(from).catch(() => undefined) : from;
    if (real === undefined || !isWithin(this.#root, real) || /[\\/]\.git(?:[\\/]|$)/i.test(real))
      return void this.skipped.push(from);
    const info = await stat(real);
    if (info.isDirectory())
      // A folder around it would be copied without end.
      return above.includes(real) ? void this.skipped.push(from) : this.folder(real, to, above);
    if (!info.isFile()) throw this.#refusal(from, 'is neither a file nor a folder');
    this.#count(info.size);
    await copyFile(real, to, constants.COPYFILE_EXCL);
    await chmod(to, (info.mode & 0o100) !== 0 ? 0o700 : 0o600);
  }

  #count(bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    const { maxFiles, maxBytes } = this.#limits;
    const isTooMany = this.#files > maxFiles;
    if (!isTooMany && this.#bytes <= maxBytes) return;
    const limit = isTooMany ? `${maxFiles} files` : `${maxBytes / 1024 / 1024} MB`;
    throw new AgentError(
      'config',
      `${this.#root} has more than ${limit}, the limit of one source. Install a plugin of it by its folder: robota plugin install ./plugins/NAME`,
    );
  }

  #refusal(path: string, why: string): AgentError {
    return new AgentError('config', `${relative(this.#root, path)} ${why}, so nothing is copied.`);
  }
}
