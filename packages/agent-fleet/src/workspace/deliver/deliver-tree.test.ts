import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '@robota-sdk/agent-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptWorkspace, DeliveryRequest } from '../../contract/attempt-workspace.ts';
import { LostLeaseError } from '../../contract/database.ts';
import { FakeForges } from '../fixtures/forges.ts';
import { filesIn, TestFleet, writeFiles } from '../fixtures/repository.ts';
import { endOf, startWorker } from '../fixtures/worker.ts';
import { parseRemote } from './remote-repository.ts';

let fleet: TestFleet;
beforeEach(() => {
  fleet = new TestFleet();
});
afterEach(() => fleet.end());

const branch = 'robota/t1-fix';
const request = (extra: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  kind: 'branch',
  branch,
  title: 'Fix the cart',
  body: 'Tax is added once.',
  assertLease: async () => {},
  ...extra,
});
const changed = async (repo: string, taskId = 't1'): Promise<AttemptWorkspace> => {
  const workspace = await fleet.open({ repo, taskId });
  writeFiles(workspace.directory, { 'a.txt': 'two\nthree\n', 'b.txt': 'b\n' });
  return workspace;
};

describe('delivery as a branch', () => {
  it('holds the files that passed, whatever lies in the directory since', async () => {
    const repo = fleet.repository();
    const workspace = await changed(repo);
    const tree = await workspace.snapshot();
    writeFiles(workspace.directory, { 'a.txt': 'left by a check\n', 'c.txt': 'c\n' });
    await workspace.deliver(request({ tree }));
    expect(fleet.git(repo, 'rev-parse', `${branch}^{tree}`)).toBe(tree);
    const missing = request({ tree: '0123456789012345678901234567890123456789' });
    await expect(workspace.deliver(missing)).rejects.toThrow('that passed are not on this machine');
  });

  it('puts one commit of the user on a branch of the local repository, which is otherwise as before', async () => {
    const repo = fleet.repository();
    writeFiles(repo, { 'a.txt': 'of the user\n', 'untracked.txt': 'u\n' });
    fleet.git(repo, 'stash', '-q');
    writeFiles(repo, { 'a.txt': 'of the user again\n' });
    const before = {
      files: filesIn(repo),
      refs: fleet.git(repo, 'for-each-ref'),
      head: fleet.git(repo, 'symbolic-ref', 'HEAD'),
    };
    const workspace = await changed(repo);
    const result = await workspace.deliver(request());
    expect(result).toMatchObject({ branch, filesChanged: 2, added: 3, removed: 1 });
    expect(fleet.git(repo, 'log', '-1', '--format=%an <%ae>|%P|%B', branch)).toBe(
      `Ada <ada@example.com>|${workspace.baseCommit}|Fix the cart

Tax is added once.

Robota-Task: t1`,
    );
    expect(fleet.git(repo, 'show', `${branch}:b.txt`)).toBe('b');
    fleet.git(repo, 'fsck', '--strict');
    expect(await workspace.deliver(request())).toEqual(result);
    fleet.git(repo, 'update-ref', '-d', `refs/heads/${branch}`);
    const after = {
      files: filesIn(repo),
      refs: fleet.git(repo, 'for-each-ref'),
      head: fleet.git(repo, 'symbolic-ref', 'HEAD'),
    };
    expect(after).toEqual(before);
    expect(readdirSync(join(repo, '.git'))).not.toContain('FETCH_HEAD');
  });

  it('pushes to a server once, moves a branch that the task itself put there, and no other', async () => {
    const server = fleet.server();
    const workspace = await changed(server.url);
    const first = await workspace.deliver(request());
    expect(await workspace.deliver(request())).toEqual(first);
    expect(fleet.git(server.directory, 'rev-parse', branch)).toBe(first.commit);
    writeFiles(workspace.directory, { 'b.txt': 'better\n' });
    const second = await workspace.deliver(request());
    expect(fleet.git(server.directory, 'rev-parse', branch)).toBe(second.commit);
    fleet.git(server.directory, 'update-ref', `refs/heads/${branch}`, 'main');
    await expect(workspace.deliver(request())).rejects.toMatchObject({
      reason: {
        code: 'delivery-failed',
        message: expect.stringMatching(/already has a branch.*other commits/),
      },
    });
    expect(fleet.git(server.directory, 'rev-parse', branch)).toBe(
      fleet.git(server.directory, 'rev-parse', 'main'),
    );
  });

  it('never moves a branch of the user that is different, nor one that is checked out', async () => {
    const repo = fleet.repository();
    const workspace = await changed(repo);
    fleet.git(repo, 'branch', branch);
    await expect(workspace.deliver(request())).rejects.toThrow(/already has a branch/);
    expect(fleet.git(repo, 'rev-parse', branch)).toBe(workspace.baseCommit);
    fleet.git(repo, 'branch', '-D', branch);
    await workspace.deliver(request());
    fleet.git(repo, 'checkout', '-q', branch);
    writeFiles(workspace.directory, { 'b.txt': 'better\n' });
    await expect(workspace.deliver(request())).rejects.toThrow(/checked out/);
  });

  it('accepts the same work that another machine delivered with another author', async () => {
    const server = fleet.server();
    const first = await (await changed(server.url)).deliver(request());
    const other = new TestFleet();
    try {
      writeFileSync(
        join(other.env['HOME'] ?? '', '.gitconfig'),
        '[user]\n\tname = Bob\n\temail = bob@example.com\n',
      );
      const workspace = await other.open({ repo: server.url, taskId: 't1' });
      writeFiles(workspace.directory, { 'a.txt': 'two\nthree\n', 'b.txt': 'b\n' });
      expect(await workspace.deliver(request())).toEqual(first);
    } finally {
      other.end();
    }
  });

  it('says nothing changed where nothing did', async () => {
    const repo = fleet.repository();
    const workspace = await fleet.open({ repo });
    expect(await workspace.deliver(request())).toEqual({ filesChanged: 0, added: 0, removed: 0 });
    expect(fleet.git(repo, 'branch', '--list', 'robota/*')).toBe('');
  });

  it('sends nothing once the lease is lost', async () => {
    const server = fleet.server();
    const repo = fleet.repository();
    const lost = new LostLeaseError({ taskId: 't1', worker: 'w', epoch: 1 });
    for (const source of [server.url, repo])
      for (const after of [0, 1, 2, 3, 4]) {
        // The repositories have different commits, so that they cannot share a task.
        const workspace = await changed(source, `${source === repo ? 'local' : 'server'}${after}`);
        let left = after;
        const assertLease = async () => {
          if (left === 0) throw lost;
          left -= 1;
        };
        const delivered = await workspace
          .deliver(request({ assertLease }))
          .catch((thrown: unknown) => thrown);
        const found = fleet.git(source === repo ? repo : server.directory, 'branch', '--list', branch);
        expect(found !== '').toBe(delivered !== lost);
        if (found !== '') break;
      }
  });

  it('is refused by the repository where another worker took the task between the last check and the push', async () => {
    for (const source of [fleet.server(), { url: fleet.repository(), directory: '' }]) {
      const directory = source.directory || source.url;
      const refs = () => fleet.git(directory, 'for-each-ref', '--format=%(refname)', 'refs/robota');
      for (let stoppedAt = 3, isOver = false; !isOver; stoppedAt++) {
        const { zombie, successor } = await stopZombie(source.url, stoppedAt);
        isOver = successor === undefined;
        if (isOver) expect([zombie, stoppedAt > 3]).toEqual([expect.objectContaining({ branch }), true]);
        else expect([stoppedAt, zombie instanceof Error]).toEqual([stoppedAt, true]);
        const commit = successor ?? (zombie as { readonly commit: string }).commit;
        expect(fleet.git(directory, 'rev-parse', branch)).toBe(commit);
        expect(refs()).toBe('');
        fleet.git(directory, 'update-ref', '-d', `refs/heads/${branch}`);
      }
    }
  });

  it('is refused as well before the other worker delivers', async () => {
    for (const source of [fleet.server(), { url: fleet.repository(), directory: '' }]) {
      const directory = source.directory || source.url;
      const taskId = source.directory === '' ? 'local' : 'server';
      const other = new TestFleet();
      const lease = { taskId, worker: 'one', epoch: 1 };
      const refs = () => fleet.git(directory, 'for-each-ref', '--format=%(refname)', 'refs/robota');
      let isFenced = false;
      // Stopped after the last check, which is the one behind the fence.
      const assertLease = async () => {
        if (isFenced) throw new LostLeaseError(lease);
        if (refs() === '') return;
        isFenced = true;
        const taken = { taskId, worker: 'two', epoch: 2 };
        await other.open({ repo: source.url, taskId, lease: taken, isTakeover: true });
      };
      try {
        const workspace = await fleet.open({ repo: source.url, taskId, lease, assertLease });
        writeFiles(workspace.directory, { 'a.txt': 'of the zombie\n' });
        await expect(workspace.deliver(request({ assertLease }))).rejects.toThrow(LostLeaseError);
        expect([isFenced, refs()]).toEqual([true, '']);
        expect(fleet.git(directory, 'branch', '--list', branch)).toBe('');
      } finally {
        other.end();
      }
    }
  });

  /** Delivers by a worker that passes a check of its lease, is stopped, and runs again when its successor is done. */
  async function stopZombie(repo: string, stoppedAt: number) {
    const taskId = `${repo.startsWith('/') ? 'local' : 'server'}-${stoppedAt}`;
    const other = new TestFleet();
    let checks = 0;
    let successor: string | undefined;
    const lease = { taskId, worker: 'one', epoch: 1 };
    const assertLease = async () => {
      if (successor !== undefined) throw new LostLeaseError(lease);
      checks += 1;
      if (checks !== stoppedAt) return;
      const taken = await other.open({ repo, taskId, lease: { taskId, worker: 'two', epoch: 2 } });
      writeFiles(taken.directory, { 'a.txt': 'of the successor\n' });
      successor = (await taken.deliver(request())).commit;
    };
    try {
      const workspace = await fleet.open({ repo, taskId, lease, assertLease });
      writeFiles(workspace.directory, { 'a.txt': 'of the zombie\n' });
      const zombie = await workspace.deliver(request({ assertLease })).catch((thrown: unknown) => thrown);
      return { zombie, successor };
    } finally {
      other.end();
    }
  }

  it.each([
    [
      'a hook that refuses',
      "echo 'GH006: Protected branch update failed' >&2; exit 1",
      /allow branches named robota/,
    ],
    ['a missing login', '', /Log in/],
  ])('explains %s, and keeps the work', async (name, hook, advice) => {
    const server = fleet.server();
    const workspace = await changed(server.url);
    if (hook !== '') writeFiles(server.directory, { 'hooks/pre-receive': { run: `#!/bin/sh\n${hook}\n` } });
    else
      writeFileSync(
        join(fleet.root, 'ssh'),
        "#!/bin/sh\necho 'git@server: Permission denied (publickey).' >&2\nexit 255\n",
      );
    const thrown = (await workspace.deliver(request()).catch((error: unknown) => error)) as {
      reason?: { code: string; message: string };
    };
    expect([name, thrown.reason?.code]).toEqual([name, 'delivery-failed']);
    expect(thrown.reason?.message).toMatch(advice);
    const commit = /commit ([0-9a-f]{12})/.exec(thrown.reason?.message ?? '')?.[1] ?? '';
    expect(fleet.git(join(workspace.readable[0] ?? '', '..'), 'show', `${commit}:b.txt`)).toBe('b');
  });
});

