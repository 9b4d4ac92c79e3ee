// Installs one exact version of Robota, without running scripts of packages.
import { execFileSync } from 'node:child_process';

const version = process.env.ROBOTA_VERSION ?? '';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
  fail(`"${version}" is not an exact version, such as 0.1.0.`);
if (major < 20 || (major === 20 && minor < 19))
  fail('Robota needs Node 20.19 or newer. Use actions/setup-node before.');
const packages = ['@robota-sdk/agent-cli', '@robota-sdk/agent-fleet'].map((name) => `${name}@${version}`);
try {
  execFileSync('npm', ['install', '--global', '--ignore-scripts', '--no-fund', '--no-audit', ...packages], {
    stdio: 'inherit',
  });
} catch {
  fail('Robota could not be installed.');
}

function fail(/** @type {string} */ message) {
  process.stdout.write(`::error title=Robota did not run::${message}\n`);
  process.exit(1);
}
