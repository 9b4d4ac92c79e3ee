import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type FilesBelow, filesBelow, maxFiles } from '@robota-sdk/agent-config';
import {
  given,
  isWithin,
  orElse,
  readRegularFileSync,
  realPathOf,
  repositoryOf,
} from '@robota-sdk/agent-core';
import type { FoundExtension } from './find-extensions.ts';
import { findPackage } from './find-package.ts';
import { moduleImports } from './module-imports.ts';

/** Larger modules cannot be reviewed. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The files that run with an extension: its whole folder and the modules it loads from elsewhere, resolved as
 * Node does. If they cannot be determined, the extension cannot be trusted.
 */
export function extensionFiles({ path, folder }: Pick<FoundExtension, 'path' | 'folder'>): FilesBelow {
  const home = realPathOf(folder);
  const root = repositoryOf(home) ?? home;
  const below = filesBelow(home, root);
  const found = new Set([path, ...below.files]);
  const waiting = [realPathOf(path)];
  const seen = new Set<string>();
  let { refusal } = below;
  for (let next = waiting.pop(); next !== undefined && refusal === undefined; next = waiting.pop()) {
    if (seen.has(next) || !/\.[cm]?[jt]s$/.test(next)) continue;
    seen.add(next);
    const loaded = loadedBy(next, root);
    refusal = loaded.refusal;
    for (const file of loaded.files) found.add(file);
    waiting.push(...loaded.files);
    if (found.size > maxFiles) refusal = `it consists of more than ${maxFiles} files`;
  }
  return { files: [...found].sort(), ...given('refusal', refusal) };
}

/** The files one module loads, and its imports that cannot be resolved. */
function loadedBy(file: string, root: string): FilesBelow {
  const text = textOf(file);
  if (text === undefined) return { files: [], refusal: `${file} cannot be read, or is too large` };
  const { paths, imported, packages, unclear } = moduleImports(text);
  const [first] = unclear;
  if (first !== undefined)
    return { files: [], refusal: `${file} loads a module that is only known at run time: ${first}` };
  const missing = imported.find((name) => filesOf(name, file).length === 0);
  if (missing !== undefined) return { files: [], refusal: `${file} imports ${missing}, which is missing` };
  const named = paths.flatMap((name) => filesOf(name, file)).filter((each) => isWithin(root, each));
  const linked = packages.map((name) => linkedFiles(name, file, root));
  return {
    files: [
      ...imported.flatMap((name) => filesOf(name, file)),
      ...named,
      ...linked.flatMap(({ files }) => files),
    ],
    ...given('refusal', linked.find(({ refusal }) => refusal !== undefined)?.refusal),
  };
}

const endings = ['', '.js', '.json', '.node', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.d.ts'];

/** The files that a path in a module may mean, as a URL or in CommonJS. */
function filesOf(name: string, file: string): string[] {
  const places = new Set([resolve(dirname(file), name), ...urlPath(name, file)]);
  return [...places].flatMap((place) => [
    ...endings
      .map((ending) => `${place}${ending}`)
      .filter(isFile)
      .map(realPathOf),
    ...mainOf(place, file),
  ]);
}

function urlPath(name: string, file: string): string[] {
  return orElse(() => [fileURLToPath(new URL(name, pathToFileURL(file)))], []);
}

/** The file CommonJS loads for a directory, and the `package.json` that names it. */
function mainOf(directory: string, file: string): string[] {
  try {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
    const manifest = resolve(directory, 'package.json');
    const main = createRequire(file).resolve(directory);
    return [...(isFile(manifest) ? [manifest] : []), realPathOf(main)];
  } catch {
    return [];
  }
}

/** The files of a package that is a folder of the repository; installed packages are covered by the lock file. */
function linkedFiles(name: string, file: string, root: string): FilesBelow {
  const [first = '', second = ''] = name.split('/');
  const folder = findPackage(first.startsWith('@') ? `${first}/${second}` : first, [dirname(file)]);
  const real = folder === undefined ? undefined : realPathOf(folder);
  if (real === undefined || !isWithin(root, real) || real.includes('/node_modules/')) return { files: [] };
  return filesBelow(real, root);
}

function textOf(file: string): string | undefined {
  return orElse(() => readRegularFileSync(file, { largest: maxBytes }).toString(), undefined);
}

function isFile(path: string): boolean {
  return orElse(() => statSync(path, { throwIfNoEntry: false })?.isFile() === true, false);
}
