import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { toolContext, until } from '../bash/fixtures/tool-context.ts';
import { IgnoreFiles, ignoredFiles } from '../ignored/ignore-files.ts';
import { enterSandbox } from './enter-sandbox.ts';
import { findSandbox } from './find-sandbox.ts';
import { git, initialize, outsideTemporary, run, sandboxed } from './fixtures/sandboxed-context.ts';
import { sandboxDirectory } from './sandbox-directory.ts';
import { sandboxAccess, strictPolicy } from './sandbox-policy.ts';

const tool = await findSandbox();
const hasBubblewrap = tool.kind === 'bubblewrap';
const reason = tool.kind === 'missing' ? ` (not here: ${tool.reason})` : '';

const commit = 'echo text > file && git add -A && git commit -qm second && git log --format=%s';

describe.skipIf(!hasBubblewrap)(`files in the sandbox${reason}`, () => {
  it('writes the workspace and nothing else', async () => {
    const context = sandboxed();
    const outside = join(context.workspace.home, 'x');
    const result = await run(`echo in > inside; echo out > ${outside}`, context);
    expect(readFileSync(join(context.workspace.cwd, 'inside'), 'utf8')).toBe('in\n');
    expect(existsSync(outside)).toBe(false);
    expect(result.text).toContain('Read-only file system');
    expect(result.text).toContain(
      `[sandbox: writing ${outside} is not allowed; the user can grant it with --sandbox-write ${context.workspace.home} or the setting sandbox.writable]`,
    );
  });

  it('shows nothing of what ignore files hide, not even what was granted or came later', async () => {
    const context = sandboxed();
    const { workspace } = context;
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(workspace.cwd, name)), { recursive: true });
      writeFileSync(join(workspace.cwd, name), text);
    };
    put('.agentignore', '*.key\nprivate/\n');
    put('a.key', 'KEY=1234');
    put('sub/deep/b.key', 'KEY=5678');
    put('private/c.txt', 'KEY=abcd');
    put('plain.txt', 'KEY=plain');
    context.state.get(sandboxAccess).policy = { ...strictPolicy, writable: [join(workspace.cwd, 'a.key')] };
    const userFile = join(workspace.home, 'missing');
    context.state.get(ignoredFiles).files = new IgnoreFiles({ workspace, names: ['.agentignore'], userFile });
    const look = 'grep -rh KEY . 2>/dev/null; cat a.key sub/deep/b.key private/c.txt; echo x > a.key';
    const first = await run(look, context);
    expect(first.text).toContain('KEY=plain');
    expect(first.text).not.toMatch(/1234|5678|abcd/);
    for (const name of ['a.key', 'sub/deep/b.key', 'private/c.txt'])
      expect(first.text).toContain(`[sandbox: ${join(workspace.cwd, name)} is hidden by an ignore file]`);
    expect(first.text).not.toContain('the user can grant');
    put('sub/later.key', 'KEY=late');
    expect((await run(look, context)).text).not.toContain('late');
    expect(readFileSync(join(workspace.cwd, 'a.key'), 'utf8')).toBe('KEY=1234');
  });

  it('writes what is granted, also by ~', async () => {
    const context = sandboxed({ writable: ['~/cache'] });
    mkdirSync(join(context.workspace.home, 'cache'));
    expect((await run('echo 1 > ~/cache/x', context)).isError).toBeUndefined();
    expect(existsSync(join(context.workspace.home, 'cache', 'x'))).toBe(true);
  });

  it('writes added directories', async () => {
    const context = sandboxed();
    const added = join(dirname(context.workspace.cwd), 'added');
    mkdirSync(added);
    const wider = { ...context, workspace: { ...context.workspace, additional: [added] } };
    expect((await run(`echo 1 > ${added}/x`, wider)).text).toBe('(no output)');
  });

  it.each(['.ssh/id_ed25519', '.aws/credentials', '.gnupg/key', '.netrc', '.robota/auth.json', '.npmrc'])(
    'hides ~/%s and says what would show it',
    async (name) => {
      const context = sandboxed();
      const file = join(context.workspace.home, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'CANARY');
      const result = await run(
        `cat ${file}; echo x > ${file}; chmod -R 777 ${file} ${dirname(file)}; cat ${file}`,
        context,
      );
      expect(result.text).not.toContain('CANARY');
      expect(result.text).toMatch(
        /\[sandbox: reading .* is not allowed; .*--sandbox-read .*sandbox\.readable\]/,
      );
      expect(readFileSync(file, 'utf8')).toBe('CANARY');
      context.state.get(sandboxAccess).policy = {
        ...strictPolicy,
        readable: [`~/${name.split('/')[0]}`, `~/${name}`],
      };
      expect((await run(`cat ${file}`, context)).text).toBe('CANARY');
    },
  );

  it('hides further places that are named', async () => {
    const context = sandboxed({ hidden: ['secrets'] });
    mkdirSync(join(context.workspace.cwd, 'secrets'));
    writeFileSync(join(context.workspace.cwd, 'secrets', 'a'), 'CANARY');
    expect((await run('cat secrets/a', context)).text).toContain('Permission denied');
  });

  it('keeps protected files as they are and names the grant', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    mkdirSync(join(cwd, '.vscode'));
    mkdirSync(join(cwd, 'packages', 'a'), { recursive: true });
    for (const file of ['.envrc', '.vscode/tasks.json', 'packages/a/.npmrc'])
      writeFileSync(join(cwd, file), 'mine');
    const result = await run(
      'echo x > .envrc; echo x > .vscode/tasks.json; echo x > .vscode/new; rm -rf .vscode; mv .envrc e; echo x > packages/a/.npmrc',
      context,
    );
    expect(result.text).toContain(
      `[sandbox: writing ${cwd}/.envrc is not allowed, it is protected; the user can grant it with --sandbox-write ${cwd}/.envrc or`,
    );
    for (const file of ['.envrc', '.vscode/tasks.json', 'packages/a/.npmrc']) {
      expect(readFileSync(join(cwd, file), 'utf8')).toBe('mine');
    }
    expect(existsSync(join(cwd, '.vscode/new'))).toBe(false);
    context.state.get(sandboxAccess).policy = { ...strictPolicy, writable: ['.envrc'] };
    expect((await run('echo granted > .envrc', context)).text).toBe('(no output)');
  });

  it('sets aside what a command creates under a protected name, and leaves nothing of its own behind', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    const result = await run(
      'echo "export X=1" > .envrc; mkdir .husky; echo hook > .husky/pre-commit; ls -A',
      context,
    );
    expect(result.text).toContain('.envrc is protected and must not be created, so it was renamed to');
    expect(readdirSync(cwd).sort()).toEqual(['.envrc.blocked', '.husky.blocked']);
    expect(readFileSync(join(cwd, '.envrc.blocked'), 'utf8')).toBe('export X=1\n');
    expect((await run('ls -A; true > plain', context)).text).toBe('.envrc.blocked\n.husky.blocked');
    context.state.get(sandboxAccess).policy = { ...strictPolicy, writable: ['.envrc'] };
    expect((await run('echo 1 > .envrc', context)).text).toBe('(no output)');
    expect(existsSync(join(cwd, '.envrc'))).toBe(true);
  });

  it('keeps the temporary directory from one command to the next, apart from that of the system', async () => {
    const context = sandboxed();
    const stranger = mkdtempSync(join(tmpdir(), 'stranger-'));
    onTestFinished(() => rmSync(stranger, { recursive: true }));
    expect((await run(`echo kept > /tmp/note; ls -d ${stranger}; mktemp`, context)).text).toMatch(
      /cannot access .*\n\/tmp\/tmp\./,
    );
    expect((await run('cat /tmp/note; cat "$TMPDIR/note"', context)).text).toBe('kept\nkept');
    expect(existsSync('/tmp/note')).toBe(false);
  });

  it('moves the caches of package managers there, unless they may be written where they are', async () => {
    const context = sandboxed();
    mkdirSync(join(context.workspace.home, '.npm'));
    const show = 'echo "$npm_config_cache $GOCACHE"';
    expect((await run(show, context)).text).toBe('/tmp/.npm /tmp/.cache/go-build');
    context.state.get(sandboxAccess).policy = { ...strictPolicy, writable: ['~/.npm'] };
    expect((await run(show, context)).text).toBe(' /tmp/.cache/go-build');
  });

  it('works where the workspace itself lies in the temporary directory', async () => {
    const { workspace, ...rest } = toolContext();
    const context = { ...rest, workspace: { ...workspace, home: '/nonexistent' } };
    context.state.get(sandboxAccess).mode = 'required';
    onTestFinished(() => context.state.peek(sandboxDirectory)?.dispose());
    expect((await run('pwd; echo 1 > x; ls', context)).text).toBe(`${context.workspace.cwd}\nx`);
    expect(existsSync(join(context.workspace.cwd, 'x'))).toBe(true);
  });

  it('keeps the top of the home directory read-only when that is the workspace', async () => {
    const context = sandboxed();
    const { home } = context.workspace;
    mkdirSync(join(home, 'project'));
    const atHome = { ...context, workspace: { ...context.workspace, cwd: home } };
    const result = await run('echo 1 > project/x; echo evil > .bashrc; echo evil > .profile; ls -A', atHome);
    expect(result.text).toMatch(/^project$/m);
    expect(readdirSync(home)).toEqual(['project']);
    expect(existsSync(join(home, 'project', 'x'))).toBe(true);
  });

  it('reaches no socket of another program', async () => {
    const result = await run('ls -A /run; ls /var/run/docker.sock /run/dbus', sandboxed());
    expect(result.text).not.toMatch(/^(?!.*cannot access).*(docker\.sock|dbus)/m);
  });
});

