import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, expect, it } from 'vitest';

const longAgo = new Date('2020-01-01');
let root: string;

/** A checkout that is installed, with a build that only notes that it ran. */
beforeEach(async () => {
  root = await temporaryDirectory('robota-setup');
  for (const folder of ['scripts', 'node_modules', 'packages/agent-core/src'])
    await mkdir(join(root, folder), { recursive: true });
  await copyFile(fileURLToPath(new URL('setup.mjs', import.meta.url)), join(root, 'scripts/setup.mjs'));
  await put('scripts/build.mjs', buildScript);
  await put('package-lock.json', '{}');
  await utimes(join(root, 'package-lock.json'), longAgo, longAgo);
  await put('node_modules/.package-lock.json', '{}');
  await put('packages/agent-core/package.json', '{}');
  await put('packages/agent-core/src/index.ts', '');
});

const buildScript = `
import { appendFileSync, mkdirSync } from 'node:fs';
mkdirSync('packages/agent-core/dist', { recursive: true });
appendFileSync('built.txt', 'built\\n');
`;

function put(name: string, text: string): Promise<void> {
  return writeFile(join(root, name), text);
}

function setUp(): ChildProcess {
  return spawn(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

it('builds once, and again only when a source changed', async () => {
  expect(await ended(setUp())).toEqual({ code: 0, text: 'Building …\n' });
  expect(await ended(setUp())).toEqual({ code: 0, text: '' });
  await put('packages/agent-core/src/index.ts', 'export {};');
  expect(await ended(setUp())).toEqual({ code: 0, text: 'Building …\n' });
  await put('scripts/join-chunks.mjs', '');
  expect(await ended(setUp())).toEqual({ code: 0, text: 'Building …\n' });
  expect(await readFile(join(root, 'built.txt'), 'utf8')).toBe('built\nbuilt\nbuilt\n');
});

it.each([
  ['of a process that is gone', '2147483646'],
  ['that was never filled in', ''],
])('takes over a lock %s', async (_, content) => {
  await put('.setup.lock', content);
  await utimes(join(root, '.setup.lock'), longAgo, longAgo);
  expect(await ended(setUp())).toEqual({ code: 0, text: 'Building …\n' });
  await expect(readFile(join(root, '.setup.lock'))).rejects.toThrow(/ENOENT/);
});

it('waits for another set-up that is under way', async () => {
  await put('.setup.lock', String(process.pid));
  const child = setUp();
  const end = ended(child);
  await once(child.stderr ?? child, 'data');
  await rm(join(root, '.setup.lock'));
  expect(await end).toEqual({
    code: 0,
    text: 'Waiting for another set-up of this checkout …\nBuilding …\n',
  });
});
