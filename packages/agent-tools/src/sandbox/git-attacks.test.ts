import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect, it } from 'vitest';
import { findSandbox } from './find-sandbox.ts';
import { git, initialize, run, sandboxed } from './fixtures/sandboxed-context.ts';

const hasBubblewrap = (await findSandbox()).kind === 'bubblewrap';

/** The folders of an attack: the workspace, and beside it a home that commands cannot write. */
interface Folders {
  readonly cwd: string;
  readonly home: string;
  readonly base: string;
}

/** A sandboxed command that changes a git directory, and the harm to the user's own git afterwards. */
interface Attack {
  readonly name: string;
  /** Sets up the state before the session. */
  readonly before?: (folders: Folders) => void;
  /** The sandboxed command. */
  readonly command: string | ((folders: Folders) => string);
  /** The command that the user runs afterwards, outside of the sandbox. */
  readonly user?: string;
  /** True if the attack succeeded. By default: the file `PWNED` of the home exists. */
  readonly isHit?: (
    folders: Folders,
    user: { readonly output: string; readonly code: number | null },
  ) => boolean;
}

const pwn = '#!/bin/sh\\ntouch "$HOME/PWNED"\\n';
const monitor = `'touch "$HOME/PWNED";:'`;
const script = (path: string) => `printf '${pwn}' > ${path}; chmod +x ${path}`;
const commit = 'git commit -q --allow-empty -m next';
const bashrc = ({ home }: Folders) => readFileSync(join(home, '.bashrc'), 'utf8') !== 'original\n';
const linkTo = (target: string, name: string) =>
  `rm -rf .git/${name}; mkdir -p "$(dirname .git/${name})"; ln -s "$HOME/${target}" .git/${name}`;

/** A conflict between the branch and main, and one more commit after it. */
function conflict({ cwd }: Folders): void {
  // Git turns the strategy `./x` into this program.
  mkdirSync(join(cwd, 'git-merge-.'));
  writeFileSync(join(cwd, 'git-merge-./x'), '#!/bin/sh\ntouch "$HOME/PWNED"\n', { mode: 0o755 });
  const save = (text: string, message: string, file = 'f') => {
    writeFileSync(join(cwd, file), text);
    git(cwd, 'add', '-A');
    git(cwd, 'commit', '-q', '-m', message);
  };
  save('base\n', 'base');
  git(cwd, 'switch', '-qc', 'side');
  save('side\n', 'side one');
  save('more\n', 'side two', 'g');
  git(cwd, 'switch', '-q', 'main');
  save('main\n', 'main one');
}

function stoppedRebase(folders: Folders): void {
  conflict(folders);
  git(folders.cwd, 'switch', '-q', 'side');
  spawnSync('git', ['rebase', 'main'], { cwd: folders.cwd });
}

function stoppedPick(folders: Folders): void {
  conflict(folders);
  spawnSync('git', ['cherry-pick', 'main..side'], { cwd: folders.cwd });
}

function withFile({ cwd }: Folders): void {
  writeFileSync(join(cwd, 'f'), 'good\n');
  git(cwd, 'add', 'f');
  git(cwd, 'commit', '-q', '-m', 'f');
}

function nested(cwd: string, name: string): void {
  mkdirSync(join(cwd, name), { recursive: true });
  initialize(join(cwd, name));
}

