import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyFiles } from '@robota-sdk/agent-shell';
import { parseGitConfig } from '@robota-sdk/agent-shell';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decidePath } from './decide-path.ts';
import { RealWorkspace } from './fixtures/real-workspace.ts';
import { hostFiles } from './host-files.ts';

let place: RealWorkspace;

beforeEach(() => {
  place = new RealWorkspace();
});

afterEach(() => place.remove());

const readings = [
  'git status',
  'git status --short',
  'git diff',
  'git diff HEAD~1',
  'git log',
  'git log -p',
  'git log --stat -3',
  'git show',
  'git blame a.txt',
  'git stash list',
  'git describe --always --dirty',
  'git branch -a',
  'git submodule status',
  'git ls-files',
  'git --no-pager status',
  'timeout 5 git status',
  'command git status',
  'nice git diff',
  'nohup git status',
];

function pointInCircle(): void {
  place.write('sub/.git', 'gitdir: ../.git\n');
  place.write('.git', 'gitdir: sub/.git\n');
}

/** A clone with two commits and a changed file. */
function makeRepository(): void {
  place.git('init', '-q', '.');
  place.write('.gitattributes', '*.txt diff=x filter=x\n');
  place.write('a.txt', 'one\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'one');
  place.write('a.txt', 'two\n');
  place.git('commit', '-qam', 'two');
  place.write('a.txt', 'three\n');
}

function addToConfig(text: string, file = '.git/config'): void {
  const full = join(place.cwd, file);
  writeFileSync(full, `${readFileSync(full, 'utf8')}\n${text}\n`);
}

/** Files of a repository that any clone can carry. */
function makeBare(directory: string): void {
  for (const name of ['objects/info', 'refs/heads'])
    mkdirSync(join(place.cwd, directory, name), { recursive: true });
  place.write(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
  place.write(
    join(directory, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "${place.bird}"\n`,
  );
}

const hostile: Readonly<Record<string, () => void>> = {
  'core.fsmonitor': () => addToConfig(`[core]\n\tfsmonitor = ${place.bird}`),
  'core.fsmonitor on the line of its section': () => addToConfig(`[CORE]FSMonitor="${place.bird}"`),
  'core.fsmonitor behind a section without settings': () =>
    addToConfig(`[user][core] fsmonitor=${place.bird}`),
  'core.fsmonitor behind a continued line': () =>
    addToConfig(`[core]\n\tnotesRef = x\\\n[user]\n\tfsmonitor = ${place.bird}`),
  'core.fsmonitor in an included file': () => {
    place.write('settings', `[core]\nfsmonitor = ${place.bird}\n`);
    addToConfig('[include]\n\tpath = ../settings');
  },
  'core.fsmonitor in a conditional include': () => {
    place.write('settings', `[core]\nfsmonitor = ${place.bird}\n`);
    addToConfig('[includeIf "gitdir:/"]\n\tpath = ../settings');
  },
  'core.fsmonitor of a worktree': () => {
    addToConfig('[extensions]\n\tworktreeConfig = true');
    place.write('.git/config.worktree', `[core]\n\tfsmonitor = ${place.bird}\n`);
  },
  'diff.external': () => addToConfig(`[diff]\n\texternal = ${place.bird}`),
  'diff.x.command': () => addToConfig(`[diff "x"]\n\tcommand = ${place.bird}`),
  'diff.x.textconv': () => addToConfig(`[diff "x"]\n\ttextconv = ${place.bird}`),
  'filter.x.clean': () => addToConfig(`[filter "x"]\n\tclean = ${place.bird}`),
  'filter.x.process': () => addToConfig(`[filter "x"]\n\tprocess = ${place.bird}`),
  'log.showsignature': () => addToConfig(`[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${place.bird}`),
  'a promisor': () =>
    addToConfig(
      `[remote "o"]\n\turl = "ext::${place.bird}"\n\tpromisor = true\n[extensions]\n\tpartialClone = o\n[protocol "ext"]\n\tallow = always`,
    ),
  'a hook': () => place.write('.git/hooks/post-index-change', `#!/bin/sh\nexec ${place.bird}\n`, 0o755),
  'a hook in another directory': () => {
    place.write('hooks/post-index-change', `#!/bin/sh\nexec ${place.bird}\n`, 0o755);
    addToConfig('[core]\n\thooksPath = hooks');
  },
  'a link to another repository in the index': () => {
    makeInner('inner');
    place.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`);
  },
  'a link in a compressed index': () => {
    makeInner('inner');
    place.git('update-index', '--index-version', '4');
    place.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`);
  },
  'a link in a shared index': () => {
    makeInner('inner');
    place.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`);
    place.git('update-index', '--split-index');
  },
  'an include whose tab git reads as a blank': () => includes('evil config', '\tpath = evil\tconfig'),
  'an include that ends with a blank git keeps': () => includes('evil\u00a0', '\tpath = evil\u00a0'),
  'an include whose name is no text': () => {
    place.run(`printf '[core]\\nfsmonitor = %s\\n' '${place.bird}' > .git/evil$'\\xff'`);
    place.run("printf '[include]\\n\\tpath = evil\\xff\\n' >> .git/config");
  },
  'an include behind a link': () => {
    mkdirSync(join(place.cwd, 'far/away'), { recursive: true });
    symlinkSync('../far/away', join(place.cwd, '.git/link'));
    place.write('far/evil', `[core]\nfsmonitor = ${place.bird}\n`);
    addToConfig('[include]\n\tpath = link/../evil');
  },
  'a file that names another repository behind a link': () => {
    mkdirSync(join(place.cwd, 'far/away'), { recursive: true });
    addToConfig(`[core]\n\tfsmonitor = ${place.bird}`);
    renameSync(join(place.cwd, '.git'), join(place.cwd, 'far/real'));
    symlinkSync('far/away', join(place.cwd, 'link'));
    place.write('.git', 'gitdir: link/../real\n');
  },
  'a file that names another repository by no text': () => {
    addToConfig(`[core]\n\tfsmonitor = ${place.bird}`);
    place.run("mv .git evil$'\\xff' && printf 'gitdir: evil\\xff\\n' > .git");
  },
  'a link in the index whose name is no text': () => {
    makeInner('inner');
    place.run(
      `mv inner in$'\\xff' && git update-index --add --cacheinfo 160000,${'1'.repeat(40)},in$'\\xff'`,
    );
  },
  'a link in a directory that a sparse index leaves out': () => {
    place.write('far/b.txt', 'b\n');
    place.git('add', 'far');
    place.git('commit', '-qm', 'far');
    place.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src');
    place.run(
      `tree=$( (git ls-tree HEAD:far; printf '160000 commit ${'1'.repeat(40)}\\tinner\\n') | git mktree --missing) && printf %s "$tree" > .git/tree`,
    );
    const made = readFileSync(join(place.cwd, '.git/tree'), 'latin1');
    const { output } = place.run('git rev-parse HEAD:far');
    replaceInIndex(Buffer.from(output.trim(), 'hex'), Buffer.from(made, 'hex'));
    mkdirSync(join(place.cwd, 'far'), { recursive: true });
    makeInner('far/inner');
  },
  'a repository that only the history names': () => {
    makeInner('inner');
    addToConfig(`[diff]\n\texternal = ${place.bird}`, 'inner/.git/config');
    for (const digit of ['1', '2']) {
      place.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},inner`);
      place.git('commit', '-qm', digit);
    }
    place.git('rm', '-q', '--cached', 'inner');
    place.git('commit', '-qm', 'three');
    addToConfig('[diff]\n\tsubmodule = diff');
  },
  'a file that names another repository': () => {
    makeInner('inner');
    rmSync(join(place.cwd, '.git'), { recursive: true });
    place.write('.git', 'gitdir: inner/.git\n');
  },
};

function includes(file: string, line: string): void {
  place.write(join('.git', file), `[core]\nfsmonitor = ${place.bird}\n`);
  addToConfig(`[include]\n${line}`);
}

/** Puts another object into the index, which ends with a hash of all before it. */
function replaceInIndex(from: Buffer, to: Buffer): void {
  const file = join(place.cwd, '.git/index');
  const index = readFileSync(file).subarray(0, -20);
  for (let at = index.indexOf(from); at !== -1; at = index.indexOf(from, at)) to.copy(index, at);
  writeFileSync(file, Buffer.concat([index, createHash('sha1').update(index).digest()]));
}

function makeInner(directory: string): void {
  place.git('init', '-q', directory);
  addToConfig(`[core]\n\tfsmonitor = ${place.bird}`, join(directory, '.git/config'));
}

describe('git that only reads', () => {
  it('needs no question in an ordinary clone', async () => {
    proves('E-39');
    makeRepository();
    addToConfig(
      '[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n' +
        '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\temail = a@example.com\n' +
        '[core]\n\thooksPath = .husky/_\n\tautocrlf = input ; as it was\n[pull]\n\trebase = true\n[core]\n\tfsmonitor = false',
    );
    place.write('.husky/_/pre-commit', '#!/bin/sh\n', 0o755);
    for (const command of readings) {
      const { verdict, reason } = await place.judge(command);
      expect(verdict, `${command}\n${reason}`).toBe('allow');
      expect(place.run(command).hasCanary).toBe(false);
    }
  });

  it('needs no question in a clone with submodules and in a worktree of it', async () => {
    proves('E-39');
    makeRepository();
    place.git('clone', '-q', '--bare', '.', '../other.git');
    place.git('submodule', '--quiet', 'add', '../other.git', 'sub');
    place.git('worktree', 'add', '-q', 'tree');
    expect(await place.judge('git status')).toMatchObject({ verdict: 'allow' });
    const cwd = join(place.cwd, 'tree');
    const workspace = { cwd, additional: [], home: place.home };
    expect(await place.judge('git status', {}, { workspace })).toMatchObject({ verdict: 'allow' });
    addToConfig(`[core]\n\tfsmonitor = ${place.bird}`, '.git/modules/sub/config');
    expect(place.run('git status').hasCanary).toBe(true);
    expect(await place.judge('git status')).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('core.fsmonitor') as string,
    });
  });

  it.each(Object.keys(hostile))('runs nothing that %s names', async (name) => {
    proves('E-39');
    makeRepository();
    expect(await place.judge('git status')).toMatchObject({ verdict: 'allow' });
    hostile[name]?.();
    for (const command of readings) {
      const { verdict } = await place.judge(command);
      if (verdict === 'allow') expect(place.run(command).hasCanary, command).toBe(false);
    }
    const { verdict, reason } = await place.judge('git status');
    expect(verdict, reason).toBe('ask');
    expect(await place.judge('git status', {}, { mode: 'plan' })).toMatchObject({ verdict: 'deny' });
  });

  it.each([
    'core.fsmonitor',
    'core.fsmonitor behind a continued line',
    'a hook',
    'a link in a shared index',
    'an include that ends with a blank git keeps',
    'an include whose name is no text',
    'an include behind a link',
    'a file that names another repository behind a link',
    'a file that names another repository by no text',
    'a link in the index whose name is no text',
    'a link in a directory that a sparse index leaves out',
  ])('the fixture of %s does run something', (name) => {
    makeRepository();
    hostile[name]?.();
    // Of another time and the same content: git then writes the index, and a hook for that runs.
    place.write('b.txt', 'new\n');
    place.git('add', 'b.txt');
    utimesSync(join(place.cwd, 'b.txt'), 0, 0);
    expect(place.run('git status').hasCanary).toBe(true);
  });

  it('asks in directories that look like a repository themselves, however git gets there', async () => {
    proves('E-39');
    makeRepository();
    makeBare('vendor/lib');
    expect(place.run('cd vendor/lib && git status').hasCanary).toBe(true);
    const wide = { allow: ['Bash(git *)', 'Bash(env *)', 'Bash(cd *)'] };
    for (const command of [
      'cd vendor/lib && git status',
      'cd vendor/lib && timeout 5 git status',
      'cd vendor/lib; command git status',
      'pushd vendor/lib && nice -n 3 git status',
      '(cd vendor/lib && nohup git status)',
      'cd vendor && cd lib && env git status',
      'env -C vendor/lib git status',
      'git -C vendor/lib status',
      'git -C vendor -C lib status',
      'git -C ./vendor/../vendor/lib log',
      'timeout 5 git -C vendor/lib status',
      'git --git-dir=vendor/lib status',
    ]) {
      for (const rules of [{}, wide]) {
        const { verdict, reason } = await place.judge(command, rules);
        expect(verdict, `${command}\n${reason}`).toBe('ask');
      }
    }
    expect(await place.judge('git -C src status', wide)).toMatchObject({ verdict: 'allow' });
    expect(
      await place.judge('git -C vendor/lib status', { allow: ['Bash(git -C vendor/lib *)'] }),
    ).toMatchObject({
      verdict: 'allow',
    });
    rmSync(join(place.cwd, '.git'), { recursive: true });
    makeBare('.');
    expect(await place.judge('git status')).toMatchObject({ verdict: 'ask' });
  });

  it.each<[string, () => void, 'ask' | 'allow']>([
    ['names itself', () => place.write('.git', 'gitdir: .git\n'), 'ask'],
    ['names a .git file that names it back', () => pointInCircle(), 'ask'],
    ['names a file', () => place.write('.git', 'gitdir: a.txt\n'), 'ask'],
    ['is empty', () => place.write('.git', ''), 'ask'],
    ['is a link to itself', () => symlinkSync('.git', join(place.cwd, '.git')), 'ask'],
    ['is a pipe', () => execFileSync('sh', ['-c', 'mkfifo "$0"', join(place.cwd, '.git')]), 'ask'],
    ['names nothing that exists', () => place.write('.git', 'gitdir: /nonexistent\n'), 'allow'],
  ])('judges git where .git %s', async (_, make, expected) => {
    proves('E-39');
    place.write('a.txt', 'one\n');
    make();
    expect(place.run('git status').hasCanary).toBe(false);
    const { verdict, reason } = await place.judge('git status');
    expect(verdict, reason).toBe(expected);
    if (expected === 'ask')
      expect(reason).toMatch(/\.git (cannot be read|names .*, which is not a directory)/);
  });

  it('notices a configuration that changed since the last answer', async () => {
    proves('E-39');
    makeRepository();
    expect(await place.judge('git status')).toMatchObject({ verdict: 'allow' });
    place.git('config', 'core.fsmonitor', place.bird);
    expect(await place.judge('git status')).toMatchObject({ verdict: 'ask' });
    place.git('config', '--unset', 'core.fsmonitor');
    expect(await place.judge('git status')).toMatchObject({ verdict: 'allow' });
  });
});

