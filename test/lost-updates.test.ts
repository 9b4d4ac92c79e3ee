import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

it('servers that are switched off and on at the same time all stay so', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) await stage.robota(['mcp', 'add', '--scope', 'user', name, '--', 'true']);
  const file = join(stage.home, '.robota/mcp.json');
  const lists = async () => {
    const text = await readFile(file, 'utf8');
    return (JSON.parse(text) as { disabledServers?: string[] }).disabledServers ?? [];
  };
  const all = (action: string, options: string[] = []) =>
    Promise.all(names.map((name) => stage.robota(['mcp', action, name, ...options])));
  for (const { stdout } of await all('disable', ['--scope', 'user'])) expect(stdout).toContain('Disabled');
  expect((await lists()).sort()).toEqual(names);
  for (const { stdout } of await all('enable')) expect(stdout).toContain('Enabled');
  expect(await lists()).toEqual([]);
});
