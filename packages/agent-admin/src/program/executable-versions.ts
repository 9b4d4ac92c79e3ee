import { chmodSync, copyFileSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import { isVersion, type Release, unpackArchive } from '@robota-sdk/agent-resources';
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
    const name = this.#names('former').find((one) => this.#versionIn(one) !== this.current);
    return name === undefined
      ? undefined
      : { version: this.#versionIn(name), command: [join(this.folder, name)] };
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
    renameSync(unpacked, next);
    chmodSync(next, 0o755);
    rmSync(draft, { recursive: true, force: true });
    return { version: release.version, command: [next] };
  }

  async use({ version, command: [next = ''] }: InstalledVersion): Promise<void> {
    if (version === this.current) return;
    const former = this.#path(`${this.current}.former`);
    rmSync(former, { force: true });
    if (this.#isWindows) renameSync(this.#file, former);
    else keepUnder(this.#file, former);
    renameSync(next, this.#file);
  }

  async clean(): Promise<void> {
    const kept = this.former()?.command[0];
    for (const name of [...this.#names('former'), ...this.#names('next'), ...this.#names('partial')]) {
      const path = join(this.folder, name);
      // Windows keeps the file of a running program; the next update removes it.
      if (path !== kept) rmSync(path, { recursive: true, force: true });
    }
  }

  #path(what: string): string {
    return join(this.folder, `.${basename(this.#file, '.exe')}-${what}${this.#extension}`);
  }

  #names(what: 'former' | 'next' | 'partial'): readonly string[] {
    const begin = `.${basename(this.#file, '.exe')}-`;
    return readdirSync(this.folder).filter(
      (name) => name.startsWith(begin) && (name.includes(`.${what}`) || name.includes(`-${what}-`)),
    );
  }

  get #extension(): string {
    return extname(this.#file) === '.exe' ? '.exe' : '';
  }

  #versionIn(name: string): string {
    const begin = `.${basename(this.#file, '.exe')}-`;
    return name.slice(begin.length, name.lastIndexOf('.former'));
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