function hooksIn(folder: string): NonNullable<Attack['before']> {
  return ({ cwd }) => {
    git(cwd, 'config', 'core.hooksPath', folder);
    mkdirSync(join(cwd, folder), { recursive: true });
    writeFileSync(join(cwd, folder, 'pre-commit'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    git(cwd, 'add', '-A');
    git(cwd, 'commit', '-q', '-m', 'hooks');
  };
}

/** The command that writes an index with one entry of any name, which git itself refuses to add. */
function indexWith(path: string, content: string): string {
  const id = createHash('sha1').update(`blob ${content.length}\0${content}`).digest();
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\x01', 'latin1');
  const fields = Buffer.alloc(40);
  fields.writeUInt32BE(0o100755, 24);
  const flags = Buffer.alloc(2);
  flags.writeUInt16BE(path.length);
  const entry = Buffer.concat([fields, id, flags, Buffer.from(path)]);
  const body = Buffer.concat([header, entry, Buffer.alloc(8 - (entry.length % 8))]);
  const index = Buffer.concat([body, createHash('sha1').update(body).digest()]).toString('base64');
  return `printf '${content.replaceAll('\n', '\\n')}' | git hash-object -w --stdin; echo ${index} | base64 -d > .git/index`;
}

const forgeTimes = `python3 - <<'END'
import os, struct, hashlib
open('f', 'w').write('evil\\n'); os.utime('f', (1000000000, 1000000000))
s = os.stat('f'); data = bytearray(open('.git/index', 'rb').read())[:-20]
c, m = divmod(s.st_ctime_ns, 10**9), divmod(s.st_mtime_ns, 10**9)
struct.pack_into('>6I', data, 12, c[0], c[1], m[0], m[1], s.st_dev & 0xffffffff, s.st_ino & 0xffffffff)
struct.pack_into('>2I', data, 12 + 28, s.st_uid, s.st_gid); struct.pack_into('>I', data, 12 + 36, s.st_size)
open('.git/index', 'wb').write(bytes(data) + hashlib.sha1(bytes(data)).digest())
END`;

const open: readonly Attack[] = [
  {
    name: 'a hook in the folder of core.hooksPath',
    before: hooksIn('tools/hooks'),
    command: script('tools/hooks/pre-commit'),
    user: commit,
  },
  {
    name: 'a hook in a new folder in place of the parent of core.hooksPath',
    before: hooksIn('tools/hooks'),
    command: `mv tools t2; mkdir -p tools/hooks; ${script('tools/hooks/pre-commit')}`,
    user: commit,
  },
  {
    name: 'a hook in a folder of core.hooksPath that was missing',
    before: ({ cwd }) => void git(cwd, 'config', 'core.hooksPath', 'later/hooks'),
    command: `mkdir -p later/hooks; ${script('later/hooks/pre-commit')}`,
    user: commit,
  },
  {
    name: "a hook in the relative core.hooksPath of the user's own settings",
    before: ({ home }) => writeFileSync(join(home, '.gitconfig'), '[core]\n\thooksPath = .githooks\n'),
    command: `mkdir -p .githooks; ${script('.githooks/pre-commit')}`,
    user: commit,
  },
  {
    name: 'another repository in place of a nested one',
    before: ({ cwd }) => nested(cwd, 'sub'),
    command: `mv sub old; git init -q sub; git -C sub config core.fsmonitor ${monitor}`,
    user: 'git -C sub status',
  },
  {
    name: 'another bare repository in place of a known one',
    before: ({ cwd }) => void git(cwd, 'init', '-q', '--bare', 'fixtures/x.git'),
    command: `mv fixtures/x.git fixtures/y.git; git init -q --bare fixtures/x.git; ${script('fixtures/x.git/hooks/pre-receive')}`,
    user: 'git push -q fixtures/x.git HEAD:refs/heads/y',
  },
  {
    name: 'an exec line in a rebase of the user',
    before: stoppedRebase,
    command: `echo both > f; git add f; echo 'exec touch "$HOME/PWNED"' >> .git/rebase-merge/git-rebase-todo`,
    user: 'git rebase --continue',
  },
  {
    name: 'a planted rebase',
    command: `d=.git/rebase-merge; mkdir $d; git rev-parse HEAD | tee $d/onto > $d/orig-head; echo refs/heads/main > $d/head-name; touch $d/interactive $d/done; echo 'exec touch "$HOME/PWNED"' > $d/git-rebase-todo; echo 1 > $d/msgnum; echo 1 > $d/end`,
    user: 'git rebase --continue',
  },
  {
    name: 'a planted git directory of a submodule that is not initialised',
    before: ({ cwd, base }) => {
      nested(base, 'library');
      git(
        cwd,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        '--quiet',
        'add',
        join(base, 'library'),
        'sub',
      );
      git(cwd, 'commit', '-q', '-m', 'sub');
      git(cwd, 'submodule', '--quiet', 'deinit', '-f', 'sub');
      execFileSync('rm', ['-rf', join(cwd, '.git/modules')]);
    },
    command: `git init -q --bare /tmp/m; mkdir -p .git/modules; cp -r /tmp/m .git/modules/sub; cd .git/modules/sub; git config core.bare false; git config core.worktree ../../../sub; git config core.fsmonitor ${monitor}; ${script('hooks/post-checkout')}`,
    user: 'git -c protocol.file.allow=always submodule update --init',
  },
  {
    name: 'COMMIT_EDITMSG as a link to a file outside',
    command: linkTo('.bashrc', 'COMMIT_EDITMSG'),
    user: 'git commit -q --allow-empty -m "fix build"',
    isHit: bashrc,
  },
  {
    name: 'FETCH_HEAD as a link to a file outside',
    before: ({ cwd, base }) => {
      nested(base, 'origin');
      git(cwd, 'remote', 'add', 'origin', join(base, 'origin'));
    },
    command: linkTo('.bashrc', 'FETCH_HEAD'),
    user: 'git fetch -q',
    isHit: bashrc,
  },
  {
    name: 'logs/HEAD as a link to a file outside',
    command: linkTo('.bashrc', 'logs/HEAD'),
    user: commit,
    isHit: bashrc,
  },
  {
    name: 'logs/refs/heads as a link to a folder outside',
    before: ({ home }) => mkdirSync(join(home, 'd')),
    command: linkTo('d', 'logs/refs/heads'),
    user: commit,
    isHit: ({ home }) => readdirSync(join(home, 'd')).length > 0,
  },
  {
    name: 'a folder of objects as a link to a folder outside',
    before: ({ home }) => mkdirSync(join(home, '.ssh')),
    command:
      'for i in $(seq 0 255); do n=.git/objects/$(printf %02x $i); [ -e $n ] || ln -s "$HOME/.ssh" $n; done',
    user: 'echo new > new; git add new',
    isHit: ({ home }) => readdirSync(join(home, '.ssh')).length > 0,
  },
  {
    name: 'a .git that is a link to a repository outside',
    before: ({ cwd, base }) => {
      nested(base, 'victim');
      execFileSync('rm', ['-rf', join(cwd, '.git')]);
      symlinkSync('../victim/.git', join(cwd, '.git'));
    },
    command: 'echo evil > ../victim/.git/refs/heads/evil',
    isHit: ({ base }) => existsSync(join(base, 'victim/.git/refs/heads/evil')),
  },
  {
    name: 'a hook of the 25th repository of a workspace',
    before: ({ cwd }) => {
      for (let index = 11; index <= 35; index++) nested(cwd, `r${index}`);
    },
    command: script('r35/.git/hooks/post-commit'),
    user: `cd r35; ${commit}`,
  },
  {
    name: 'an index entry that names a hook',
    command: indexWith('.git/hooks/post-checkout', '#!/bin/sh\ntrue\n'),
    user: 'git checkout -- .; git restore .',
    isHit: ({ cwd }) => existsSync(join(cwd, '.git/hooks/post-checkout')),
  },
  {
    name: 'an index entry that names a file outside',
    command: indexWith('../home/.bashrc', 'evil\n'),
    user: 'git checkout -- .; git restore .',
    isHit: bashrc,
  },
  {
    name: 'a strategy that is a program of the repository, in a rebase',
    before: stoppedRebase,
    command: 'echo both > f; git add f; echo ./x > .git/rebase-merge/strategy',
    user: 'git rebase --continue',
  },
  {
    name: 'a strategy that is a program of the repository, in a cherry-pick',
    before: stoppedPick,
    command: `echo both > f; git add f; printf '[options]\\n\\tstrategy = ./x\\n' >> .git/sequencer/opts`,
    user: 'git cherry-pick --continue',
  },
  {
    name: 'an object with other content',
    before: withFile,
    command:
      'o() { echo ".git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-)"; }; cp -f $(o $(echo evil | git hash-object -w --stdin)) $(o $(git rev-parse HEAD:f))',
    user: 'git show HEAD:f',
    isHit: (_, { output }) => output.includes('evil'),
  },
  {
    name: 'a replacement of an object',
    before: withFile,
    command: 'git replace $(git rev-parse HEAD:f) $(echo evil | git hash-object -w --stdin)',
    user: 'git show HEAD:f',
    isHit: (_, { output }) => output.includes('evil'),
  },
  {
    name: 'a pipe as COMMIT_EDITMSG, on which git waits',
    command: 'rm -f .git/COMMIT_EDITMSG; mkfifo .git/COMMIT_EDITMSG',
    user: 'timeout 2 git commit -q --allow-empty -m next',
    isHit: (_, { code }) => code === 124,
  },
  {
    name: 'an old file of remotes that sends a push elsewhere',
    before: ({ base, cwd }) => {
      git(base, 'init', '-q', '--bare', 'elsewhere.git');
      git(cwd, 'init', '-q', '--bare', 'up');
    },
    command: ({ base }) => `mkdir .git/remotes; echo "URL: ${base}/elsewhere.git" > .git/remotes/up`,
    user: 'git push -q up main',
    isHit: ({ base }) => git(base, '-C', 'elsewhere.git', 'for-each-ref') !== '',
  },
  {
    name: 'grafts that hide the history',
    before: withFile,
    command: 'mkdir -p .git/info; git rev-parse HEAD > .git/info/grafts',
    user: 'git rev-list --count HEAD',
    isHit: (_, { output }) => output.startsWith('1\n') || output.endsWith('\n1\n'),
  },
  {
    name: 'a HEAD that names a place outside',
    command: "echo 'ref: ../../home/x' > .git/HEAD",
    user: 'git rev-parse --is-inside-work-tree',
    isHit: (_, { code }) => code !== 0,
  },
  {
    name: 'files of other tools in the git directory',
    command: 'mkdir -p .git/annex; echo x > .git/annex/journal',
    isHit: ({ cwd }) => existsSync(join(cwd, '.git/annex/journal')),
  },
  {
    name: 'an exec line behind a picked commit',
    before: stoppedRebase,
    command: `echo both > f; git add f; printf 'pick %s x\\n\\nexec touch "$HOME/PWNED"\\n' $(git rev-parse side) > .git/rebase-merge/git-rebase-todo`,
    user: 'git rebase --continue',
  },
  {
    name: 'the configuration of a separate git directory in the workspace',
    before: ({ cwd }) => void git(cwd, 'init', '-q', '--separate-git-dir=gitdata'),
    command: `printf '[core]\\n\\tfsmonitor = "touch \\\\"$HOME/PWNED\\\\";:"\\n' >> gitdata/config; git config -f gitdata/config core.fsmonitor ${monitor}`,
    user: 'git status',
  },
  {
    name: 'the configuration of a bare repository of the workspace',
    before: ({ cwd }) => void git(cwd, 'init', '-q', '--bare', 'fixtures/x.git'),
    command: `cd fixtures/x.git; git config -f config core.bare false; git config -f config core.worktree ../..; git config -f config core.fsmonitor ${monitor}`,
    user: 'git -C fixtures/x.git status',
  },
  {
    name: 'the common directory of the last of many worktrees',
    before: ({ cwd, base }) => {
      for (let index = 11; index <= 22; index++) git(cwd, 'worktree', 'add', '-q', join(base, `w${index}`));
    },
    command: `git init -q --bare evil; rm evil/HEAD; git config -f evil/config core.bare false; git config -f evil/config core.fsmonitor ${monitor}; for f in .git/worktrees/*/commondir; do echo "$PWD/evil" > $f; done; true`,
    user: 'for w in ../w*; do git -C $w status; done',
  },
  {
    name: 'a repository planted in node_modules',
    command: `git init -q node_modules/p; git -C node_modules/p config core.fsmonitor ${monitor}`,
    user: 'git -C node_modules/p status',
  },
  {
    name: 'a change that the index is told to assume away',
    before: withFile,
    command: 'git update-index --assume-unchanged f; echo evil > f',
    user: 'git status --porcelain',
    isHit: (_, { output }) => output === '',
  },
  {
    name: 'a change that the index is told to skip',
    before: withFile,
    command: 'git update-index --skip-worktree f; echo evil > f',
    user: 'git status --porcelain',
    isHit: (_, { output }) => output === '',
  },
  {
    name: 'a change behind forged file times',
    before: withFile,
    command: forgeTimes,
    user: 'git status --porcelain',
    isHit: (_, { output }) => output === '',
  },
  {
    name: 'a folder of the objects as a link to a folder outside',
    before: (folders) => {
      withFile(folders);
      mkdirSync(join(folders.home, 'x'));
    },
    command: linkTo('x', 'objects/info'),
    user: 'git repack -adq; git update-server-info',
    isHit: ({ home }) => readdirSync(join(home, 'x')).length > 0,
  },
  {
    name: 'branches, reflogs and their objects deleted for good',
    before: ({ cwd }) => {
      git(cwd, 'switch', '-qc', 'keep');
      git(cwd, 'commit', '-q', '--allow-empty', '-m', 'precious');
      git(cwd, 'tag', '-f', 'note', 'keep');
      writeFileSync(join(cwd, '../precious'), git(cwd, 'rev-parse', 'keep'));
      git(cwd, 'tag', '-d', 'note');
      git(cwd, 'switch', '-q', 'main');
    },
    command: 'git branch -qD keep; git reflog expire --expire=now --all; git gc -q --prune=now',
    user: 'git cat-file -e $(cat ../precious)',
    isHit: (_, { code }) => code !== 0,
  },
];

const held: readonly Attack[] = [
  {
    name: 'another address of a remote',
    before: ({ cwd }) => void git(cwd, 'remote', 'add', 'origin', 'https://good.example/r.git'),
    command: 'git config remote.origin.url https://evil.example/r.git; true',
    user: 'git remote get-url origin',
    isHit: (_, { output }) => output.includes('evil'),
  },
  {
    name: 'a new nested repository with a monitor program',
    command: `git init -q fresh; git -C fresh config core.fsmonitor ${monitor}`,
    user: 'git -C fresh status',
  },
  {
    name: 'a monitor program in a bare repository, a pointer file and a directory .GIT',
    command: `git init -q --bare b.git; git -C b.git config core.bare false; git -C b.git config core.fsmonitor ${monitor}; mkdir p; echo "gitdir: ../b.git" > p/.git; cp -r b.git .GIT`,
    user: 'git -C p status; git -C b.git status; git status',
  },
  {
    name: 'a planted worktree with a common directory elsewhere',
    command: `git init -q --bare e; git config -f e/config core.fsmonitor ${monitor}; mkdir -p .git/worktrees/x t; echo "$PWD/e" > .git/worktrees/x/commondir; echo "$PWD/t/.git" > .git/worktrees/x/gitdir; cp .git/HEAD .git/worktrees/x/HEAD; echo "gitdir: $PWD/.git/worktrees/x" > t/.git`,
    user: 'git -C t status',
  },
];

describe.skipIf(!hasBubblewrap)('attacks of sandboxed commands by way of git directories', () => {
  for (const attack of open)
    stillOpen(`holds ${attack.name}`, {
      observe: () => tried(attack),
      today: 'succeeded',
      wanted: (outcome) => expect(outcome).toBe('held'),
    });
  it.each(held)('holds $name', async (attack) => {
    expect(await tried(attack)).toBe('held');
  });
});

async function tried({
  before,
  command,
  user = 'true',
  isHit = hasMark,
}: Attack): Promise<'succeeded' | 'held'> {
  const context = sandboxed();
  const { cwd, home = '' } = context.workspace;
  const folders = { cwd, home, base: dirname(cwd) };
  writeFileSync(join(home, '.bashrc'), 'original\n');
  initialize(cwd);
  before?.(folders);
  await run(typeof command === 'string' ? command : command(folders), context);
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' };
  const { stdout, stderr, status } = spawnSync('bash', ['-c', user], { cwd, env, encoding: 'utf8' });
  return isHit(folders, {
    output: user.includes('status --porcelain') ? stdout : stdout + stderr,
    code: status,
  })
    ? 'succeeded'
    : 'held';
}

function hasMark({ home }: Folders): boolean {
  return existsSync(join(home, 'PWNED'));
}
