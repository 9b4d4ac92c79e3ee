// `npm run release` builds the next version in a fresh clone: version numbers and CHANGELOG.md from the changesets, build, tests,
// tarballs, the executable for this platform, and checksums. It publishes nothing and leaves this repository unchanged. `--publish`
// publishes the tarballs and pulls the commit and its tag. `--skip-tests` is for trying the script.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nextVersion, withVersion } from './release/changelog.mjs';
import { withVersionEverywhere } from './release/version-places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    publish: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    'skip-tests': { type: 'boolean', default: false },
    output: { type: 'string' },
  },
});
if (values.publish && (values['dry-run'] || values['skip-tests'])) {
  stop('--publish cannot be combined with --dry-run or --skip-tests.');
}
if (output('git', ['status', '--porcelain'], root) !== '') {
  stop('There are uncommitted changes. Commit or stash them first.');
}

const hasIdentity = spawnSync('git', ['var', 'GIT_COMMITTER_IDENT'], { cwd: root }).status === 0;
if (values.publish && !hasIdentity) {
  stop(
    'git does not know who you are. Set user.name and user.email first: git config --global user.name NAME',
  );
}

const work = mkdtempSync(join(tmpdir(), 'robota-release-'));
// Some tests of root become another user, who needs to read the clone.
chmodSync(work, 0o755);
const clone = join(work, 'robota');
const tarballs = values.output ?? join(root, 'release');
try {
  say('Cloning the last commit and installing its dependencies');
  run('git', ['clone', '--quiet', root, clone], work);
  // Changesets look for the branch of this name.
  run('git', ['checkout', '--quiet', '-B', 'main'], clone);
  run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], clone);
  const version = raiseVersion();
  say(`Building ${version}`);
  run('npm', ['run', 'build', '--silent'], clone);
  if (values['skip-tests']) say('Skipping the tests');
  else run('bash', ['.ci/run'], clone);
  pack(version);
  if (values.publish) publish(version);
  else say(`Nothing was published. Check ${tarballs}, then run: npm run release -- --publish`);
} catch (thrown) {
  // A step that failed has said why; where it is in this script helps for its own mistakes only.
  if (!(thrown instanceof Error) || thrown.constructor !== Error) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Turns the changesets into version numbers and a section of the changelog, as one commit of the clone. */
function raiseVersion() {
  const statusFile = join(work, 'status.json');
  run('npm', ['run', '--silent', 'changeset', '--', 'status', `--output=${statusFile}`], clone);
  const status = JSON.parse(readFileSync(statusFile, 'utf8'));
  const version = nextVersion(status);
  const changelog = join(clone, 'CHANGELOG.md');
  writeFileSync(changelog, withVersion(readFileSync(changelog, 'utf8'), status));
  run('npm', ['run', '--silent', 'changeset', '--', 'version'], clone);
  const read = (/** @type {string} */ file) => readFileSync(join(clone, file), 'utf8');
  for (const [file, text] of withVersionEverywhere(read, version)) writeFileSync(join(clone, file), text);
  run(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'],
    clone,
  );
  // The commit of a dry run is discarded.
  const author = hasIdentity ? [] : ['-c', 'user.name=Robota', '-c', 'user.email=release@localhost'];
  run('git', [...author, 'commit', '--quiet', '--all', '--message', `Release ${version}`], clone);
  // `git push --follow-tags` takes only tags with a message.
  run('git', [...author, 'tag', '--annotate', '--message', `Robota ${version}`, `v${version}`], clone);
  say(output('git', ['show', '--format=', '--unified=0', 'HEAD', '--', 'CHANGELOG.md'], clone));
  return version;
}

function pack(/** @type {string} */ version) {
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs, { recursive: true });
  run('npm', ['run', '--silent', 'pack'], clone);
  run('npm', ['run', '--silent', 'sea'], clone);
  const executable = join(clone, `build/agent-cli-${process.platform}-${process.arch}`);
  run('npm', ['pack', executable, '--silent', '--pack-destination', join(clone, 'build/packages')], clone);
  cpSync(join(clone, 'build/packages'), tarballs, { recursive: true });
  const names = readdirSync(tarballs).filter((name) => name.endsWith(`-${version}.tgz`));
  const sums = names.map((name) => {
    const path = join(tarballs, name);
    say(`${(statSync(path).size / 1000).toFixed(0).padStart(7)} kB  ${name}`);
    return `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${name}`;
  });
  writeFileSync(join(tarballs, 'SHA256SUMS'), `${sums.join('\n')}\n`);
}

/** Publishes what was packed and tested, not what a later build would make of it. */
function publish(/** @type {string} */ version) {
  for (const name of readdirSync(tarballs).filter((file) => file.endsWith('.tgz'))) {
    // Only a workflow can prove where a package was built.
    const proof = process.env.GITHUB_ACTIONS ? ['--provenance'] : [];
    run('npm', ['publish', join(tarballs, name), '--access', 'public', ...proof], clone);
  }
  run('git', ['pull', '--ff-only', '--quiet', clone, 'HEAD', '--tags'], root);
  say(`Published ${version}. Push it: git push --follow-tags`);
}

function run(/** @type {string} */ command, /** @type {string[]} */ args, /** @type {string} */ cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0)
    throw new Error(`"${command} ${args.join(' ')}" failed: ${error?.message ?? 'see above'}.`);
}

function output(/** @type {string} */ command, /** @type {string[]} */ args, /** @type {string} */ cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8' }).trim();
}

function say(/** @type {string} */ text) {
  process.stdout.write(`${text}\n`);
}

/** @returns {never} */
function stop(/** @type {string} */ message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
