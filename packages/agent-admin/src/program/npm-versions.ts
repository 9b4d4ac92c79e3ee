import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, posix, relative, resolve } from 'node:path';
import {
  AgentError,
  isJsonObject,
  isWithin,
  type JsonObject,
  lazy,
  object,
  orElse,
  parseJson,
  text,
} from '@robota-sdk/agent-core';
import { isVersion, type Release, unpackArchive } from '@robota-sdk/agent-resources';
import { flushFile } from './flush-file.ts';
import { programPackage } from './installation.ts';
import type { InstalledVersion, VersionStore } from './installed-version.ts';

const marker = '// Written by robota update: ';
const sumFile = '.sha512';

/** A version and the file that starts it, relative to the folder of the launcher. */
interface Target {
  readonly version: string;
  readonly file: string;
}

/** The versions that a launcher names in its second line. */
interface LauncherState {
  readonly current: Target;
  readonly former?: Target;
}

/**
 * The versions of a global installation by npm. The first one lies where npm put it; later ones lie in `versions/` below
 * it, so that npm replaces and removes them with their package. The file that npm's command starts decides which one
 * runs: replacing it is one rename, whatever the system.
 */
export class NpmVersions implements VersionStore {
  readonly packageName = programPackage;
  readonly maxArchiveBytes = 64 * 1024 * 1024;
  readonly folder: string;
  readonly #launcher: string;
  readonly #manifest: JsonObject;

  constructor(root: string) {
    this.folder = root;
    this.#manifest = readManifest(root);
    this.#launcher = join(root, binOf(this.#manifest, root));
  }

  get lockFile(): string {
    return join(this.folder, 'versions', 'update');
  }

  get current(): string {
    return this.#state.current.version;
  }

