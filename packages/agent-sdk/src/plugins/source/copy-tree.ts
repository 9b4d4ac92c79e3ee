import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AgentError, isWithin } from '@robota-sdk/agent-core';
import { archiveLimits } from '../archive/archive-entry.ts';

/**
 * Copies a folder, without `.git`, into a new one. A link to something inside becomes a copy of it; one that leads out is
 * refused, since it would bring in what nobody has seen.
 */
export async function copyTree(from: string, to: string, { root = from } = {}): Promise<void> {
  const copy = new TreeCopy(await realpath(root), archiveLimits);
  await copy.folder(await realpath(from), to, []);
}

class TreeCopy {
  readonly #root: string;
  readonly #limits: typeof archiveLimits;
  #files = 0;
  #bytes = 0;

  constructor(root: string, limits: typeof archiveLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  async folder(from: string, to: string, above: readonly string[]): Promise<void> {
    if (above.includes(from)) throw this.#refusal(from, 'is a link to a folder around it');
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const name of (await readdir(from)).sort()) {
      if (name.toLowerCase() === '.git') continue;
      await this.#entry(join(from, name), join(to, name), [...above, from]);
    }
  }

  async #entry(from: string, to: string, above: readonly string[]): Promise<void> {
    const isLink = (await lstat(from)).isSymbolicLink();
    const real = isLink ? await realpath(from).catch(() => undefined) : from;
    if (real === undefined || !isWithin(this.#root, real) || /[\\/]\.git(?:[\\/]|$)/i.test(real))
      throw this.#refusal(from, 'is a link that leads out of its folder');
    const info = await stat(real);
    if (info.isDirectory()) return this.folder(real, to, above);
    if (!info.isFile()) throw this.#refusal(from, 'is neither a file nor a folder');
    this.#count(info.size);
    await copyFile(real, to, constants.COPYFILE_EXCL);
    await chmod(to, (info.mode & 0o100) !== 0 ? 0o700 : 0o600);
  }

  #count(bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    if (this.#files > this.#limits.maxFiles || this.#bytes > this.#limits.maxBytes) {
      const { maxFiles, maxBytes } = this.#limits;
      throw new AgentError('config', `${this.#root} has more than ${maxFiles} files or ${maxBytes} bytes.`);
    }
  }

  #refusal(path: string, why: string): AgentError {
    return new AgentError('config', `${relative(this.#root, path)} ${why}, so nothing is copied.`);
  }
}
