import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProblems, warning } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { untoldProblems, type WarningOptions } from './untold-warnings.ts';

/** The messages of the problems that are new; `a.json:3: x` stands for a problem in a file. */
async function untold(texts: readonly string[], place: WarningOptions): Promise<string[]> {
  const problems = texts.map((text) => {
    const [, file, line, message = text] = /^(.*):(\d+): (.*)$/.exec(text) ?? [];
    const source = file === undefined ? undefined : { file, line: Number(line) };
    return warning('test', message, { source });
  });
  return describeProblems(await untoldProblems(problems, place));
}

it('tells a warning once for a project, until it changes or comes back', async () => {
  proves('R-43');
  const place = await makeTestProject();
  expect(await untold(['a', 'b'], place)).toEqual(['a', 'b']);
  expect(await untold(['b', 'a'], place)).toEqual([]);
  expect(await untold(['b', 'c'], place)).toEqual(['c']);
  expect(await untold(['a', 'b', 'c'], place)).toEqual(['a']);
  expect(await untold(['b'], { ...place, cwd: '/elsewhere' })).toEqual(['b']);
  expect(await untold(['a.json:3: x'], place)).toEqual(['a.json:3: x']);
  expect(await untold(['a.json:7: x'], place)).toEqual([]);
  const file = join(place.home, '.robota/warnings.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).not.toContain('"b"');
});

it('tells everything where nothing can be remembered, and writes nothing where nothing is kept', async () => {
  const place = await makeTestProject();
  expect(await untold(['a'], { ...place, isKept: false })).toEqual(['a']);
  await expect(stat(join(place.home, '.robota'))).rejects.toThrow('ENOENT');
  await mkdir(join(place.home, '.robota/warnings.json'), { recursive: true });
  expect(await untold(['a'], place)).toEqual(['a']);
});

it('remembers print mode and the terminal apart, and keeps both', async () => {
  const place = await makeTestProject();
  const printed = { ...place, isPrintMode: true };
  expect(await untold(['a'], printed)).toEqual(['a']);
  expect(await untold(['a'], place)).toEqual(['a']);
  expect(await untold(['a'], printed)).toEqual([]);
  expect(await untold(['a'], place)).toEqual([]);
});