describe('delivery as a patch', () => {
  it('applies with git am and git apply, binary files and names with spaces included', async () => {
    const repo = fleet.repository();
    const workspace = await fleet.open({ repo });
    writeFiles(workspace.directory, {
      'a.txt': 'two\n',
      'with space.bin': new Uint8Array([0, 1, 255]),
      'new\nline': 'x',
    });
    const { patch = '', filesChanged } = await workspace.deliver(request({ kind: 'patch' }));
    expect(filesChanged).toBe(3);
    fleet.git(repo, 'am', '-q', patch);
    expect(filesIn(repo)).toEqual(filesIn(workspace.directory));
    fleet.git(repo, 'reset', '-q', '--hard', 'HEAD~1');
    fleet.git(repo, 'apply', patch);
    expect(filesIn(repo)).toEqual(filesIn(workspace.directory));
    expect(readFileSync(patch, 'utf8')).toContain('Subject: [PATCH] Fix the cart');
  });
});

describe('delivery as a pull request', () => {
  const hosts = { gh: 'github.com', glab: 'gitlab.com', tea: 'git.example.com' } as const;

  it.each(['gh', 'glab', 'tea', 'tea-cli'] as const)(
    'is made by %s once, as a draft where asked',
    async (file) => {
      const name = file === 'tea-cli' ? 'tea' : file;
      const forges = new FakeForges(fleet, name === 'tea' ? [file] : undefined);
      const server = fleet.server(undefined, hosts[name]);
      forges.fork(branch);
      const workspace = await changed(server.url);
      const result = await workspace.deliver(request({ kind: 'draft-pr' }));
      expect(await workspace.deliver(request({ kind: 'draft-pr' }))).toEqual(result);
      expect(forges.pulls).toHaveLength(1);
      const [pull] = forges.pulls;
      expect(pull).toMatchObject({
        program: name,
        head: branch,
        base: 'main',
        body: 'Tax is added once.',
        url: result.url,
      });
      expect([pull?.draft, pull?.title]).toEqual(
        name === 'tea' ? [false, 'WIP: Fix the cart'] : [true, 'Fix the cart'],
      );
      expect(fleet.git(server.directory, 'rev-parse', branch)).toBe(result.commit);
    },
  );

  it.skipIf(findProgram('gh') === undefined)('uses options that the real gh has', () => {
    const helpOf = (...words: string[]) =>
      execFileSync('gh', [...words, '--help'], { env: fleet.env, encoding: 'utf8' });
    const missing = (text: string, names: string) =>
      names.split(' ').filter((name) => !text.includes(`--${name} `));
    expect(missing(helpOf('pr', 'list'), 'repo head state json limit')).toEqual([]);
    expect(missing(helpOf('pr', 'create'), 'repo head title base body-file draft')).toEqual([]);
    expect(missing(helpOf('auth', 'status'), 'hostname')).toEqual([]);
  });

  it('goes from a local repository to its remote, and leaves the branch there and here', async () => {
    const forges = new FakeForges(fleet);
    const server = fleet.server(undefined, 'github.com');
    fleet.git(fleet.root, 'clone', '-q', server.directory, 'clone');
    const repo = join(fleet.root, 'clone');
    fleet.git(repo, 'remote', 'set-url', 'origin', server.url);
    const result = await (await changed(repo)).deliver(request({ kind: 'pr' }));
    expect(forges.pulls).toMatchObject([{ head: branch, draft: false }]);
    expect(fleet.git(server.directory, 'rev-parse', branch)).toBe(result.commit);
    expect(fleet.git(repo, 'rev-parse', branch)).toBe(result.commit);
  });

  it.each(['create-before', 'create-after', 'list', 'login'] as const)(
    'ends with one after a failure at %s',
    async (point) => {
      const forges = new FakeForges(fleet);
      const workspace = await changed(fleet.server(undefined, 'github.com').url);
      forges.failAt(point);
      const first = await workspace.deliver(request({ kind: 'pr' })).catch((thrown: unknown) => thrown);
      if (point === 'create-after') expect(first).toMatchObject({ url: 'https://gh.test/1' });
      else
        expect(first).toMatchObject({
          reason: {
            code: 'delivery-failed',
            message: expect.stringMatching(/gh .*failed: .*The branch is delivered/),
          },
        });
      forges.failAt(undefined);
      expect(await workspace.deliver(request({ kind: 'pr' }))).toMatchObject({ url: 'https://gh.test/1' });
      expect(forges.pulls).toHaveLength(1);
    },
  );

  it('says which program is missing, and that the branch is there', async () => {
    // Only what a delivery needs: this machine may have one of the programs.
    const programs = join(fleet.root, 'bin');
    mkdirSync(programs);
    for (const name of ['git', 'sh', 'env']) symlinkSync(`/usr/bin/${name}`, join(programs, name));
    fleet.env['PATH'] = programs;
    const server = fleet.server(undefined, 'github.com');
    const workspace = await changed(server.url);
    await expect(workspace.deliver(request({ kind: 'pr' }))).rejects.toMatchObject({
      reason: {
        code: 'delivery-failed',
        message: expect.stringMatching(/gh is not installed.*branch is delivered.*Install gh/),
      },
    });
    expect(fleet.git(server.directory, 'branch', '--list', branch)).not.toBe('');
    const elsewhere = await changed(fleet.server(undefined, 'code.example.org').url, 't2');
    await expect(elsewhere.deliver(request({ kind: 'pr' }))).rejects.toThrow(
      /None of gh, glab, tea is installed and logged in/,
    );
    const local = await changed(fleet.repository(), 't3');
    await expect(local.deliver(request({ kind: 'pr' }))).rejects.toThrow(/no remote on a server/);
  });

  it('ends with one branch and one pull request wherever kill -9 hits the process', async () => {
    const forges = new FakeForges(fleet);
    const server = fleet.server(undefined, 'github.com');
    let moment = 0;
    for (let isKilled = true; isKilled; ) {
      moment += 1;
      const taskId = `k${moment}`;
      const order = {
        request: { repo: server.url, taskId, attempt: 1 },
        write: { 'b.txt': `${moment}\n` },
        deliver: { kind: 'pr', branch: `robota/${taskId}`, title: 't', body: 'b' },
      } as const;
      const worker = await startWorker(fleet, order);
      forges.killAt(moment, worker.pid ?? 0);
      const { code, output } = await endOf(worker);
      isKilled = code === null;
      expect([0, null], output).toContain(code);
      if (isKilled) {
        forges.killAt(0, 0);
        const again = await fleet.open(order.request);
        writeFiles(again.directory, order.write);
        await again.deliver(request(order.deliver));
      }
      expect(forges.pulls.filter((pull) => pull.head === `robota/${taskId}`)).toHaveLength(1);
      expect(fleet.git(server.directory, 'branch', '--list', 'robota/*').split('\n')).toHaveLength(moment);
      expect(fleet.git(server.directory, 'show', `robota/${taskId}:b.txt`)).toBe(String(moment));
    }
    expect(moment).toBeGreaterThan(10);
  });
});

it.each([
  ['https://github.com/o/n.git', 'github.com', 'o/n'],
  ['https://user:secret@gitlab.com/group/sub/n', 'gitlab.com', 'group/sub/n'],
  ['git@github.com:o/n.git', 'github.com', 'o/n'],
  ['ssh://git@git.example.com:2222/o/n/', 'git.example.com', 'o/n'],
])('reads the host and path of %s', (url, host, path) => {
  expect(parseRemote(url)).toMatchObject({ host, path });
});

it.each(['/srv/git/n', '../n', 'file:///srv/n', 'ext::sh'])('takes %s for no server', (url) => {
  expect(parseRemote(url)).toBeUndefined();
});
