import { chmodSync, copyFileSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import { isVersion, type Release, unpackArchive } from '@robota-sdk/agent-resources';
import { filesBeside } from './files-beside.ts';
import { flushFile } from './flush-file.ts';
import { programPackage } from './installation.ts';
import type { InstalledVersion, VersionStore } from './installed-version.ts';

/** Files and bytes of an archive with an executable, which carries all of Node. */
const limits = { maxFiles: 100, maxBytes: 512 * 1024 * 1024 };

/** The running executable. */
export interface ExecutableOptions {
  readonly file: string;
  readonly version: string;
  readonly platform?: NodeJS.Platform;
  readonly architecture?: string;
}

/**
 * The versions of a single executable: hidden files beside it. A new one replaces it by one rename, which leaves running
 * processes what they have; Windows, which locks the file of a running program, needs two.
 */
export class ExecutableVersions implements VersionStore {
  readonly packageName: string;
  readonly maxArchiveBytes = 256 * 1024 * 1024;
  readonly current: string;
  readonly folder: string;
  readonly #file: string;
  readonly #isWindows: boolean;

  constructor({
    file,
    version,
    platform = process.platform,
    architecture = process.arch,
  }: ExecutableOptions) {
    this.#file = file;
    this.#isWindows = platform === 'win32';
    this.current = version;
    this.folder = dirname(file);
    this.packageName = `${programPackage}-${platform}-${architecture}`;
  }

  get lockFile(): string {
    return this.#path('update');
  }

  former(): InstalledVersion | undefined {
    const found = filesBeside(this.#file).find(
      ({ kind, version }) => kind === 'former' && version !== this.current,
    );
    if (found?.version === undefined) return undefined;
    return { version: found.version, command: [found.path] };
  }

  find(): undefined {
    return undefined;
  }

  async add(release: Release, archive: Buffer): Promise<InstalledVersion> {
    if (!isVersion(release.version) || release.version.startsWith('v'))
      throw new AgentError('config', `${JSON.stringify(release.version)} is not a version.`);
    const draft = this.#path(`partial-${process.pid}`);
    rmSync(draft, { recursive: true, force: true });
    await unpackArchive(archive, draft, limits);
    const next = this.#path(`${release.version}.next`);
    const name = this.#isWindows ? 'robota.exe' : 'robota';
    const unpacked = join(draft, 'package', 'bin', name);
    if (!statSync(unpacked, { throwIfNoEntry: false })?.isFile())
      throw new AgentError('config', `${release.name} ${release.version} has no file bin/${name}.`);
    chmodSync(unpacked, 0o755);
    // It must be complete on disk before it replaces a working program.
    flushFile(unpacked);
    renameSync(unpacked, next);
    rmSync(draft, { recursive: true, force: true });
    return { version: release.version, command: [next] };
  }

  async use({ version, command: [next = ''] }: InstalledVersion): Promise<void> {
    if (version === this.current) return;
    const former = this.#path(`${this.current}.former`);
    rmSync(former, { force: true });
    if (this.#isWindows) renameSync(this.#file, former);
    else keepUnder(this.#file, former);
    // Only one file may count as the previous version, or --back would skip a version.
    for (const { path, kind } of filesBeside(this.#file))
      if (kind === 'former' && path !== former && path !== next) rmSync(path, { force: true });
    renameSync(next, this.#file);
  }

  async clean(): Promise<void> {
    const kept = this.former()?.command[0];
    for (const { path, kind } of filesBeside(this.#file)) {
      // Windows keeps the file of a running program; the next update removes it.
      if (path !== kept && kind !== 'lock') rmSync(path, { recursive: true, force: true });
    }
  }

  #path(what: string): string {
    return join(this.folder, `.${basename(this.#file, '.exe')}-${what}${this.#extension}`);
  }

  get #extension(): string {
    return extname(this.#file) === '.exe' ? '.exe' : '';
  }
}

/** A second name of the same file costs nothing; some file systems have none. */
function keepUnder(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    const draft = `${name}.${process.pid}`;
    copyFileSync(file, draft);
    renameSync(draft, name);
  }
}
