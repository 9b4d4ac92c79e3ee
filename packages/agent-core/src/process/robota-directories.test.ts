import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { robotaDirectories } from './robota-directories.ts';

function emptyHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'robota-directories-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

it('uses one folder unless a variable of XDG is set and that folder does not exist', () => {
  const home = emptyHome();
  const own = join(home, '.robota');
  const single = { layout: 'single', config: own, data: own, state: own, cache: join(own, 'cache') };
  expect(robotaDirectories({ env: {}, home })).toEqual(single);
  expect(robotaDirectories({ env: { XDG_CONFIG_HOME: 'relative', XDG_DATA_HOME: '' }, home })).toEqual(
    single,
  );
  const env = { XDG_STATE_HOME: join(home, 'state') };
  const xdg = {
    layout: 'xdg',
    config: join(home, '.config/robota'),
    data: join(home, '.local/share/robota'),
    state: join(home, 'state/robota'),
    cache: join(home, '.cache/robota'),
  };
  expect(robotaDirectories({ env, home })).toEqual(xdg);
  // A folder that appears later does not split the files of one process.
  mkdirSync(own);
  expect(robotaDirectories({ env, home })).toEqual(xdg);
  expect(robotaDirectories({ env: { XDG_CACHE_HOME: join(home, 'cache') }, home })).toEqual(single);
});

it('prefers ROBOTA_HOME, which must be absolute', () => {
  const home = emptyHome();
  const env = { XDG_DATA_HOME: '/data', ROBOTA_HOME: '/elsewhere' };
  expect(robotaDirectories({ env, home })).toMatchObject({ layout: 'single', data: '/elsewhere' });
  expect(() => robotaDirectories({ env: { ROBOTA_HOME: 'here' }, home })).toThrow('must be an absolute path');
});
