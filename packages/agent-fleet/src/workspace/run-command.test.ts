import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findSandbox } from '@robota-sdk/agent-sdk/front-end';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AttemptWorkspace, CommandOptions } from '../contract/attempt-workspace.ts';
import { TestFleet } from './fixtures/repository.ts';

let fleet: TestFleet;
let workspace: AttemptWorkspace;
beforeEach(async () => {
  fleet = new TestFleet();
  vi.stubEnv('HOME', fleet.env['HOME']);
  workspace = await fleet.open({ repo: fleet.repository() });
});
afterEach(() => {
  vi.unstubAllEnvs();
  fleet.end();
});

const hasSandbox = (await findSandbox()).kind !== 'missing';
const run = (command: string, options: Partial<CommandOptions> = {}) =>
  workspace.run(command, { signal: new AbortController().signal, sandbox: hasSandbox, ...options });

describe('a command of a task', () => {
  it('runs in the directory with a real shell, and gives exit code, time and the end of its output', async () => {
    const result = await run('pwd; for i in $(seq 5000); do echo "line $i"; done; exit 3');
    expect(result.exitCode).toBe(3);
    expect(result.tail.length).toBeLessThanOrEqual(8_000);
    expect(result.tail).toMatch(/line 5000$/);
    expect(result.durationMs).toBeGreaterThan(0);
    expect((await run('pwd && git log --format=%s')).tail).toBe(`${workspace.directory}\nfirst`);
  });

  it.each(['no-such-program --x', './a.txt', 'npm-that-is-missing test && echo ok'])(
    'tells that %j cannot start from a failure',
    async (command) => {
      expect(await run(command)).toMatchObject({ cannotStart: true });
    },
  );

  it('sees no secret of the worker, in whatever form it would print it', async () => {
    for (const name of ['GH_TOKEN', 'LAB_KEY', 'PGPASSWORD', 'ROBOTA_FLEET'])
      vi.stubEnv(name, `the value of ${name}`);
    vi.stubEnv('CACHE_ADDRESS', 'redis://user:hidden@cache:6379');
    vi.stubEnv('PLAIN', 'a plain value');
    const other = await fleet.open({ repo: fleet.repository(undefined, 'other'), taskId: 't2' });
    const options = { signal: new AbortController().signal, sandbox: hasSandbox };
    const names = 'env | cut -d= -f1; echo "$PLAIN"; printf %s "$GH_TOKEN$LAB_KEY" | base64';
    const { tail } = await other.run(names, options);
    expect(tail.split('\n')).toEqual(expect.arrayContaining(['PLAIN', 'a plain value']));
    expect(tail).not.toMatch(/GH_TOKEN|LAB_KEY|PGPASSWORD|ROBOTA_FLEET|CACHE_ADDRESS|dGhlIHZhbHVl/);
    const set = await other.setUp('echo "it is $LAB_KEY"; false', options);
    expect(set).toMatchObject({ tail: 'it is [redacted]' });
  });

  it.skipIf(!hasSandbox)(
    "has the access that the user's settings give, and is in a sandbox whatever their mode",
    async () => {
      const [open, closed] = ['open', 'closed'].map((name) => join(fleet.root, name));
      for (const path of [open, closed]) mkdirSync(path ?? '');
      const settings = join(fleet.env['HOME'] ?? '', '.robota');
      mkdirSync(settings);
      const sandbox = { mode: 'off', writable: [open] };
      writeFileSync(join(settings, 'settings.json'), JSON.stringify({ sandbox }));
      const tried = await run(`touch ${open}/file; touch ${closed}/file`);
      expect(tried.exitCode).not.toBe(0);
      expect([open, closed].map((path) => readdirSync(path ?? ''))).toEqual([['file'], []]);
    },
  );

  it('that fails did start', async () => {
    const result = await run('false');
    expect(result.exitCode).toBe(1);
    expect(result.cannotStart).toBeUndefined();
  });

  it('ends with all its processes at its time limit, and when it is aborted', async () => {
    const late = await run('(sleep 61; echo late) & sleep 62', { timeoutMs: 300 });
    expect(late).toMatchObject({ exitCode: null, timedOut: true });
    expect(late.tail).toContain('timed out');
    const controller = new AbortController();
    const aborted = run('touch started; sleep 63', { signal: controller.signal });
    while (!existsSync(join(workspace.directory, 'started'))) await sleep(10);
    controller.abort();
    await expect(aborted).rejects.toThrow();
    await vi.waitFor(() => expect(sleepers()).toEqual([]));
  });

  it('leaves no process behind when it ends', async () => {
    expect(await run('sleep 64 >/dev/null 2>&1 & echo done')).toMatchObject({ exitCode: 0, tail: 'done' });
    await vi.waitFor(() => expect(sleepers()).toEqual([]));
  });

  it('shows no secret of its environment, and no key of a model gets into it', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-very-secret-key-0123456789');
    const env = { NPM_TOKEN: 'npm-secret-value-1' };
    const result = await run('echo "[$NPM_TOKEN] [$ANTHROPIC_API_KEY]"', { env });
    expect(result.tail).toBe('[[redacted]] []');
  });

  it.skipIf(!hasSandbox)(
    "sees in the sandbox neither the home directory nor other tasks nor the mirror's refs",
    async () => {
      mkdirSync(join(fleet.env['HOME'] ?? '', '.ssh'));
      writeFileSync(join(fleet.env['HOME'] ?? '', '.ssh', 'id'), 'private');
      const other = await fleet.open({ repo: join(fleet.root, 'repo'), taskId: 't2' });
      writeFileSync(join(fleet.root, 'auth.json'), 'private');
      const looks = await run(
        `cat ~/.ssh/id ${fleet.root}/auth.json; ls ${other.directory}; ls ${fleet.home.directory}/attempts; touch ${workspace.readable[0]}/x; echo end`,
      );
      expect(looks.tail).toMatch(/end/);
      expect(looks.tail).not.toMatch(/private|a\.txt|worktree\.json/);
      expect(existsSync(`${workspace.readable[0]}/x`)).toBe(false);
      const commits = await run(
        'echo x >b.txt && git add -A && git -c user.name=a -c user.email=b commit -qm x && git log --oneline | wc -l',
      );
      expect(commits).toMatchObject({ exitCode: 0 });
      expect(commits.tail.trim()).toMatch(/^2\b/);
    },
  );

  it.skipIf(!hasSandbox)('has what the user grants to sessions', async () => {
    const home = join(fleet.root, 'settings-home');
    vi.stubEnv('ROBOTA_HOME', home);
    const shared = join(fleet.root, 'shared');
    mkdirSync(shared);
    expect(await run(`echo x >${shared}/x`)).not.toMatchObject({ exitCode: 0 });
    mkdirSync(home);
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ sandbox: { writable: [shared] } }));
    expect(await run(`echo x >${shared}/x`)).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(shared, 'x'))).toBe(true);
  });

  it.skipIf(!hasSandbox)('leaves no temporary files', async () => {
    const before = readdirSync(tmpdir());
    await run('echo secret >/tmp/kept');
    expect(
      readdirSync(tmpdir()).filter((name) => !before.includes(name) && name.startsWith('robota-sandbox')),
    ).toEqual([]);
  });
});

/** The sleeping processes that commands of this test started. */
function sleepers(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words[0] === 'sleep' && /^6[1-4]$/.test(words[1] ?? '') ? [pid] : [];
      } catch {
        return [];
      }
    });
}