describe('files that git takes for a repository', () => {
  const parts = ['HEAD', 'config', 'objects/x', 'refs/x'];

  it.each(parts)('asks in acceptEdits when %s would complete one', async (last) => {
    proves('E-39');
    for (const file of parts.filter((one) => one !== last)) place.write(join('lib', file), 'x');
    const policy = {
      mode: 'acceptEdits',
      workspace: { cwd: place.cwd, additional: [], home: place.home },
    } as const;
    const write = (file: string, files: PolicyFiles) =>
      decidePath(
        { ...policy, files, rules: { allow: [], ask: [], deny: [] } },
        {
          tool: 'Write',
          access: { kind: 'write', path: join(place.cwd, file), real: join(place.cwd, file) },
        },
      ).verdict;
    expect(write(join('lib', last), hostFiles)).toBe('ask');
    expect(write('src/config', hostFiles)).toBe('allow');
    expect(write('src/head/index.ts', hostFiles)).toBe('allow');
  });
});

describe('parseGitConfig', () => {
  const name = fc.constantFrom('core', 'CORE', 'user', 'remote "o"', 'a.b', 'diff "x y"');
  const key = fc.constantFrom('fsmonitor', 'abbrev', 'url', 'Name', 'x-y');
  const value = fc.constantFrom(
    '',
    ' = 1',
    '=x y',
    ' = "a b"',
    ' = a # c',
    ' = a\\',
    ' = [core]',
    '\t=\tx ; [user]',
  );
  const line = fc.oneof(
    name.map((text) => `[${text}]`),
    fc.tuple(name, key, value).map(([section, one, given]) => `[${section}] ${one}${given}`),
    fc.tuple(key, value).map(([one, given]) => `\t${one}${given}`),
    fc.constantFrom('', '# x', '; [core]', '  ', '[user][core]', '\r'),
  );

  it('finds every setting that git finds, or says that it cannot read the file', () => {
    proves('E-39');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const text = lines.join('\n');
        const file = place.write('config', text);
        const parsed = parseGitConfig(text);
        if (!parsed.ok) return;
        const keys = parsed.settings.map((one) => one.key);
        const { output } = place.run(`git config --file '${file}' --list --name-only`);
        if (output.includes('fatal:') || output.includes('error:')) return;
        for (const found of output.split('\n').filter(Boolean)) expect(keys, text).toContain(found);
      }),
      { numRuns: 150 },
    );
  });
});
