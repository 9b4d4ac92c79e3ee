// Installs one exact version of Robota, without running scripts of packages, and the sandbox of its commands.
import { execFileSync, spawnSync } from 'node:child_process';

const version = process.env.ROBOTA_VERSION ?? '';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
  fail(`"${version}" is not an exact version, such as 0.1.0.`);
if (major < 20 || (major === 20 && minor < 19))
  fail('Robota needs Node 20.19 or newer. Use actions/setup-node before.');
prepareSandbox();
const packages = ['@robota-sdk/agent-cli', '@robota-sdk/agent-fleet'].map((name) => `${name}@${version}`);
try {
  execFileSync('npm', ['install', '--global', '--ignore-scripts', '--no-fund', '--no-audit', ...packages], {
    stdio: 'inherit',
  });
} catch {
  fail('Robota could not be installed.');
}

/**
 * GitHub's Ubuntu comes without bubblewrap, and its AppArmor lets no program of a user create namespaces. Machines of others are
 * left alone; the task says what they lack.
 */
function prepareSandbox() {
  if (process.env.RUNNER_ENVIRONMENT !== 'github-hosted' || process.platform !== 'linux' || sandboxWorks())
    return;
  sudo(['apt-get', 'update', '-qq']);
  sudo(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'bubblewrap']);
  if (sandboxWorks()) return;
  const profile = '/etc/apparmor.d/bwrap';
  sudo(
    ['tee', profile],
    `abi <abi/4.0>,
include <tunables/global>
profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,
}
`,
  );
  sudo(['apparmor_parser', '-r', profile]);
}

function sandboxWorks() {
  return spawnSync('bwrap', ['--ro-bind', '/', '/', '--proc', '/proc', '--unshare-all', 'true']).status === 0;
}

/** Ignores failures: the task reports a missing sandbox, if it needs one. */
function sudo(/** @type {string[]} */ words, input = '') {
  spawnSync('sudo', ['-n', ...words], { input, stdio: ['pipe', 'ignore', 'inherit'] });
}

function fail(/** @type {string} */ message) {
  process.stdout.write(`::error title=Robota did not run::${message}\n`);
  process.exit(1);
}
