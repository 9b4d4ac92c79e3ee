import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HostEnvironment, loadConfig, type Problem } from '@robota-sdk/agent-sdk/front-end';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkSettings, checkTrust } from './check-settings.ts';

let place: { readonly cwd: string; readonly host: HostEnvironment };
let file: string;
beforeEach(async () => {
  const home = await temporaryDirectory();
  place = { cwd: await temporaryDirectory(), host: { home, env: {} } };
  await mkdir(join(home, '.robota'));
  file = join(home, '.robota/settings.json');
});

const check = async () => checkSettings(place, await loadConfig(place.cwd, { host: place.host }));

describe('the settings', () => {
  it('are fine without any file', async () => {
    expect(await check()).toEqual([{ status: 'ok', what: 'no settings files; using the defaults' }]);
    const config = await loadConfig(place.cwd, { host: place.host });
    expect(checkTrust(config)).toEqual([
      { status: 'ok', what: 'nothing in this project needs your approval' },
    ]);
  });

  it('name each slip once, with its line, although two checks find it', async () => {
    await writeFile(file, '{\n  "maxTurn": 3,\n  "modell": "x"\n}');
    const found = (await check()).filter(({ status }) => status === 'warning').map(({ what }) => what);
    expect(found.filter((what) => what.includes('maxTurn"'))).toHaveLength(1);
    expect(found.filter((what) => what.includes('modell'))).toHaveLength(1);
    expect(found.every((what) => what.includes('settings.json:'))).toBe(true);
  });

  it('name a misspelled guard of a project once, although the checks word it differently', async () => {
    await mkdir(join(place.cwd, '.robota'));
    await writeFile(join(place.cwd, '.robota/settings.json'), '{ "permisions": {} }');
    const found = (await check()).filter(({ what }) => what.includes('permisions'));
    expect(found.map(({ status }) => status)).toEqual(['broken']);
  });

  it('are broken where a file is not JSON, and nothing is said to be read', async () => {
    await writeFile(file, '{ "maxTurns": ');
    const message = 'The settings cannot be loaded.';
    const problem: Problem = { code: 'config.unreadable', severity: 'error', message };
    const found = await checkSettings(place, problem);
    expect(found.map(({ status }) => status)).not.toContain('ok');
    expect(found[0]).toMatchObject({ status: 'broken', advice: expect.stringContaining('config edit') });
    expect(found.at(-1)?.what).toContain(message);
  });

  it('tell what of the project waits for trust', async () => {
    await mkdir(join(place.cwd, '.robota'));
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'date' }] }] };
    await writeFile(join(place.cwd, '.robota/settings.json'), JSON.stringify({ hooks }));
    const config = await loadConfig(place.cwd, { host: place.host });
    expect(checkTrust(config)).toMatchObject([
      { status: 'note', what: expect.stringMatching(/^not trusted yet: /) },
    ]);
  });
});
