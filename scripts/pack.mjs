// `npm run pack` packs every published package into build/packages, as the registry would get it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules/.cache/robota/packed');

/** @typedef {{ readonly name: string, readonly version: string, readonly folder: string }} Published */
/** @typedef {Published & { readonly file: string }} Packed */

/**
 * Packs what is built, all published packages. What did not change is taken from the last time.
 * @returns {Packed[]}
 */
export function packPackages(/** @type {string} */ destination) {
  removeEarlierChunks();
  const packages = publishedPackages();
  for (const { folder } of packages) removeStaleOutput(folder);
  mkdirSync(destination, { recursive: true });
  mkdirSync(cache, { recursive: true });
  const wanted = packages.map((each) => ({
    ...each,
    kept: join(cache, `${keyOf(each.folder)}.tgz`),
  }));
  packInto(wanted.filter(({ kept }) => !existsSync(kept)));
  for (const name of readdirSync(cache))
    if (!wanted.some(({ kept }) => basename(kept) === name)) rmSync(join(cache, name), { recursive: true });
  return wanted.map(({ kept, name, version, folder }) => {
    const file = join(destination, archiveName({ name, version }));
    copyFileSync(kept, file);
    return { name, version, folder, file };
  });
}

/** Makes archives, each in the cache under the name that it is to have there. */
function packInto(/** @type {(Published & { kept: string })[]} */ packages) {
  if (packages.length === 0) return;
  const workspaces = packages.flatMap(({ name }) => ['-w', name]);
  const options = ['--pack-destination', cache, '--offline', '--ignore-scripts', '--silent'];
  execFileSync('npm', ['pack', ...workspaces, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  for (const each of packages) copyFileSync(join(cache, archiveName(each)), each.kept);
}

function archiveName(/** @type {{ name: string, version: string }} */ { name, version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

/** All packages that are not private. */
function publishedPackages() {
  return readdirSync(join(root, 'packages')).flatMap((each) => {
    const folder = join(root, 'packages', each);
    if (!existsSync(join(folder, 'package.json'))) return [];
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return manifest.private === true ? [] : [{ name: manifest.name, version: manifest.version, folder }];
  });
}

/** A digest of everything in a package that may be packed. */
function keyOf(/** @type {string} */ folder) {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.test\.ts$|tsbuildinfo$|node_modules/.test(path)) continue;
    hash.update(`${path}\0`).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 32);
}

/** A build leaves the chunks of earlier ones, for agents that still run; they are no part of a package. */
function removeEarlierChunks() {
  const dist = join(root, 'packages/agent-cli/dist');
  if (!existsSync(join(dist, 'chunks.json')))
    throw new Error('The command is not built. Run `npm run build` first.');
  const current = JSON.parse(readFileSync(join(dist, 'chunks.json'), 'utf8'));
  for (const name of readdirSync(join(dist, 'chunks')))
    if (!current.includes(name)) rmSync(join(dist, 'chunks', name));
}

/** The compiler leaves the output of sources that are gone. */
function removeStaleOutput(/** @type {string} */ folder) {
  const dist = join(folder, 'dist');
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const [, source] =
      /^(?!bundle\/|chunks\/|types\/|lib\/|bin\.js)(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file) ?? [];
    if (source !== undefined && !existsSync(join(folder, 'src', `${source}.ts`))) rmSync(join(dist, file));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = join(root, 'build/packages');
  rmSync(destination, { recursive: true, force: true });
  for (const { name, version, file } of packPackages(destination))
    process.stdout.write(`${name} ${version}: ${Math.ceil(statSync(file).size / 1000)} kB\n`);
}