describe.skipIf(!hasBubblewrap)(`git in the sandbox${reason}`, () => {
  it('commits, and keeps hooks and configuration out of reach', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    initialize(cwd);
    expect((await run(commit, context)).text).toBe('second\nfirst');
    expect(
      (await run('git switch -qc other && git stash list && git tag t && git gc -q', context)).text,
    ).toBe('(no output)');
    const config = readFileSync(join(cwd, '.git/config'), 'utf8');
    const attacks = [
      'echo evil > .git/hooks/pre-commit',
      'git config core.fsmonitor ./evil',
      'echo "[core] fsmonitor = evil" >> .git/config',
      'mv .git/config .git/c2',
      'mv .git/hooks .git/h2',
      'mv .git g2',
      'rm -rf .git/hooks',
      'mkdir evil; echo ../evil > .git/commondir',
      'echo x > .git/config.worktree',
    ];
    const result = await run(attacks.join('; '), context);
    expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(config);
    expect(existsSync(join(cwd, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(join(cwd, '.git/commondir'))).toBe(false);
    expect(existsSync(join(cwd, '.git/config.worktree'))).toBe(false);
    expect(result.text).toContain(`--sandbox-write ${cwd}/.git/hooks or`);
    expect(result.text).toContain(`--sandbox-write ${cwd}/.git/config or`);
    expect(git(cwd, 'log', '--format=%s').split('\n')[0]).toBe('second');
  });

  it('commits from a directory below the repository', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    initialize(cwd);
    const below = join(cwd, 'packages');
    mkdirSync(below);
    const result = await run(commit, { ...context, workspace: { ...context.workspace, cwd: below } });
    expect(result.text).toBe('second\nfirst');
  });

  it('commits in a linked worktree, whose git directory lies elsewhere', async () => {
    const context = sandboxed();
    const main = join(dirname(context.workspace.cwd), 'main');
    mkdirSync(main);
    initialize(main);
    rmSync(context.workspace.cwd, { recursive: true });
    git(main, 'worktree', 'add', '-q', '-b', 'side', context.workspace.cwd);
    expect((await run(commit, context)).text).toBe('second\nfirst');
    const result = await run(
      `echo evil > ${main}/.git/hooks/post-commit; echo x > ${main}/file; echo "gitdir: /evil" > .git`,
      context,
    );
    expect(result.text.match(/Read-only file system/g)).toHaveLength(3);
  });

  it('commits in a submodule, and protects the hooks of submodules', async () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    const library = join(dirname(cwd), 'library');
    mkdirSync(library);
    initialize(library);
    initialize(cwd);
    git(cwd, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
    git(join(cwd, 'lib'), 'config', 'user.name', 'n');
    git(join(cwd, 'lib'), 'config', 'user.email', 'e@x');
    expect((await run(`cd lib && ${commit}`, context)).text).toBe('second\nfirst');
    await run(
      'echo evil > .git/modules/lib/hooks/pre-commit; mv .git/modules .git/m2; mv .git/modules/lib .git/modules/l2',
      context,
    );
    expect(existsSync(join(cwd, '.git/modules/lib/hooks/pre-commit'))).toBe(false);
    expect(existsSync(join(cwd, '.git/modules/lib/config'))).toBe(true);
    const inside = { ...context, workspace: { ...context.workspace, cwd: join(cwd, 'lib') } };
    expect(
      (await run('echo more > file && git commit -qam third && git log -1 --format=%s', inside)).text,
    ).toBe('third');
  });

  it('lets no repository name a foreign directory as its own', async () => {
    const context = sandboxed();
    const victim = join(dirname(context.workspace.cwd), 'victim');
    mkdirSync(victim);
    initialize(victim);
    writeFileSync(join(context.workspace.cwd, '.git'), `gitdir: ${victim}/.git\n`);
    const result = await run(`echo x > ${victim}/.git/x`, context);
    expect(result.text).toContain('Read-only file system');
  });
});

