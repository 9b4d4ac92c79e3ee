import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';
import { hostFiles } from './host-files.ts';

let place: RealWorkspace;

beforeEach(() => {
  place = new RealWorkspace();
});

afterEach(() => place.remove());

const withPath = (...entries: string[]) => ({
  files: { ...hostFiles, searchPath: [...entries, '/usr/bin', '/bin'].join(':') },
});

describe('read-only commands by name', () => {
  it('ask where the search path leads to a program of the workspace', async () => {
    proves('E-39');
    place.write('node_modules/.bin/ls', '#!/bin/sh\n', 0o755);
    place.write('sub/wc', '#!/bin/sh\n', 0o755);
    const bin = join(place.cwd, 'node_modules/.bin');
    expect(await place.judge('ls', {}, withPath())).toMatchObject({ verdict: 'allow' });
    expect(await place.judge('ls', {}, withPath(bin))).toMatchObject({ verdict: 'ask' });
    expect(await place.judge('timeout 5 ls', {}, withPath('node_modules/.bin'))).toMatchObject({
      verdict: 'ask',
    });
    expect(await place.judge('cat a', {}, withPath(bin))).toMatchObject({ verdict: 'allow' });
    expect(await place.judge('echo x', {}, withPath(bin))).toMatchObject({ verdict: 'allow' });
    expect(await place.judge('wc a', {}, withPath(''))).toMatchObject({ verdict: 'allow' });
    expect(await place.judge('cd sub && wc a', {}, withPath(''))).toMatchObject({ verdict: 'ask' });
    expect(await place.judge('ls', {}, withPath('/usr/bin', '/bin', bin))).toMatchObject({
      verdict: 'allow',
    });
  });

  it('ask where a file of the workspace steers a version manager', async () => {
    proves('E-39');
    const shims = join(place.home, '.asdf/shims');
    mkdirSync(shims, { recursive: true });
    place.write('../home/.asdf/shims/node', '#!/bin/sh\n', 0o755);
    expect(await place.judge('node --version', {}, withPath(shims))).toMatchObject({ verdict: 'allow' });
    place.write('.tool-versions', 'nodejs path:./evil\n');
    expect(await place.judge('node --version', {}, withPath(shims))).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('.tool-versions') as string,
    });
    expect(await place.judge('ls', {}, withPath(shims))).toMatchObject({ verdict: 'allow' });
  });

  it('ask if settings of the project choose the server that npm asks for updates', async () => {
    proves('E-39');
    place.write('sub/package.json', '{}');
    expect(await place.judge('npm ls')).toMatchObject({ verdict: 'allow' });
    place.write('../home/.npmrc', 'fund=false\n');
    expect(await place.judge('npm ls')).toMatchObject({ verdict: 'allow' });
    place.write('.npmrc', 'registry=http://127.0.0.1:9/\n');
    for (const command of ['npm ls', 'timeout 5 npm ls --json', 'cd sub && npm ls'])
      expect(await place.judge(command)).toMatchObject({
        verdict: 'ask',
        reason: expect.stringContaining('.npmrc') as string,
      });
    expect(await place.judge('npm --version')).toMatchObject({ verdict: 'allow' });
  });
});
