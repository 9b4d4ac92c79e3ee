import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toolContext } from '../bash/fixtures/tool-context.ts';
import { kernelSettings } from './enter-sandbox.ts';
import { findSandbox } from './find-sandbox.ts';
import { git, initialize, run, sandboxed } from './fixtures/sandboxed-context.ts';
import { withoutLogins } from './git-configuration.ts';
import { gitLinksIn } from './git-links.ts';
import { isHideable } from './home-places.ts';
import { sandboxAccess, strictPolicy } from './sandbox-policy.ts';

const tool = await findSandbox();
const hasBubblewrap = tool.kind === 'bubblewrap';
const reason = tool.kind === 'missing' ? ` (not here: ${tool.reason})` : '';

/** Writes a file, with the directories it needs. */
function put(file: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe.skipIf(!hasBubblewrap)(`the kernel in the sandbox${reason}`, () => {
  it('lets nothing in /proc and /sys be changed but processes of its own, as root too', async () => {
    const found = await run(
      'find /proc /sys -path "/proc/[0-9]*" -prune -o -type f -writable -print 2>/dev/null | head -5; ' +
        'find /dev -type b 2>/dev/null; true',
      sandboxed(),
    );
    expect(found.text).toBe('(no output)');
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    // The value it has, so that nothing changes on this machine if the write gets through.
    const { text } = await run(
      'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern; ' +
        'unshare -Urm sh -c "mount -o remount,rw /proc/sys; umount /proc/sys; cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo CHANGED"; ' +
        'unshare -Urmpf --mount-proc sh -c "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo CHANGED"; true',
      sandboxed(),
    );
    expect(text).toContain('/proc/sys/kernel/core_pattern: Read-only file system');
    expect(text).not.toContain('CHANGED');
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  it('knows every directory of the kernel in /proc, and no process', () => {
    expect(kernelSettings()).toContain('/proc/sys');
    expect(kernelSettings().join('\n')).not.toMatch(/\/proc\/(?:\d|self|thread-self)/);
  });
});

const secrets = [
  '.robota/settings.json',
  '.robota/mcp.json',
  '.cargo/credentials.toml',
  '.config/rclone/rclone.conf',
  '.config/github-copilot/hosts.json',
  '.pgpass',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.config/containers/auth.json',
  '.config/git/credentials',
  '.bash_history',
  '.whatever-comes-next/token',
  'Documents/letter.txt',
  'other-project/.env',
];

describe.skipIf(!hasBubblewrap)(`the home directory in the sandbox${reason}`, () => {
  it('is hidden, whatever lies in it', async () => {
    const context = sandboxed();
    const { home } = context.workspace;
    for (const name of secrets) put(join(home, name), `CANARY ${name}`);
    const { text } = await run('find ~ -type f | xargs -r cat; ls -A ~; cat ~/.pgpass', context);
    expect(text).not.toContain('CANARY');
    expect(text).toContain(
      `[sandbox: reading ${home}/.pgpass is not allowed; the user can grant it with --sandbox-read ${home}/.pgpass or`,
    );
    context.state.get(sandboxAccess).policy = { ...strictPolicy, readable: ['~/.pgpass', '~/.config'] };
    expect((await run('cat ~/.pgpass', context)).text).toBe('CANARY .pgpass');
    expect((await run('cat ~/.config/rclone/rclone.conf', context)).text).toContain('Permission denied');
  });

  it('shows installed tools and their caches, and runs the programs of the PATH', async () => {
    const context = sandboxed();
    const { home } = context.workspace;
    put(join(home, '.cargo/registry/crate'), 'crate');
    put(join(home, '.cargo/credentials.toml'), 'CANARY');
    put(join(home, '.m2/repository/jar'), 'jar');
    put(join(home, '.m2/settings.xml'), 'CANARY');
    put(join(home, 'tools/node-20/lib/part'), 'part of an installed program');
    put(join(home, 'tools/node-20/secret'), 'CANARY');
    put(join(home, 'tools/node-20/bin/installed'), `#!/bin/sh\ncat ${home}/tools/node-20/lib/part\n`, 0o755);
    put(join(home, '.local/share/uv/tools/one/bin/linked'), '#!/bin/sh\necho linked\n', 0o755);
    put(join(home, '.local/share/keyrings/login'), 'CANARY');
    put(join(home, 'elsewhere/alone'), '#!/bin/sh\necho alone\n', 0o755);
    put(join(home, 'elsewhere/secret'), 'CANARY');
    mkdirSync(join(home, '.local/bin'), { recursive: true });
    symlinkSync('../share/uv/tools/one/bin/linked', join(home, '.local/bin/linked'));
    symlinkSync(join(home, 'elsewhere/alone'), join(home, '.local/bin/alone'));
    const path = `${home}/tools/node-20/bin:${home}/.local/bin:${process.env.PATH}`;
    const wider = { ...context, env: { ...context.env, PATH: path } };
    const { text } = await run(
      'installed; echo; linked; alone; cat ~/.cargo/registry/crate ~/.m2/repository/jar; echo; cat $(find ~ -type f)',
      wider,
    );
    expect(text).toMatch(/^part of an installed program\nlinked\nalone\ncratejar\n/);
    expect(text).not.toContain('CANARY');
    expect((await run('echo x > ~/.cargo/registry/crate', wider)).text).toContain('Read-only file system');
  });

  it('holds the workspace when that lies in it, and the session of another home is hidden too', async () => {
    const context = sandboxed();
    const { home } = context.workspace;
    const cwd = join(home, 'code/project');
    const other = join(dirname(home), 'other-home');
    put(join(home, 'code/neighbour/.env'), 'CANARY');
    put(join(other, '.bashrc'), 'CANARY');
    mkdirSync(cwd, { recursive: true });
    initialize(cwd);
    context.state.get(sandboxAccess).policy = { ...strictPolicy, homes: [other] };
    const inside = { ...context, workspace: { ...context.workspace, cwd } };
    const { text } = await run(
      `echo a > a && git add a && git commit -qm two && git log --format=%s; ls ..; cat ../neighbour/.env ${other}/.bashrc; echo x > .git/config; echo y > ../new`,
      inside,
    );
    expect(text).toMatch(/^two\nfirst\nproject\n/);
    expect(text).not.toContain('CANARY');
    expect(text.match(/Read-only file system/g)).toHaveLength(2);
    expect(existsSync(join(cwd, 'a'))).toBe(true);
  });

  it('shows the configuration of git without logins', async () => {
    const context = sandboxed();
    const { home, cwd } = context.workspace;
    put(
      join(home, '.gitconfig'),
      '[user]\n\tname = Ada\n[include]\n\tpath = ~/.gitconfig.local\n[url "https://x:CANARY@host/"]\n\tinsteadOf = https://host/\n[http]\n\textraHeader = Authorization: CANARY\n[credential]\n\thelper = "!echo \\\n CANARY"\n[alias]\n\tst = status\n',
    );
    put(join(home, '.gitconfig.local'), '[user]\n\temail = ada@example.org\n');
    git(cwd, 'init', '-q');
    const { text } = await run(
      'git config user.name; git config user.email; git config alias.st; cat ~/.gitconfig',
      context,
    );
    expect(text).toMatch(/^Ada\nada@example.org\nstatus\n/);
    expect(text).not.toContain('CANARY');
    expect(withoutLogins('[user]\n\tname = A\n')).toBe('[user]\n\tname = A\n');
  });

  it('is not emptied where it holds the system', () => {
    expect(['/', '/usr', '/var'].map(isHideable)).toEqual([false, false, false]);
    expect(['/root', '/home/u', '/var/lib/jenkins', '/app'].map(isHideable)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('leaves no socket of another program in reach', async () => {
    const context = sandboxed();
    const { home, cwd } = context.workspace;
    const sockets = [join(home, '.colima/docker.sock'), join(cwd, 'tmp/puma.sock')];
    for (const socket of sockets) {
      mkdirSync(dirname(socket), { recursive: true });
      const server = createServer((connection) => connection.end('CANARY'));
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      onTestFinished(() => void server.close());
    }
    const connect = (socket: string) =>
      `node -e 'require("net").connect("${socket}").on("data", d => console.log(String(d))).on("error", e => console.log(e.code))'`;
    const { text } = await run(sockets.map(connect).join('; '), context);
    expect(text).toMatch(/^(?:ENOENT|EACCES|ECONNREFUSED|ENOTSOCK)\n(?:ENOENT|EACCES|ECONNREFUSED|ENOTSOCK)/);
    expect(text).not.toContain('CANARY');
  });
});

const evil = '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "touch CANARY; true"\n';

describe.skipIf(!hasBubblewrap)(`repositories planted from the sandbox${reason}`, () => {
  /** Runs git as the user would later, anywhere in the workspace. */
  const runsCanary = (cwd: string) => {
    const directories = execFileSync('find', [cwd, '-type', 'd', '-not', '-path', `${cwd}/.git/*`], {
      encoding: 'utf8',
    });
    for (const directory of directories.trim().split('\n'))
      spawnSync('git', ['status'], { cwd: directory, env: { PATH: process.env.PATH, HOME: '/nonexistent' } });
    return execFileSync('find', [cwd, '-name', 'CANARY'], { encoding: 'utf8' }).trim();
  };
  const plant = (directory: string) =>
    `git init -q ${directory}; printf '%s' '${evil}' > ${directory}/.git/config`;
  const bare = (directory: string) =>
    `mkdir -p ${directory}/objects ${directory}/refs; echo ref: refs/heads/main > ${directory}/HEAD; printf '%s' '${evil}' > ${directory}/config`;
  const link = (path: string) => `git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),${path}`;

  it.each([
    ['a nested repository', plant('vendor/lib')],
    ['a deeply nested repository', plant('a/b/c/d/e/f')],
    ['a nested repository behind a gitlink', `${plant('vendor/lib')}; ${link('vendor/lib')}`],
    ['one in a directory that is not searched', `${plant('node_modules/x')}; ${link('node_modules/x')}`],
    [
      'one behind a gitlink of a split index',
      `${plant('target/x')}; ${link('target/x')}; git update-index --split-index`,
    ],
    ['one made under another name', `${plant('v')}; mv v/.git v/x; mkdir w; mv v/x w/.git`],
    ['a pointer to another directory', `${bare('store')}; mkdir p; echo "gitdir: ../store" > p/.git`],
    ['a bare repository', bare('vendor/bare')],
    ['a bare repository at the top', bare('.')],
    [
      'a repository with a common directory',
      `${bare('store')}; mv store/HEAD x; mkdir r; mv x r/HEAD; echo ../store > r/commondir`,
    ],
  ])('sets aside %s', async (_, command) => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    initialize(cwd);
    const { text } = await run(command, context);
    expect(text).toContain('is protected and must not be created, so it was renamed to');
    expect(runsCanary(cwd)).toBe('');
  });

  it('sets them aside where the gitlink comes one command later', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    initialize(cwd);
    await run(plant('node_modules/x'), context);
    await run(link('node_modules/x'), context);
    spawnSync('git', ['status'], { cwd });
    expect(existsSync(join(cwd, 'node_modules/x/CANARY'))).toBe(false);
  });

  /** Waits until something holds; the time limit of the test is the limit. */
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it.each([
    ['in the background', true],
    ['in the foreground', false],
  ])('sets them aside while a command still runs %s, and ends one that insists', async (_, inBackground) => {
    const notices: string[] = [];
    const ui = { ...toolContext().ui, notify: ({ text }: { text: string }) => void notices.push(text) };
    const context = sandboxed({}, { ui });
    const { cwd } = context.workspace;
    initialize(cwd);
    const aside = join(cwd, 'n/.git.blocked');
    const running = run(
      {
        command: `${plant('n')}; ${link('n')}; touch n/planted; while :; do until [ -e n/go ]; do sleep 0.05; done; mv n/.git.blocked* n/.git; sleep 0.05; done`,
        run_in_background: inBackground,
      },
      context,
    );
    await until(() => existsSync(join(cwd, 'n/planted')) && existsSync(aside));
    expect(runsCanary(cwd)).toBe('');
    writeFileSync(join(cwd, 'n/go'), '');
    const { text } = await running;
    const job = () => run({ job: { action: 'read', id: 1 } }, context);
    if (inBackground) {
      await until(() => notices.some((notice) => notice.includes('the index of git now names')));
      expect((await job()).text).toContain('it kept creating repositories');
    }
    const told = inBackground ? notices.join('\n') : text;
    expect(told).toContain(
      `${cwd}/n/.git is protected and must not be created, so it was renamed to ${aside}`,
    );
    expect(told).toContain(`git rm --cached ${cwd}/n removes that`);
    if (!inBackground) expect(text).toMatch(/ended after .*: it kept creating repositories/);
    expect(runsCanary(cwd)).toBe('');
  });

  it('leaves a repository alone that a command in the foreground makes and removes', async () => {
    const context = sandboxed();
    initialize(context.workspace.cwd);
    const { text } = await run(
      'git init -q t; sleep 1; cd t && git status --short; cd .. && rm -r t',
      context,
    );
    expect(text).toBe('(no output)');
  });

  it('sets aside a new repository in a workspace that is none, unless it is granted', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    const { text } = await run(plant('.'), context);
    expect(text).toContain(
      `${cwd}/.git is protected and must not be created, so it was renamed to ${cwd}/.git.blocked`,
    );
    expect(text).toContain(`--sandbox-write ${cwd}/.git or`);
    expect(runsCanary(cwd)).toBe('');
    context.state.get(sandboxAccess).policy = { ...strictPolicy, writable: ['.git'] };
    expect((await run('git init -q .', context)).text).toBe('(no output)');
    expect(existsSync(join(cwd, '.git/HEAD'))).toBe(true);
  });

  it('leaves repositories as they are that were there before, and commits in them', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    initialize(cwd);
    for (const name of ['nested', 'node_modules/linked']) {
      mkdirSync(join(cwd, name), { recursive: true });
      initialize(join(cwd, name));
    }
    git(cwd, 'add', '-f', 'node_modules/linked');
    git(cwd, 'init', '-q', '--bare', 'bare.git');
    const { text } = await run(
      'cd nested && echo 1 > x && git add x && git commit -qm two && cd ../node_modules/linked && echo 1 > x && git add x && git commit -qm two && git log --format=%s',
      context,
    );
    expect(text).toBe('two\nfirst');
    expect(git(join(cwd, 'nested'), 'log', '--format=%s')).toBe('two\nfirst\n');
    expect(existsSync(join(cwd, 'bare.git/HEAD'))).toBe(true);
  });

  it('protects the pointers of other worktrees', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    initialize(cwd);
    const other = join(dirname(cwd), 'other');
    git(cwd, 'worktree', 'add', '-q', '-b', 'side', other);
    const { text } = await run(
      `${bare('store')}; echo "$PWD/store" > .git/worktrees/other/commondir; mv .git/worktrees .git/w2`,
      context,
    );
    expect(text).toContain('Read-only file system');
    expect(realpathSync(join(cwd, '.git/worktrees/other/commondir'))).toBeTruthy();
    spawnSync('git', ['status'], { cwd: other });
    expect(existsSync(join(other, 'CANARY'))).toBe(false);
  });
});

it('reads the links of every kind of index', () => {
  const { workspace } = sandboxed();
  for (const format of ['sha1', 'sha256']) {
    const cwd = join(workspace.cwd, format);
    git(workspace.cwd, 'init', '-q', `--object-format=${format}`, cwd);
    for (const name of ['a', 'sub/deep/x', 'sub/deep/y', 'z']) put(join(cwd, name), name);
    git(cwd, 'add', '-A');
    const hash = '1234567890'.repeat(7).slice(0, format === 'sha1' ? 40 : 64);
    git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${hash},sub/deep/link`);
    git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${hash},ünder`);
    const links = () => gitLinksIn(join(cwd, '.git/index')).filter((path) => !path.includes('\u{fffd}'));
    expect(links()).toEqual(expect.arrayContaining(['sub/deep/link', 'ünder']));
    for (const version of ['2', '3', '4']) {
      git(cwd, 'update-index', '--index-version', version);
      expect(links()).toEqual(expect.arrayContaining(['sub/deep/link', 'ünder']));
      expect(links()).not.toContain('sub/deep/x');
    }
    git(cwd, 'update-index', '--split-index');
    expect(links()).toEqual(expect.arrayContaining(['sub/deep/link', 'ünder']));
    rmSync(join(cwd, '.git/index'));
    expect(gitLinksIn(join(cwd, '.git/index'))).toEqual([]);
  }
});
