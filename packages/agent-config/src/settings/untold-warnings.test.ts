import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { untoldWarnings } from './untold-warnings.ts';

it('tells a warning once for a project, until it changes or comes back', async () => {
  proves('R-43');
  const place = await makeTestProject();
  expect(await untoldWarnings(['a', 'b'], place)).toEqual(['a', 'b']);
  expect(await untoldWarnings(['b', 'a'], place)).toEqual([]);
  expect(await untoldWarnings(['b', 'c'], place)).toEqual(['c']);
  expect(await untoldWarnings(['a', 'b', 'c'], place)).toEqual(['a']);
  expect(await untoldWarnings(['b'], { ...place, cwd: '/elsewhere' })).toEqual(['b']);
  expect(await untoldWarnings(['a.json:3: x'], place)).toEqual(['a.json:3: x']);
  expect(await untoldWarnings(['a.json:7: x'], place)).toEqual([]);
  const file = join(place.home, '.robota/warnings.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).not.toContain('"b"');
});

it('tells everything where nothing can be remembered, and writes nothing where nothing is kept', async () => {
  const place = await makeTestProject();
  expect(await untoldWarnings(['a'], { ...place, isKept: false })).toEqual(['a']);
  await expect(stat(join(place.home, '.robota'))).rejects.toThrow('ENOENT');
  await mkdir(join(place.home, '.robota/warnings.json'), { recursive: true });
  expect(await untoldWarnings(['a'], place)).toEqual(['a']);
});

it('remembers print mode and the terminal apart, and keeps both', async () => {
  const place = await makeTestProject();
  const printed = { ...place, isPrintMode: true };
  expect(await untoldWarnings(['a'], printed)).toEqual(['a']);
  expect(await untoldWarnings(['a'], place)).toEqual(['a']);
  expect(await untoldWarnings(['a'], printed)).toEqual([]);
  expect(await untoldWarnings(['a'], place)).toEqual([]);
});
