// Makes a checkout ready to run: installs dependencies and builds, each only when something changed.
// Runs before `npm start` and `npm test`, so it uses nothing but Node and is quick when all is up to date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules/.cache/robota');
const installStamp = join(cache, 'install.stamp');
const buildStamp = join(cache, 'build.stamp');
const lockFile = join(root, '.setup.lock');
/** A generated file among the sources. */
const generated = 'page.json';

if (!isReady()) {
  const release = await takeLock();
  try {
    if (!isInstalled()) install();
    if (!isBuilt()) build();
  } finally {
    release();
  }
}

function isReady() {
  return isInstalled() && isBuilt();
}

function isInstalled() {
  const hash = lockfileHash();
  if (readStamp(installStamp) === hash) return true;
  if (!wasInstalledByHand()) return false;
  writeStamp(installStamp, hash);
  return true;
}

/** npm writes this file last, so one younger than the lockfile stands for a finished `npm ci` or `npm install`. */
function wasInstalledByHand() {
  const installed = statSync(join(root, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs > statSync(join(root, 'package-lock.json')).mtimeMs;
}

function isBuilt() {
  return existsSync(join(root, 'packages/agent-core/dist')) && readStamp(buildStamp) === sourcesHash();
}

function install() {
  const first = !existsSync(join(root, 'node_modules'));
  say(first ? 'Installing dependencies (first run) …' : 'Installing dependencies (they changed) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, stdout, stderr } = spawnSync(npm, ['ci', '--no-progress'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) {
    say(`${stdout ?? ''}${stderr ?? ''}`.trimEnd());
    fail(
      '`npm ci` failed. Check the network and the registry (`npm ping`), then run `npm ci` here yourself.',
    );
  }
  writeStamp(installStamp, lockfileHash());
}

function build() {
  say('Building …');
  const hash = sourcesHash();
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) fail('The build failed: see the errors above. `npm run build` repeats it.');
  writeStamp(buildStamp, hash);
}

function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** Names, sizes and times of everything the build reads; contents would cost more than the answer is worth. */
function sourcesHash() {
  const hash = createHash('sha256');
  const scripts = readdirSync(join(root, 'scripts'))
    .filter((name) => name.endsWith('.mjs'))
    .sort()
    .map((name) => `scripts/${name}`);
  for (const name of ['package-lock.json', 'tsconfig.base.json', 'tsconfig.json', ...scripts])
    addFile(hash, join(root, name));
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', name);
    if (!existsSync(join(folder, 'package.json'))) continue;
    addFile(hash, join(folder, 'package.json'));
    addFile(hash, join(folder, 'tsconfig.json'));
    addFolder(hash, join(folder, 'src'));
  }
  return hash.digest('hex');
}

function addFolder(/** @type {import('node:crypto').Hash} */ hash, /** @type {string} */ folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(hash, path);
    else if (!entry.name.endsWith('.test.ts') && entry.name !== generated) addFile(hash, path);
  }
}

function addFile(/** @type {import('node:crypto').Hash} */ hash, /** @type {string} */ path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  hash.update(`${path}\0${stat?.size}\0${stat?.mtimeMs}\n`);
}

function readStamp(/** @type {string} */ path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    return undefined;
  }
}

function writeStamp(/** @type {string} */ path, /** @type {string} */ value) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(path, value);
}

/** Two set-ups of one checkout at the same time would write each other's files: the second one waits. */
async function takeLock() {
  let told = false;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return () => rmSync(lockFile, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (isLockStale()) rmSync(lockFile, { force: true });
    else if (!told) say('Waiting for another set-up of this checkout …');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function isLockStale() {
  const stat = statSync(lockFile, { throwIfNoEntry: false });
  const content = readStamp(lockFile);
  if (stat === undefined || content === undefined) return false;
  const pid = Number(content);
  // The number follows the file in an instant, so a file that stays without one has lost its owner.
  if (!Number.isInteger(pid) || pid <= 0) return Date.now() - stat.mtimeMs > 2_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

function say(/** @type {string} */ line) {
  process.stderr.write(`${line}\n`);
}

/** @returns {never} */
function fail(/** @type {string} */ line) {
  say(`robota: ${line}`);
  rmSync(lockFile, { force: true });
  process.exit(1);
}