  former(): InstalledVersion | undefined {
    const { former } = this.#state;
    if (former === undefined || !existsSync(resolve(dirname(this.#launcher), former.file))) return undefined;
    return this.#installed(former);
  }

  find({ version, sha512 }: Release): InstalledVersion | undefined {
    const { current, former } = this.#state;
    const first = [current, former].find((one) => one?.file === this.#firstFile);
    if (first?.version === version) return this.#installed(first);
    const folder = this.#folderOf(version);
    if (readText(join(folder, sumFile)) !== sha512) return undefined;
    return this.#installed(this.#targetIn(folder, version));
  }

  async add(release: Release, archive: Buffer): Promise<InstalledVersion> {
    const folder = this.#folderOf(release.version);
    const draft = join(dirname(folder), `.partial-${process.pid}`);
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    await unpackArchive(archive, draft);
    const [inner, ...others] = readdirSync(draft);
    if (inner === undefined || others.length > 0)
      throw wrong(release, 'its archive has more than one folder');
    const unpacked = join(draft, inner);
    const manifest = readManifest(unpacked);
    if (manifest.name !== release.name || manifest.version !== release.version)
      throw wrong(release, `its archive holds ${String(manifest.name)} ${String(manifest.version)}`);
    binOf(manifest, unpacked);
    writeFileSync(join(unpacked, sumFile), release.sha512);
    makeReadable(unpacked);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
    rmSync(draft, { recursive: true, force: true });
    return this.#installed(this.#targetIn(folder, release.version));
  }

  async use({ version, command }: InstalledVersion): Promise<void> {
    const { current } = this.#state;
    if (version === current.version) return;
    this.#keepFirst();
    const place = dirname(this.#launcher);
    const file = slashed(relative(place, command.at(-1) ?? ''));
    const next: LauncherState = { current: { version, file }, former: this.#isFirst ? this.#first : current };
    replaceFile(this.#launcher, launcherText(next, typeOf(this.#launcher)), 0o755);
    this.#show(next.current);
  }

  async clean(): Promise<void> {
    const { current, former } = this.#state;
    const kept = new Set([current.version, former?.version]);
    for (const name of namesIn(join(this.folder, 'versions')))
      if (!kept.has(name) && name !== 'update.lock')
        rmSync(join(this.folder, 'versions', name), { recursive: true, force: true });
    // An update may have been killed right after it switched.
    if (!this.#isFirst) this.#show(current);
  }

  get #state(): LauncherState {
    return parseLauncher(readText(this.#launcher) ?? '') ?? { current: this.#first };
  }

  /** True until the first update. */
  get #isFirst(): boolean {
    return parseLauncher(readText(this.#launcher) ?? '') === undefined;
  }

  get #first(): Target {
    return { version: String(this.#manifest.version), file: this.#firstFile };
  }

  /** The launcher that npm installed, kept under another name beside it, since it loads files from there. */
  get #firstFile(): string {
    return `./robota-first${extname(this.#launcher)}`;
  }

  #keepFirst(): void {
    if (!this.#isFirst) return;
    const kept = resolve(dirname(this.#launcher), this.#firstFile);
    const draft = `${kept}.${process.pid}`;
    copyFileSync(this.#launcher, draft);
    renameSync(draft, kept);
    const manual = readText(this.#manual);
    if (manual !== undefined) replaceFile(manualOf(kept), manual, 0o644);
  }

  /** The page that npm's link leads to. */
  get #manual(): string {
    return manualOf(this.#launcher);
  }

  #show({ version, file }: Target): void {
    this.#showVersion(version);
    this.#showManual(resolve(dirname(this.#launcher), file));
  }

  /** Lets `man robota` describe the version in use; nothing depends on it. */
  #showManual(file: string): void {
    try {
      const manual = readText(manualOf(file));
      if (manual !== undefined && manual !== readText(this.#manual)) replaceFile(this.#manual, manual, 0o644);
    } catch {
      // It then describes another version.
    }
  }

  /** Lets `npm ls -g` and `npm outdated -g` name the version in use; nothing depends on it. */
  #showVersion(version: string): void {
    try {
      const shown = readManifest(this.folder);
      if (shown.version === version) return;
      const manifest = { ...shown, version };
      replaceFile(join(this.folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`, 0o644);
    } catch {
      // npm then shows the version that it installed.
    }
  }

  #folderOf(version: string): string {
    if (!isVersion(version) || version.startsWith('v'))
      throw new AgentError('config', `${JSON.stringify(version)} is not a version.`);
    return join(this.folder, 'versions', version);
  }

  #targetIn(folder: string, version: string): Target {
    const file = join(folder, binOf(readManifest(folder), folder));
    return { version, file: slashed(relative(dirname(this.#launcher), file)) };
  }

  #installed({ version, file }: Target): InstalledVersion {
    // The kept first launcher starts like any other file; before the first update it is the launcher itself.
    const path = resolve(dirname(this.#launcher), file);
    const started = existsSync(path) ? path : this.#launcher;
    return { version, command: [process.execPath, started] };
  }
}

/** The manual page beside a file that starts a version. */
function manualOf(file: string): string {
  const name = basename(file, extname(file));
  return join(dirname(file), `${name === 'bin' ? 'robota' : name}.1`);
}

function launcherText(state: LauncherState, type: 'commonjs' | 'module'): string {
  const file = JSON.stringify(state.current.file);
  // The file of the version itself is named to child processes, so that they run the same one after another update.
  const start =
    type === 'commonjs'
      ? `process.argv[1] = require.resolve(${file});\nrequire(process.argv[1]);`
      : `import ${file};`;
  return `#!/usr/bin/env node\n${marker}${JSON.stringify(state)}\n${start}\n`;
}

function parseLauncher(launcher: string): LauncherState | undefined {
  const line = launcher.split('\n', 2)[1] ?? '';
  if (!line.startsWith(marker)) return undefined;
  return launcherShape.parse(parseJson(line.slice(marker.length)));
}

const launcherShape = lazy(() => {
  const target = object({ version: text, file: text });
  return object({ current: target }, { former: target });
});

/** How Node reads a file by the nearest package.json. */
function typeOf(file: string): 'commonjs' | 'module' {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (isFile(join(folder, 'package.json')))
      return readManifest(folder).type === 'module' ? 'module' : 'commonjs';
    if (folder === dirname(folder)) return 'commonjs';
  }
}

/** The file that the command starts, relative to the package. */
function binOf({ bin }: JsonObject, root: string): string {
  const file = isJsonObject(bin) ? bin.robota : bin;
  if (typeof file === 'string' && isWithin(root, resolve(root, file)) && isFile(resolve(root, file)))
    return posix.normalize(file);
  throw new AgentError('config', `The package in ${root} has no file for the command robota.`);
}

function readManifest(root: string): JsonObject {
  const text = readText(join(root, 'package.json'));
  const value = parseJson(text ?? '');
  if (isJsonObject(value)) return value;
  throw new AgentError('config', `${join(root, 'package.json')} cannot be read.`, {
    hint: `Install Robota again: npm install -g ${programPackage}`,
  });
}

/** Everybody may start what an administrator installs; all of it is on the disk before it is used. */
function makeReadable(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isDirectory()) {
      chmodSync(path, 0o755);
      continue;
    }
    chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
    flushFile(path);
  }
  chmodSync(directory, 0o755);
}

function replaceFile(path: string, text: string, mode: number): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  chmodSync(draft, mode);
  flushFile(draft);
  renameSync(draft, path);
}

function wrong({ name, version }: Release, why: string): AgentError {
  return new AgentError('config', `${name} ${version} is refused: ${why}. Nothing of it was used.`);
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function readText(path: string): string | undefined {
  return orElse(() => readFileSync(path, 'utf8'), undefined);
}

function slashed(path: string): string {
  const plain = path.replaceAll('\\', '/');
  return plain.startsWith('.') ? plain : `./${plain}`;
}
