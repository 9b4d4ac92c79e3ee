import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  robotaVersion as current,
  type PackageRegistry,
  robotaBin,
  sharedCode,
  startPackageRegistry,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeEntry, tarOf } from '../packages/agent-resources/src/plugins/fixtures/make-archive.ts';
import { commandBlocks } from './docs-blocks.ts';

const name = '@robota-sdk/agent-cli';
/** A version that comes after this one. */
const next = current.replace(/\d+$/, (patch) => `${Number(patch) + 1}`);
const dist = dirname(robotaBin);
let registry: PackageRegistry;
let prefix: string;
let home: string;
/** Command lines that were run. */
const ran = new Set<string>();

beforeAll(async () => {
  registry = await startPackageRegistry();
  prefix = await temporaryDirectory('robota-prefix');
  home = await temporaryDirectory('robota-home');
  const root = join(prefix, 'lib/node_modules', name);
  mkdirSync(root, { recursive: true });
  for (const file of programFiles()) cpSync(join(dist, file), join(root, 'dist', file));
  writeFileSync(join(root, 'package.json'), manifest(current));
  mkdirSync(join(prefix, 'bin'));
  symlinkSync(`../lib/node_modules/${name}/dist/bin.js`, join(prefix, 'bin/robota'));
  mkdirSync(join(prefix, 'share/man/man1'), { recursive: true });
  symlinkSync(
    `../../../lib/node_modules/${name}/dist/robota.1.gz`,
    join(prefix, 'share/man/man1/robota.1.gz'),
  );
  for (const version of [current, next]) publish(version);
});

afterAll(() => registry.close());

/** The files that the build made last; others may still lie there. */
function programFiles(): readonly string[] {
  const chunks = readdirSync(join(dist, 'chunks')).map((file) => `chunks/${file}`);
  return ['bin.js', 'robota.1.gz', 'package.json', ...chunks];
}

const entries = { type: 'module', bin: { robota: 'dist/bin.js' }, man: 'dist/robota.1.gz' };

function manifest(version: string): string {
  return JSON.stringify({ name, version, ...entries });
}

function publish(version: string): void {
  registry.publish({ name, version, tarball: archive(version), manifest: entries });
}

/** The program as it is built, with another version in it. */
function archive(version: string): Buffer {
  const files = programFiles().map(
    (file): MadeEntry => ({
      name: `package/dist/${file}`,
      text: readFileSync(join(dist, file), 'utf8')
        .replaceAll(`"${current}"`, `"${version}"`)
        .replaceAll(`"robota ${current}"`, `"robota ${version}"`),
    }),
  );
  return tarOf([{ name: 'package/package.json', text: manifest(version) }, ...files]);
}

function environment(): Record<string, string> {
  const { PATH = '' } = process.env;
  const npm = {
    npm_config_registry: registry.url,
    npm_config_cache: join(home, 'npm'),
    npm_config_audit: 'false',
  };
  return { PATH, HOME: home, ...npm, ...sharedCode() };
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the installed command; `killAt` is what npm asks the registry for when both are killed. */
function robota(words: readonly string[], killAt?: string): Promise<Ran> {
  ran.add(['robota', ...words].join(' '));
  const child = spawn(join(prefix, 'bin/robota'), words, {
    cwd: home,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (killAt !== undefined)
    registry.answer(killAt, () => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('the installed program', () => {
  it('lets npm update it, and returns to the former version', async () => {
    const about = JSON.parse((await robota(['version', '--json'])).stdout);
    expect(about).toMatchObject({
      version: current,
      node: process.versions.node,
      platform: process.platform,
      installation: {
        kind: 'npm',
        path: join(prefix, 'lib/node_modules', name),
        updateWith: 'robota update',
      },
    });
    expect(await robota(['update', '--check'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Robota ${next} is available; this is ${current}.`),
    });
    expect(await robota(['update'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`No terminal to confirm this. Add --yes to run: npm install -g`),
    });
    const { code, stdout } = await robota(['update', '--yes']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Updated from ${current} to ${next}. Return with: robota update --to ${current}\n`,
    });
    expect((await robota(['version'])).stdout).toBe(`${next}\n`);
    const checked = JSON.parse((await robota(['update', '--check', '--json'])).stdout);
    expect(checked).toMatchObject({ ok: true, current: next, latest: next });
    const back = await robota(['update', '--to', current, '--yes', '--json']);
    expect(JSON.parse(back.stdout)).toMatchObject({ ok: true, current, former: next, changed: true });
    expect(await robota(['-p', '--model', 'offline', 'help'])).toMatchObject({ code: 0 });
    expect((await robota(['--version'])).stdout).toBe(`${current}\n`);
  });

  it('works after an update that was killed, and does not update under a session', async () => {
    const later = next.replace(/\d+$/, (patch) => `${Number(patch) + 1}`);
    publish(later);
    expect((await robota(['update', '--yes'], `${later}.tgz`)).code).toBeNull();
    expect((await robota(['--version'])).stdout).toBe(`${current}\n`);

    const stream = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const session = spawn(join(prefix, 'bin/robota'), ['-p', ...stream, '--model', 'offline'], {
      cwd: home,
      env: environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => session.once('close', resolve));
    const message = { role: 'user', content: 'help' };
    session.stdin.write(`${JSON.stringify({ type: 'user', message })}\n`);
    await new Promise((resolve) => session.stdout.once('data', resolve));
    const { code, stderr } = await robota(['update', '--to', next]);
    expect(code).toBe(1);
    expect(stderr).toContain(`A session is in use by process ${session.pid}`);
    session.stdin.end();
    expect(await ended).toBe(0);
  });

  it('removes itself, and keeps settings and sessions', async () => {
    await robota(['-p', '--model', 'offline', 'help']);
    const listed = await robota(['uninstall', '--dry-run']);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('To be removed:') });
    const unasked = await robota(['uninstall']);
    expect(unasked.code).not.toBe(0);
    expect(readdirSync(join(prefix, 'bin'))).toEqual(['robota']);
    const { code, stdout } = await robota(['uninstall', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^To be removed:\n {2}program +[\d.]+ MB/);
    expect(stdout).toContain('Robota is removed.');
    expect(readdirSync(join(prefix, 'bin'))).toEqual([]);
    expect(readdirSync(join(prefix, 'lib/node_modules'))).toEqual([]);
    expect(readdirSync(join(prefix, 'share/man/man1'))).toEqual([]);
    expect(readdirSync(join(home, '.robota'))).toContain('sessions');
    expect(readdirSync(join(home, '.robota'))).not.toContain('cache');
  });

  it('was called in every way that the documentation tells', () => {
    const lines = commandBlocks('update').flatMap(({ code }) => code.trim().split('\n'));
    const told = lines.map((line) => line.replace(/ +#.*/, ''));
    expect(told.length).toBeGreaterThan(4);
    expect(told.filter((line) => !ran.has(line))).toEqual([]);
  });
});
