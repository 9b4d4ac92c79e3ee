import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from './jsonl-store.ts';
import type { SessionHandle } from './session-handle.ts';
import type { SessionProblem } from './session-problem.ts';

let home: string;
let problems: SessionProblem[];
let store: JsonlSessionStore;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-jsonl-'));
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

const fileOf = (handle: SessionHandle) => join(handle.directory ?? '', 'session.jsonl');
const conversation = [user('hi'), call('t1'), result('t1'), assistant('done')];

/** A closed session with four messages. */
async function sample(): Promise<{ id: string; file: string; lines: string[] }> {
  const handle = await store.create({ cwd: home });
  for (const message of conversation) await handle.append({ type: 'message', message });
  await handle.close();
  const file = fileOf(handle);
  return { id: handle.id, file, lines: readFileSync(file, 'utf8').split('\n').slice(0, -1) };
}

async function damaged(change: (lines: string[]) => string | Buffer): Promise<SessionHandle> {
  const { id, file, lines } = await sample();
  writeFileSync(file, change(lines));
  return store.open(id, { mode: 'read' });
}

const codes = (handle: SessionHandle) => handle.problems.map(({ code, count }) => `${code} ${count}`);

describe('files of sessions', () => {
  it('are lines of JSON in a directory per project that only the owner can read', async () => {
    proves('P-19', 'P-20');
    const { id, file, lines } = await sample();
    expect(file.startsWith(join(home, 'sessions'))).toBe(true);
    expect(file.endsWith(join(id, 'session.jsonl'))).toBe(true);
    expect(lines.map((line) => JSON.parse(line).type)).toEqual([
      'session',
      'message',
      'message',
      'message',
      'message',
    ]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'session', version: 3, id, cwd: home });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (let path = dirname(file); path !== home; path = dirname(path))
      expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['session.jsonl']);
  });

  it('only ever grow: what was written stays byte for byte', async () => {
    const { id, file } = await sample();
    const before = readFileSync(file);
    const handle = await store.open(id);
    await handle.setLeaf(null);
    await handle.append({ type: 'message', message: user('from the start') });
    await handle.close();
    expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
  });

  it('open after a cut at any byte of the last line, keep the torn bytes aside and take new lines', async () => {
    const { id, file } = await sample();
    const whole = readFileSync(file);
    const start = whole.lastIndexOf('\n', whole.length - 2) + 1;
    const end = whole.length - 1;
    for (let size = start; size <= end; size++) {
      writeFileSync(file, whole.subarray(0, size));
      const handle = await store.open(id);
      const kept = size === end ? 4 : 3;
      expect(handle.path()).toHaveLength(kept);
      await handle.append({ type: 'message', message: user('after') });
      await handle.close();
      const again = await store.open(id, { mode: 'read' });
      expect(again.path()).toHaveLength(kept + 1);
      expect(again.problems).toEqual([]);
      const aside = readdirSync(dirname(file)).filter((name) => name.includes('.torn-'));
      const isTorn = size > start && size < end;
      expect(aside).toHaveLength(isTorn ? 1 : 0);
      expect(codes(handle)).toEqual(isTorn ? ['torn-tail 1'] : []);
      for (const name of aside) {
        expect(readFileSync(join(dirname(file), name)).equals(whole.subarray(start, size))).toBe(true);
        rmSync(join(dirname(file), name));
      }
    }
  });

  it('are read past damaged lines, which are counted', async () => {
    const glued = await damaged((lines) =>
      [...lines.slice(0, 4), `${lines[4]?.slice(0, 50)}${lines[4]}`, ''].join('\n'),
    );
    expect(glued.path()).toHaveLength(3);
    expect(codes(glued)).toEqual(['bad-line 1']);
    const nul = await damaged((lines) =>
      lines
        .map((line, at) => (at === 3 ? '\0'.repeat(line.length) : line))
        .join('\n')
        .concat('\n'),
    );
    expect(nul.messages()).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { toolCallId: 't1', isError: true },
      { role: 'assistant' },
    ]);
    expect(codes(nul)).toEqual(['bad-line 1', 'missing-parent 1']);
    const notUtf8 = await damaged((lines) =>
      Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), Buffer.from('7b226964223a22fffe227d0a', 'hex')]),
    );
    expect(notUtf8.path()).toHaveLength(4);
    expect(codes(notUtf8)).toEqual(['bad-line 1']);
    const foreign = await damaged((lines) => `${lines.join('\n')}\n{"type":"future","x":1}\n`);
    expect(foreign.path()).toHaveLength(4);
    expect(codes(foreign)).toEqual(['foreign-line 1']);
  });

  it('are read with a byte order mark, blank lines and Windows line ends', async () => {
    const handle = await damaged((lines) => `\uFEFF${lines.join('\r\n\n  \n')}\n`);
    expect(handle.messages()).toEqual(conversation);
    expect(handle.problems).toEqual([]);
  });

  it('are read without their header', async () => {
    const handle = await damaged((lines) => `${lines.slice(1).join('\n')}\n`);
    expect(handle.messages()).toEqual(conversation);
    expect(codes(handle)).toEqual(['no-header 1']);
  });

  it('refuse what they are not, in words, and touch nothing', async () => {
    const { id, file, lines } = await sample();
    writeFileSync(file, '');
    await expect(store.open(id)).rejects.toThrow(/empty/);
    expect(await store.list()).toEqual([]);
    const newer = `${lines.join('\n').replace('"version":3', '"version":999')}\n`;
    writeFileSync(file, newer);
    await expect(store.open(id)).rejects.toThrow(/format 999.*Update/);
    expect(readFileSync(file, 'utf8')).toBe(newer);
    await expect(store.open(join(home, 'nothing.jsonl'))).rejects.toThrow(/File not found/);
    await expect(store.open(`${home}/sessions`)).rejects.toThrow(/not a file/);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('of other programs are read and forked, never written', async () => {
    const file = join(home, 'pi.jsonl');
    const lines = [
      { type: 'session', version: 3, id: 'p', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/x' },
      {
        type: 'message',
        id: 'a',
        parentId: null,
        timestamp: 't',
        message: { role: 'user', content: 'hello', timestamp: 1 },
      },
      { type: 'label', id: 'b', parentId: 'a', timestamp: 't', targetId: 'a', label: 'l' },
      {
        type: 'message',
        id: 'c',
        parentId: 'b',
        timestamp: 't',
        message: { role: 'user', content: 'more', timestamp: 1 },
      },
    ];
    const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(file, content);
    await expect(store.open(file)).rejects.toThrow(/another program.*--fork/);
    const fork = await store.fork(file, { cwd: home });
    await fork.append({ type: 'message', message: user('and ours') });
    expect(fork.messages().map(({ content: blocks }) => blocks[0])).toMatchObject([
      { text: 'hello' },
      { text: 'more' },
      { text: 'and ours' },
    ]);
    await fork.close();
    expect(readFileSync(file, 'utf8')).toBe(content);
    writeFileSync(file, content.replace('{"type":"session"', '{"type":"sess\0'));
    await expect(store.open(file)).rejects.toThrow(/first line of .* is damaged.*--fork/);
  });

  it('are found by the path of the file and of its directory', async () => {
    const { id, file } = await sample();
    for (const path of [file, dirname(file)]) {
      const handle = await store.open(path);
      expect(handle.id).toBe(id);
      await handle.close();
    }
  });
});

describe('lists of sessions', () => {
  it('show name and first prompt from the ends of a large file', async () => {
    const handle = await store.create({ cwd: home });
    await handle.append({ type: 'model_change', provider: 'test', modelId: 'm' });
    await handle.append({ type: 'message', message: user(`Wo ist der "Fehler"?\n${'ä'.repeat(50_000)}`) });
    await handle.setName('Große Suche');
    for (let turn = 0; turn < 20; turn++)
      await handle.append({ type: 'message', message: assistant('x'.repeat(9_000)) });
    await handle.append({ type: 'message', message: assistant('y'.repeat(200_000)) });
    await handle.close();
    const [summary] = await store.list({ cwd: home });
    expect(summary).toMatchObject({ id: handle.id, name: 'Große Suche', created: handle.header.timestamp });
    expect(summary?.firstPrompt).toMatch(/^Wo ist der "Fehler"\? ä+…$/);
    expect(summary?.firstPrompt).toHaveLength(200);
  });

  it('pass over what is no session', async () => {
    const { id, file } = await sample();
    const project = dirname(dirname(file));
    mkdirSync(join(project, 'directory', 'session.jsonl'), { recursive: true });
    mkdirSync(join(project, 'nothing'));
    writeFileSync(join(project, 'stray.txt'), 'x');
    expect((await store.list()).map((summary) => summary.id)).toEqual([id]);
    expect(await store.latest(home)).toMatchObject({ id });
  });

  it('skip broken links, and name those that lead to themselves', async () => {
    const { id, file } = await sample();
    const project = dirname(dirname(file));
    for (const [name, target] of [
      ['loop', 'session.jsonl'],
      ['nowhere', 'missing'],
    ] as const) {
      mkdirSync(join(project, name));
      symlinkSync(target, join(project, name, 'session.jsonl'));
    }
    expect(await store.latest(home)).toMatchObject({ id });
    expect(problems).toMatchObject([
      { message: expect.stringContaining(join(project, 'loop', 'session.jsonl')) },
    ]);
    expect((await store.list()).map((summary) => summary.id)).toEqual([id]);
  });
});

describe('sessions in which nothing was said', () => {
  const shell = { ...user('The user ran `ls` in the shell.'), origin: 'reminder' } as const;

  it('leave no trace, whatever was chosen and run, and keep all of it once something is said', async () => {
    const handle = await store.create({ cwd: home });
    const told: string[] = [];
    handle.follow({ appended: ({ type }) => told.push(type), moved: () => {}, close: async () => {} });
    await handle.append({ type: 'model_change', provider: 'test', modelId: 'm' });
    await handle.append({ type: 'message', message: shell });
    await handle.flush();
    expect([handle.isUnused, existsSync(fileOf(handle)), told]).toEqual([true, false, []]);
    await handle.append({ type: 'message', message: user('hi') });
    expect(told).toEqual(['model_change', 'message', 'message']);
    await handle.close();
    const again = await store.open(handle.id, { mode: 'read' });
    expect(again.path().map(({ type }) => type)).toEqual(['model_change', 'message', 'message']);
    expect(again.problems).toEqual([]);
  });

  it('are stored once the user runs a command, and listed by it until there is a prompt', async () => {
    const handle = await store.create({ cwd: home });
    await handle.append({ type: 'model_change', provider: 'test', modelId: 'm' });
    const run = { command: 'exit 3', output: '', exitCode: 3, status: 'error', isPrivate: false } as const;
    await handle.append({ type: 'shell', ...run });
    expect(handle.isUnused).toBe(false);
    await handle.close();
    expect(await store.latest(home)).toMatchObject({ id: handle.id, firstPrompt: '!exit 3' });
    const again = await store.open(handle.id);
    expect(again.path()).toMatchObject([{ type: 'model_change' }, { type: 'shell', ...run }]);
    await again.append({ type: 'message', message: user('why?') });
    await again.close();
    expect(await store.latest(home)).toMatchObject({ id: handle.id, firstPrompt: 'why?' });
  });

  it('are passed over by the latest one, where files of earlier versions hold some', async () => {
    const { id } = await sample();
    const handle = await store.create({ cwd: home });
    await handle.append({ type: 'message', message: user('said') });
    await handle.append({ type: 'message', message: shell });
    await handle.close();
    const [header, said, ran] = readFileSync(fileOf(handle), 'utf8').split('\n');
    const rewrite = (line = '') => {
      writeFileSync(fileOf(handle), `${header}\n${line}\n`);
      utimesSync(fileOf(handle), new Date(), new Date(Date.now() + 60_000));
    };
    rewrite(ran);
    expect(await store.latest(home)).toMatchObject({ id });
    rewrite(said);
    expect(await store.latest(home)).toMatchObject({ id: handle.id });
  });
});

describe('locks of sessions', () => {
  const lock = (file: string, owner: object) => writeFileSync(`${file}.lock`, JSON.stringify(owner));

  it('name the process that holds them', async () => {
    const { id, file } = await sample();
    const owner = { pid: process.ppid, host: hostname(), since: new Date(2026, 0, 1).toISOString() };
    lock(file, owner);
    await expect(store.open(id)).rejects.toThrow(
      `process ${process.ppid} since 2026-01-01 00:00. Close it there, continue in a copy with --fork, or follow it`,
    );
    expect(JSON.parse(readFileSync(`${file}.lock`, 'utf8'))).toEqual(owner);
    lock(file, { ...owner, host: 'elsewhere' });
    await expect(store.open(id)).rejects.toThrow(/on elsewhere since/);
  });

  it('of other machines hold while anything is written, and a day longer', async () => {
    const { id, file } = await sample();
    lock(file, { pid: 1, host: 'elsewhere', since: '2026-01-01T00:00:00.000Z' });
    await expect(store.open(id)).rejects.toThrow(/process 1 on elsewhere.*--fork.*a day after/s);
    await expect(store.delete(id)).rejects.toThrow(/elsewhere/);
    await (await store.fork(id, { cwd: home })).close();
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(`${file}.lock`, yesterday, yesterday);
    await expect(store.open(id)).rejects.toThrow(/elsewhere/);
    utimesSync(file, yesterday, yesterday);
    await (await store.open(id)).close();
  });

  it('of dead processes, of reused process numbers and of garbage are taken over', async () => {
    const { id, file } = await sample();
    const stale = [
      { pid: 2 ** 22 + 7, host: hostname(), since: '' },
      { pid: process.pid, started: '1', host: hostname(), since: '' },
      { nonsense: true },
    ];
    for (const owner of stale) {
      lock(file, owner);
      const handle = await store.open(id);
      await handle.append({ type: 'message', message: user('mine now') });
      await handle.close();
    }
    expect(readdirSync(dirname(file))).toEqual(['session.jsonl']);
  });
});
