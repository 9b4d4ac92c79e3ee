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
  symlinkSync(`../../../lib/node_modules/${name}/dist/robota.1`, join(prefix, 'share/man/man1/robota.1'));
  registry.publish({ name, version: next, tarball: archive(next) });
});

afterAll(() => registry.close());

/** The files that the build made last; others may still lie there. */
function programFiles(): readonly string[] {
  const chunks = readdirSync(join(dist, 'chunks')).map((file) => `chunks/${file}`);
  return ['bin.js', 'robota.1', 'package.json', ...chunks];
}

function manifest(version: string): string {
  return JSON.stringify({ name, version, type: 'module', bin: { robota: 'dist/bin.js' } });
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

/** The page that `man robota` shows. */
function manual(): string {
  return readFileSync(join(prefix, 'share/man/man1/robota.1'), 'utf8');
}

function environment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: home, npm_config_registry: registry.url, ...sharedCode() };
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the installed command; `killAt` ends it, without a chance to clean up, once it said so. */
function robota(words: readonly string[], killAt?: string): Promise<Ran> {
  ran.add(['robota', ...words].join(' '));
  const child = spawn(join(prefix, 'bin/robota'), words, {
    cwd: home,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (killAt !== undefined && stderr.includes(killAt)) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

describe('the installed program', () => {
  it('updates itself, survives being killed at every step, and returns to the former version', async () => {
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
    for (const step of ['Downloading', 'Unpacking', 'Checking', 'Switching']) {
      expect((await robota(['update'], step)).stderr).toContain(step);
      expect([`${current}\n`, `${next}\n`]).toContain((await robota(['--version'])).stdout);
    }
    expect(await robota(['update'])).toMatchObject({ code: 0, stdout: expect.stringContaining(next) });
    expect((await robota(['version'])).stdout).toBe(`${next}\n`);
    expect(manual()).toContain(`"robota ${next}"`);
    const checked = JSON.parse((await robota(['update', '--check', '--json'])).stdout);
    expect(checked).toMatchObject({ ok: true, current: next, latest: next, former: current });
    expect(await robota(['update', '--back'])).toMatchObject({ code: 0 });
    const turn = await robota(['-p', '--model', 'offline', 'help']);
    expect(turn).toMatchObject({ code: 0 });
    expect((await robota(['--version'])).stdout).toBe(`${current}\n`);
    expect(manual()).toContain(`"robota ${current}"`);
  });

  it('does not switch while another one runs, and asks the registry for nothing unless told', async () => {
    const before = registry.requests.length;
    const words = [
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--model',
      'offline',
    ];
    const session = spawn(join(prefix, 'bin/robota'), words, {
      cwd: home,
      env: environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => session.once('close', resolve));
    const { code, stderr } = await robota(['update', '--to', next]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Robota is running: process ${session.pid}`);
    expect(registry.requests).toHaveLength(before);
    // It only looks, so it may; the session then still finds all files of its version.
    expect((await robota(['update', '--check'])).stdout).toContain(
      `${next} is available; this is ${current}`,
    );
    let answered = '';
    session.stdout.setEncoding('utf8').on('data', (text: string) => {
      answered += text;
    });
    const message = { role: 'user', content: 'what is this project' };
    session.stdin.end(`${JSON.stringify({ type: 'user', message })}\n`);
    expect(await ended).toBe(0);
    expect(answered).toContain('"subtype":"success"');
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
