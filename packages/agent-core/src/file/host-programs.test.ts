import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram, helperEnvironment, trustedSearchPath } from './host-programs.ts';

let root = '';
let cwd = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'programs-')));
  cwd = join(root, 'project');
  for (const directory of ['project/bin', 'project/node_modules/.bin', 'own', 'other/node_modules/.bin']) {
    mkdirSync(join(root, directory), { recursive: true });
    writeFileSync(join(root, directory, 'tool'), `#!/bin/sh\necho ${directory} $KEY $PATH\n`, {
      mode: 0o755,
    });
  }
  symlinkSync(join(cwd, 'bin'), join(root, 'linked'));
  writeFileSync(join(root, 'own', 'plain'), 'x');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('programs that we start ourselves', () => {
  const entries = () => [
    '',
    '.',
    'bin',
    join(cwd, 'bin'),
    join(cwd, 'node_modules/.bin'),
    join(root, 'linked'),
    join(root, 'other/node_modules/.bin'),
    join(root, 'own'),
  ];

  it('never come from the project, however its programs got onto the search path', () => {
    proves('E-39');
    const env = { PATH: entries().join(delimiter) };
    expect(trustedSearchPath({ env, cwd })).toEqual([join(root, 'own')]);
    expect(findProgram('tool', { env, cwd })).toBe(join(root, 'own/tool'));
    expect(
      findProgram('tool', { env: { PATH: entries().slice(0, -1).join(delimiter) }, cwd }),
    ).toBeUndefined();
    expect(findProgram('plain', { env, cwd })).toBeUndefined();
    expect(findProgram('tool', { env, cwd, before: [join(root, 'linked')] })).toBe(join(root, 'linked/tool'));
  });

  it('get neither keys nor the programs of the project', () => {
    proves('E-39');
    const env = {
      PATH: entries().join(delimiter),
      KEY: 'secret',
      ANTHROPIC_API_KEY: 'secret',
      HOME: root,
      LC_ALL: 'C',
    };
    const given = helperEnvironment({ env, cwd });
    expect(given).toEqual({ PATH: join(root, 'own'), HOME: root, LC_ALL: 'C' });
    const printed = execFileSync(join(root, 'own/tool'), { env: given, encoding: 'utf8' });
    expect(printed.trim()).toBe(`own ${join(root, 'own')}`);
  });
});
