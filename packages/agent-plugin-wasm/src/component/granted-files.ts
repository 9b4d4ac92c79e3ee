import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin, makeDirectories, realPathOf } from '@robota-sdk/agent-core';
import type { FileGrant, Grants } from './plugin-manifest.ts';

/** Says why a file may not be used although it was granted; nothing where it may. */
export type PathJudge = (kind: 'read' | 'write', path: string) => Promise<string | undefined>;

export interface GrantedFilesOptions {
  readonly grants: Pick<Grants, 'files'>;
  readonly cwd: string;
  readonly home: string;
  readonly judge?: PathJudge | undefined;
}

/** More than this at once is no file for a plugin. */
const maxBytes = 16 * 1024 * 1024;
const maxNames = 10_000;

/** The part of the file system that a plugin was granted. Links are followed before anything is decided. */
export class GrantedFiles {
  readonly #options: GrantedFilesOptions;

  constructor(options: GrantedFilesOptions) {
    this.#options = options;
  }

  async read(path: string): Promise<Uint8Array> {
    const file = await open(
      await this.#allowed(path, 'read'),
      constants.O_RDONLY | constants.O_NONBLOCK,
    ).catch(failure(path));
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Error(`${path} is not a regular file`);
      if (found.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  }

  async write(path: string, content: Uint8Array): Promise<void> {
    if (content.byteLength > maxBytes) throw new Error(`more than ${maxBytes} bytes are not written at once`);
    const real = await this.#allowed(path, 'write');
    await Promise.resolve(dirname(real))
      .then((directory) => makeDirectories(directory))
      .catch(failure(path));
    // O_NOFOLLOW: the checked path must not have become a link.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
    const file = await open(real, flags | constants.O_NONBLOCK).catch(failure(path));
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  }

  async list(path: string): Promise<string[]> {
    const entries = await readdir(await this.#allowed(path, 'read'), { withFileTypes: true }).catch(
      failure(path),
    );
    return entries
      .slice(0, maxNames)
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
  }

  /** The real target of a path, if access was granted. */
  async #allowed(path: string, kind: FileGrant['access']): Promise<string> {
    if (path === '' || path.includes('\0')) throw new Error('that is not a path');
    const real = realPathOf(this.#absolute(path));
    const isGranted = this.#options.grants.files.some(
      (grant) =>
        (kind === 'read' || grant.access === 'write') &&
        isWithin(realPathOf(this.#absolute(grant.path)), real),
    );
    if (!isGranted) throw new Error(`${kind === 'read' ? 'reading' : 'writing'} ${path} is not granted`);
    const refusal = await this.#options.judge?.(kind, real);
    if (refusal !== undefined) throw new Error(refusal);
    return real;
  }

  #absolute(path: string): string {
    const { cwd, home } = this.#options;
    if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
    return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
  }
}

/** The plugin is told of the path it asked for, not where that leads. */
function failure(path: string): (thrown: unknown) => never {
  return (thrown) => {
    throw new Error(`${path} cannot be used: ${(thrown as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  };
}
