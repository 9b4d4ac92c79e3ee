import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withoutPrivileges } from '@robota-sdk/agent-testing';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';
import type { SessionProblem } from './session-problem.ts';

let home: string;
let problems: SessionProblem[];
let store: JsonlSessionStore;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-disk-'));
  // The fallback folder for lines that cannot be saved.
  vi.stubEnv('TMPDIR', home);
  problems = [];
  store = new JsonlSessionStore({ home, onProblem: (problem) => problems.push(problem) });
});

afterEach(() => {
  vi.unstubAllEnvs();
  // After dropping privileges the environment's temporary directory is not used.
  for (const { message } of problems)
    rmSync(/robota --session (\S+)$/.exec(message)?.[1] ?? '', { force: true });
  rmSync(home, { recursive: true, force: true });
});

const conversation = [user('hi'), call('t1'), result('t1'), assistant('done')];

/** A closed session with four messages. */
async function sample(): Promise<{ id: string; file: string }> {
  const handle = await store.create({ cwd: home });
  for (const message of conversation) await handle.append({ type: 'message', message });
  await handle.close();
  return { id: handle.id, file: join(handle.directory ?? '', 'session.jsonl') };
}

/** Writes more than it may, and tells what it was told. */
const growing = `
  import { user } from '../fixtures/messages.ts';
  import { JsonlSessionStore } from './jsonl-store.ts';

  process.on('SIGXFSZ', () => {});
  const problems = [];
  const store = new JsonlSessionStore({ home: process.argv[2], onProblem: ({ code }) => problems.push(code) });
  const handle = await store.create({ cwd: '/', id: 'grown' });
  let whole = 0;
  for (let count = 0; count < 40; count++) {
    await handle.append({ type: 'message', message: user('x'.repeat(500)) }, { durable: true });
    if (problems.length === 0) whole++;
  }
  const messages = handle.messages().length;
  await handle.close();
  console.log(JSON.stringify({ problems, messages, whole }));
`;

describe('a failing disk', () => {
  it('lets the session continue in memory, says so once, and saves when it can', async () => {
    writeFileSync(join(home, 'sessions'), 'a file where a directory should be');
    const handle = await store.create({ cwd: home });
    for (const message of conversation) await handle.append({ type: 'message', message }, { durable: true });
    expect(handle.messages()).toEqual(conversation);
    expect(problems.map(({ code }) => code)).toEqual(['disk']);
    expect(problems[0]?.hint).toMatch(/continues in memory/);
    rmSync(join(home, 'sessions'));
    await handle.append({ type: 'message', message: user('once more') });
    expect(problems.map(({ code }) => code)).toEqual(['disk', 'disk-recovered']);
    await handle.close();
    const again = await store.open(handle.id, { mode: 'read' });
    expect(again.path()).toHaveLength(5);
  });

  it('tells that a name is not saved', async () => {
    const { id, file } = await sample();
    chmodSync(file, 0o400);
    chmodSync(dirname(file), 0o500);
    await withoutPrivileges(home, async () => {
      const handle = await store.open(id);
      expect(await handle.setName('lost')).toBe(false);
      chmodSync(file, 0o600);
      expect(await handle.setName('kept')).toBe(true);
      await handle.close();
    });
  });

  it('saves all of a session elsewhere when its own place fails to the end, and says where', async () => {
    const { id, file } = await sample();
    chmodSync(file, 0o400);
    chmodSync(dirname(file), 0o500);
    await withoutPrivileges(home, async () => {
      const handle = await store.open(id);
      await handle.append({ type: 'message', message: user('the end') });
      await handle.close();
    });
    chmodSync(dirname(file), 0o700);
    expect(problems.map(({ code }) => code)).toEqual(['disk', 'unsaved']);
    expect(problems[0]?.message).toMatch(/session\.jsonl: permission denied.*writable/);
    const path = /robota --session (\S+)$/.exec(problems[1]?.message ?? '')?.[1] ?? '';
    expect(statSync(path).mode & 0o077).toBe(0);
    const rescued = await store.open(path);
    expect(rescued.messages()).toHaveLength(5);
    await rescued.close();
  });

  it.skipIf(!existsSync('/dev/shm'))(
    'saves it in memory when the temporary directory is full as well',
    async () => {
      const { rescueSession } = await import('./rescue-session.ts');
      vi.stubEnv('TMPDIR', '/nowhere/at/all');
      vi.stubEnv('XDG_RUNTIME_DIR', undefined);
      const message = rescueSession({ file: join(home, 'gone/session.jsonl'), size: 0, lines: 'line\n' });
      vi.unstubAllEnvs();
      const [, path = ''] = /robota --session (\/dev\/shm\S+)$/.exec(message) ?? [];
      expect(message).toContain(`${path} until the machine restarts`);
      expect(readFileSync(path, 'utf8')).toBe('line\n');
      rmSync(path);
    },
  );

  it('says so when nothing could be saved anywhere', async () => {
    const { rescueSession } = await import('./rescue-session.ts');
    const message = rescueSession({ file: '/nowhere/at/all/session.jsonl', size: 9, lines: '' });
    expect(message).toMatch(/nor to .*it is lost when the program ends/);
  });

  it.skipIf(process.platform === 'win32')(
    'sess-043 lets a session go on when its file may not grow',
    async () => {
      const script = join(home, 'grow.mjs');
      await build({
        stdin: { contents: growing, resolveDir: import.meta.dirname, loader: 'ts' },
        outfile: script,
        bundle: true,
        platform: 'node',
        format: 'esm',
        conditions: ['@robota-sdk/source'],
      });
      const command = 'ulimit -f 8; exec "$0" "$@"';
      const run = spawnSync('bash', ['-c', command, process.execPath, script, home], { encoding: 'utf8' });
      const said = JSON.parse(run.stdout) as { problems: string[]; messages: number; whole: number };
      expect(said).toMatchObject({ problems: ['disk', 'unsaved'], messages: 40 });
      expect(said.whole).toBeGreaterThan(0);
      // Lines that fit are complete.
      const reader = await store.open('grown', { mode: 'read' });
      expect(reader.problems).toEqual([]);
      expect(reader.path()).toHaveLength(said.whole);
    },
  );

  it('lets a read-only session be continued in memory', async () => {
    const { id, file } = await sample();
    chmodSync(file, 0o400);
    chmodSync(dirname(file), 0o500);
    await withoutPrivileges(home, async () => {
      const handle = await store.open(id);
      await handle.append({ type: 'message', message: user('more') });
      expect(handle.messages()).toHaveLength(5);
      expect(problems.map(({ code }) => code)).toEqual(['disk']);
      expect(handle.problems).toMatchObject([{ code: 'disk', count: 1 }]);
      await handle.close();
    });
    chmodSync(dirname(file), 0o700);
  });

  it.skipIf(!existsSync('/dev/full'))('takes no space for an answer', async () => {
    const { AppendLog } = await import('./append-log.ts');
    const log = new AppendLog({
      file: '/dev/full',
      isNew: false,
      size: 0,
      unterminated: false,
      onProblem: (problem) => problems.push(problem),
    });
    await log.write('{}\n', { durable: true });
    await log.write('{}\n', { durable: true });
    expect(problems).toMatchObject([
      { code: 'disk', message: expect.stringContaining('no space left on device') },
    ]);
    await log.close();
  });
});
