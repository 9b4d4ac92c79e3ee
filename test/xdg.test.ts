import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';

it('keeps everything in the directories of XDG, and nothing in the home directory', async () => {
  const home = await temporaryDirectory();
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const place = (name: string) => join(home, 'xdg', name);
  const env = {
    HOME: home,
    ROBOTA_HOME: '',
    XDG_CONFIG_HOME: place('config'),
    XDG_DATA_HOME: place('data'),
    XDG_STATE_HOME: place('state'),
    XDG_CACHE_HOME: place('cache'),
  };
  const run = (...args: string[]) => runRobota(args, { cwd, env });
  expect((await run('config', 'set', 'language', 'en')).code).toBe(0);
  expect((await run('-p', 'hello', '--model', 'offline')).code).toBe(0);
  expect(existsSync(join(place('config'), 'robota/settings.json'))).toBe(true);
  expect(readdirSync(join(place('data'), 'robota/sessions'))).toHaveLength(1);
  expect((await run('sessions', 'list')).stdout).toContain('hello');
  const { stdout } = await run('config', 'path');
  for (const kind of ['config', 'data', 'state', 'cache'])
    expect(stdout).toContain(`${join(place(kind), 'robota')}  (folder: ${kind})`);
  const removal = await run('uninstall', '--all', '--dry-run');
  expect(removal.stdout).toContain(join(place('config'), 'robota/settings.json'));
  expect(removal.stdout).toContain(join(place('data'), 'robota/sessions'));
  expect((await run('doctor', '--json')).stdout).toContain(join(place('data'), 'robota/sessions'));
  expect(readdirSync(home).sort()).toEqual(['project', 'xdg']);
});

it('names directories of XDG that are not used because ~/.robota exists', async () => {
  const home = await temporaryDirectory();
  const env = { HOME: home, ROBOTA_HOME: '', XDG_CONFIG_HOME: join(home, 'config') };
  const run = (more: Record<string, string>, ...args: string[]) =>
    runRobota(args, { cwd: home, env: { ...env, ...more } });
  await run({}, 'config', 'set', 'language', 'en');
  await run({ XDG_CONFIG_HOME: '' }, 'config', 'set', 'language', 'de');
  const { stdout } = await run({}, 'config', 'path');
  expect(stdout).toContain(
    `unused  ${join(home, 'config/robota')}  (folder: ${join(home, '.robota')} is used instead)`,
  );
});
