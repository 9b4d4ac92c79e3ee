// Makes the recordings and pictures in docs/media: of the tour in a real terminal, and of robota web in a real browser. Recordings
// whose screens are the same stay as they are.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
run([join(root, 'scripts/build.mjs')]);
run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/tour.test.ts', 'test/web-pictures.test.ts']);

function run(/** @type {readonly string[]} */ words) {
  const env = { ...process.env, ROBOTA_RECORD: '1' };
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