describe.skipIf(!hasBubblewrap)(`processes in the sandbox${reason}`, () => {
  it('gives exit codes, signals and output unchanged', async () => {
    const context = sandboxed();
    expect((await run('echo one; echo two > /dev/stderr; exit 3', context)).text).toBe(
      'one\ntwo\n[exit code 3]',
    );
    expect((await run('kill -SEGV $$', context)).text).toBe('[no output, exit code 139 (SIGSEGV)]');
    const long = await run('seq 1 300000', context);
    expect(long.text).toMatch(/^1\n2\n/);
    expect(long.text).toMatch(/\n300000$/);
    expect(readFileSync(join(context.outputDir, 'call-1.txt'), 'utf8')).toHaveLength(1_988_895);
  });

  it('ends what left the process group by setsid', async () => {
    const context = sandboxed();
    await run(
      "setsid nohup bash -c 'while true; do date +%s%N > beat; sleep 0.05; done' > /dev/null 2>&1 & until [ -s beat ]; do sleep 0.02; done",
      context,
    );
    const beat = join(context.workspace.cwd, 'beat');
    const last = readFileSync(beat, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(readFileSync(beat, 'utf8')).toBe(last);
  });

  it('has no capabilities and sees only its own processes', async () => {
    const result = await run(
      'grep -E "^Cap(Eff|Prm|Bnd)" /proc/self/status; ls -d /proc/[0-9]* | wc -l; mount -o remount,rw / 2>&1',
      sandboxed(),
    );
    expect(result.text).toMatch(/CapPrm:\s0+\nCapEff:\s0+\n/);
    expect(Number(/^\d+$/m.exec(result.text)?.[0])).toBeLessThan(8);
    expect(result.isError).toBe(true);
  });

  it('lets a command tidy up when it is interrupted, and kills one that does not end', async () => {
    const controller = new AbortController();
    const context = sandboxed({}, { signal: controller.signal });
    const started = run(
      "trap 'echo tidied > tidied; exit 0' TERM; echo > ready; while true; do sleep 0.05; done",
      context,
    );
    await until(() => existsSync(join(context.workspace.cwd, 'ready')));
    controller.abort();
    expect((await started).text).toContain('interrupted after');
    expect(existsSync(join(context.workspace.cwd, 'tidied'))).toBe(true);
    const stubborn = await run(
      { command: "trap '' TERM; setsid sleep 1001 & while true; do sleep 0.1; done", timeout: 300 },
      sandboxed(),
    );
    expect(stubborn.text).toContain('timed out');
    expect(commandLines()).not.toContain('sleep\u00001001');
  });

  it('runs in the background, and tells there too what was blocked', async () => {
    const context = sandboxed();
    await run({ command: 'sleep 0.1; echo x > /usr/x; exit 1', run_in_background: true }, context);
    let text = '';
    await until(async () => {
      text += (await run({ job: { action: 'read' } }, context)).text;
      return text.includes('ended after');
    });
    expect(text).toContain('[sandbox: writing /usr/x is not allowed');
  });
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const withoutCurl = hasCurl ? '' : ' (not here: there is no curl)';

describe.skipIf(!hasBubblewrap || !hasCurl)(`the network of the sandbox${reason}${withoutCurl}`, () => {
  it('is off, and says which host was not reached', async () => {
    const result = await run('curl -sS http://registry.example.org/', sandboxed());
    expect(result.text).toContain(
      '--sandbox-host registry.example.org or the setting sandbox.network.allow]',
    );
    const { port } = await startServer('127.0.0.1');
    expect((await run(`curl -sS http://127.0.0.1:${port}/`, sandboxed())).isError).toBe(true);
  });

  it('lets allowed hosts through a proxy and names those it refused', async () => {
    const { port } = await startServer('127.0.0.2');
    const context = sandboxed({ network: { allow: [`127.0.0.2:${port}`] } });
    expect((await run(`curl -sS http://127.0.0.2:${port}/a?b=1`, context)).text).toBe('GET /a?b=1');
    expect((await run(`curl -sS -p http://127.0.0.2:${port}/tunnel`, context)).text).toBe('GET /tunnel');
    expect((await run(`curl -sS -d body http://127.0.0.2:${port}/`, context)).text).toBe('POST / body');
    const refused = await run(
      'curl -sSf https://evil.example.org/; curl -s http://evil.example.org:8080/',
      context,
    );
    expect(refused.text).toContain(
      '[sandbox: evil.example.org was blocked; the user can grant it with --sandbox-host evil.example.org or',
    );
    expect(refused.text).toContain('--sandbox-host evil.example.org:8080 or');
    const direct = await run(`curl -sS --noproxy '*' http://127.0.0.2:${port}/`, context);
    expect(direct.isError).toBe(true);
    expect((await run('exit 7', context)).text).toBe('[no output, exit code 7]');
  });

  it('lets a command reach the servers it starts itself', async () => {
    const script = `const s = require('http').createServer((q, r) => r.end('own')).listen(8123, '127.0.0.1', () => fetch('http://127.0.0.1:8123').then(r => r.text()).then(t => { console.log(t); s.closeAllConnections(); s.close(); }))`;
    expect((await run(`node -e "${script}"`, sandboxed())).text).toBe('own');
  });

  it('is that of the machine where it is on', async () => {
    const { port } = await startServer('127.0.0.1');
    expect((await run(`curl -sS http://127.0.0.1:${port}/`, sandboxed({ network: 'on' }))).text).toBe(
      'GET /',
    );
  });
});

describe.skipIf(!hasBubblewrap || process.getuid?.() !== 0)(`without privileges${reason}`, () => {
  let base = '';
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(outsideTemporary, '.robota-sandbox-test-')));
    chmodSync(base, 0o755);
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  });

  it('encloses the commands of an ordinary user as well', async () => {
    const [cwd, home] = ['work', 'home'].map((name) => join(base, name)) as [string, string];
    for (const directory of [cwd, home, join(home, '.ssh')]) {
      mkdirSync(directory);
      chownSync(directory, 65534, 65534);
    }
    writeFileSync(join(home, '.ssh', 'id'), 'CANARY');
    const context = toolContext({ workspace: { cwd, additional: [], home } });
    context.state.get(sandboxAccess).mode = 'required';
    const directory = context.state.get(sandboxDirectory);
    onTestFinished(() => directory.dispose());
    for (const path of [dirname(directory.temporary), directory.temporary, directory.unreadable])
      chownSync(path, 65534, 65534);
    const sandbox = await enterSandbox(context);
    const script = `id -u; cd ${cwd}; git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m x && git log --format=%s; cat ${home}/.ssh/id; touch ${home}/x /usr/x; grep CapEff /proc/self/status; true`;
    const [file = '', ...args] = sandbox?.wrap(['/bin/bash', '-c', `exec 2>&1; ${script}`]) ?? [];
    const text = execFileSync(file, args, {
      uid: 65534,
      gid: 65534,
      cwd,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      encoding: 'utf8',
    });
    expect(text).toMatch(/^65534\n(hint: .*\n)*x\n/);
    expect(text).not.toContain('CANARY');
    expect(text.match(/Read-only file system/g)).toHaveLength(2);
    expect(text).toMatch(/CapEff:\s0+$/m);
  });
});

async function startServer(host: string): Promise<AddressInfo> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += ` ${chunk}`;
    });
    request.on('end', () => response.end(`${request.method} ${request.url}${body}`));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server.address() as AddressInfo;
}

function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}
