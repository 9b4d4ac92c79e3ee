import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { userPaths } from '@robota-sdk/agent-config';
import { acquireLock } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { installedByNpm } from './fixtures/small-program.ts';
import { programPackage } from './installation.ts';
import { type UninstallServices, uninstallProgram } from './uninstall-program.ts';

let home: string;
let prefix: string;
let command: string;
let asked: string[];

beforeEach(async () => {
  home = await temporaryDirectory('robota-home');
  prefix = await temporaryDirectory('robota-prefix');
  command = await installedByNpm(prefix, '0.1.0');
  asked = [];
  file('.robota/settings.json', '{}');
  file('.robota/auth.json', '{"anthropic":"key"}');
  file('.robota/sessions/p/s/session.jsonl', 'x'.repeat(12_345));
  file('.robota/cache/code-0.1.0/x', 'x');
  file('.robota/temporary/x', 'x');
  file('.config/fish/completions/robota.fish', '# fish completion for robota. Use it with: …');
  file('.bashrc', 'source <(robota completion bash)');
});

function file(name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

function uninstall(more: Partial<UninstallServices> = {}) {
  return uninstallProgram({
    program: { version: '0.1.0', file: command, isExecutable: false, command: [] },
    host: { env: {}, home },
    all: false,
    dryRun: false,
    confirm: async (text) => {
      asked.push(text);
      return true;
    },
    ...more,
  });
}

const inHome = (name: string) => existsSync(join(home, name));

describe('uninstalling', () => {
  it('lists everything with sizes, and removes nothing without a yes', async () => {
    const listed = await uninstall({ dryRun: true });
    expect(listed.text).toMatch(
      /^To be removed:\n {2}program +\S+ k?B {2}.*bin\/robota\n {25}.*agent-cli\n {2}completions/,
    );
    expect(listed.text).toMatch(
      /Kept \(--all removes it, too\):\n {2}settings +2 B .*\n {2}keys +19 B .*\n {2}sessions +12 kB/,
    );
    expect(listed.text).toContain(
      `Remove the line with "robota completion" from ${join(home, '.bashrc')} yourself.`,
    );
    const refused = await uninstall({ confirm: async () => false });
    expect(refused).toMatchObject({ text: 'Nothing was removed.', removed: [] });
    expect(existsSync(command)).toBe(true);
    expect(inHome('.config/fish/completions/robota.fish')).toBe(true);
  });

  it('removes the program, completions and caches, and keeps settings, keys and sessions', async () => {
    const { text, isOk } = await uninstall();
    expect(isOk).toBe(true);
    expect(asked).toHaveLength(1);
    expect(text).toContain(
      `Robota is removed.\nSettings, keys and sessions are kept in ${join(home, '.robota')}.`,
    );
    expect(readdirSync(join(prefix, 'bin'))).toEqual([]);
    expect(readdirSync(join(prefix, 'lib/node_modules'))).toEqual([]);
    expect(inHome('.config/fish/completions/robota.fish')).toBe(false);
    expect(readdirSync(join(home, '.robota')).sort()).toEqual(['auth.json', 'sessions', 'settings.json']);
  });

  it('removes nothing if another user installed the program', async () => {
    if (process.getuid?.() === 0) return;
    chmodSync(join(prefix, 'bin'), 0o555);
    await expect(uninstall()).rejects.toThrow(
      `${join(prefix, 'bin/robota')} cannot be removed by this user.`,
    );
    chmodSync(join(prefix, 'bin'), 0o755);
    expect(asked).toEqual([]);
    expect(inHome('.robota/cache')).toBe(true);
  });

  it('removes everything of ours with all, and nothing that is not ours', async () => {
    const outside = await temporaryDirectory('robota-outside');
    writeFileSync(join(outside, 'precious'), '');
    symlinkSync(outside, join(home, '.robota/skills'));
    symlinkSync(outside, join(home, '.robota/sessions/linked'));
    file('.robota/diary.txt', 'mine');
    file('.local/share/bash-completion/completions/robota', 'a script of another program');
    const { text } = await uninstall({ all: true });
    expect(readdirSync(outside)).toEqual(['precious']);
    expect(readdirSync(join(home, '.robota'))).toEqual(['diary.txt']);
    expect(inHome('.local/share/bash-completion/completions/robota')).toBe(true);
    expect(text).toContain(`Not written by Robota, and kept: ${join(home, '.robota/diary.txt')}.`);
    expect(text).toContain('skills is a link: only the link can be removed, never its target.');
  });

  it('knows every file of ours in the home of the user', async () => {
    const { root, data, ...paths } = userPaths({ env: {}, home });
    for (const path of Object.values(paths)) if (!existsSync(path)) file(relative(home, path), 'x');
    expect((await uninstall({ all: true, dryRun: true })).text).not.toContain('Not written by Robota');
    await uninstall({ all: true });
    expect([root, data].map((path) => existsSync(path) && readdirSync(path))).toEqual([false, false]);
  });

  it('removes worktrees of ours with all, but none with work that is nowhere else', async () => {
    const repository = await temporaryDirectory('robota-repository');
    const git = (cwd: string, ...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...words], { cwd, stdio: 'pipe' });
    git(repository, 'init', '-q');
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
    const worktree = (name: string) => {
      const path = join(home, '.robota/worktrees/p', name);
      git(repository, 'worktree', 'add', '-q', '-b', `robota/${name}`, path);
      return path;
    };
    const [clean, changed, committed] = ['clean', 'changed', 'committed'].map(worktree) as [
      string,
      string,
      string,
    ];
    writeFileSync(join(changed, 'new.txt'), 'work');
    git(committed, 'commit', '-q', '--allow-empty', '-m', 'second');
    file('.robota/worktrees/p/odd/notes.txt', 'not a worktree');
    expect((await uninstall({ dryRun: true })).text).toContain(join(home, '.robota/worktrees'));
    const { text } = await uninstall({ all: true });
    expect([clean, changed, committed].map((path) => existsSync(path))).toEqual([false, true, true]);
    expect(inHome('.robota/worktrees/p/odd/notes.txt')).toBe(true);
    expect(text).toContain(`Kept, since there may be work in it: ${changed}, ${committed}, `);
  });

  it('never follows a folder of ours that is a link, and never takes the home for ours', async () => {
    const elsewhere = await temporaryDirectory('robota-elsewhere');
    mkdirSync(join(elsewhere, 'sessions'));
    symlinkSync(elsewhere, join(home, 'linked'));
    const linked = await uninstall({ all: true, host: { env: { ROBOTA_HOME: join(home, 'linked') }, home } });
    expect(linked.text).toContain('is a link; its target is kept.');
    expect(readdirSync(elsewhere)).toEqual(['sessions']);
    file('sessions/mine', '');
    const whole = await uninstall({ all: true, host: { env: { ROBOTA_HOME: home }, home } });
    expect(whole.text).toContain('is not a folder of Robota alone');
    expect(inHome('sessions/mine')).toBe(true);
  });

  it('names every file before it removes any, in the folders of XDG', async () => {
    const state = join(home, 'state');
    const names = ['approvals.jsonl', 'history', 'spending', 'trust.json', 'warnings.json'];
    for (const name of names) file(`state/robota/${name}`, 'x');
    rmSync(join(home, '.robota'), { recursive: true });
    const host = { env: { XDG_STATE_HOME: state }, home };
    const { text, isOk } = await uninstall({ all: true, host });
    expect(isOk).toBe(true);
    for (const name of names) expect(asked[0]).toContain(` ${join(state, 'robota', name)}\n`);
    expect(text).toContain('Robota is removed.');
    expect(readdirSync(state)).toEqual([]);
  });

  it('refuses while a session is in use', async () => {
    const release = acquireLock(join(home, '.robota/sessions/p/s/session.jsonl'));
    await expect(uninstall()).rejects.toThrow('A session is in use by this process');
    release();
    expect(existsSync(command)).toBe(true);
    expect((await uninstall({ all: true })).isOk).toBe(true);
    expect(inHome('.robota')).toBe(false);
  });

  it('removes the single executable, and says what to type for others', async () => {
    const own = join(prefix, 'own');
    mkdirSync(own);
    for (const name of ['robota', 'other']) writeFileSync(join(own, name), '');
    await uninstall({
      program: { version: '0.1.0', file: join(own, 'robota'), isExecutable: true, command: [] },
    });
    expect(readdirSync(own)).toEqual(['other']);
    const root = join(prefix, 'pnpm/global/5/node_modules', programPackage);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'bin.js'), '');
    const { text } = await uninstall({
      program: { version: '0.1.0', file: join(root, 'bin.js'), isExecutable: false, command: [] },
    });
    expect(text).toContain(`Remove the program with: pnpm remove -g ${programPackage}`);
    expect(existsSync(root)).toBe(true);
    asked = [];
    const again = await uninstall({
      program: { version: '0.1.0', file: join(root, 'bin.js'), isExecutable: false, command: [] },
    });
    expect(again.text).toMatch(/^Nothing to remove\./);
    expect(asked).toEqual([]);
  });
});
