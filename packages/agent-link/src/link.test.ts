import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Answer, Question } from '@robota-sdk/agent-core';
import type { AskedQuestion, QuestionChange, QuestionSource } from '@robota-sdk/agent-sdk/front-end';
import { findSandbox, type SessionEvent, userPaths } from '@robota-sdk/agent-sdk/front-end';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callTurn, openScripted } from '../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../agent-sdk/src/fixtures/test-project.ts';
import { proofOf } from './handshake.ts';
import { LinkFolder, type LinkRecord } from './link-folder.ts';
import { serveLink } from './link-server.ts';
import type { LinkChange } from './linked-session.ts';
import { SharedSession } from './shared-session.ts';
import { type VisitedSession, visitLink } from './visit-link.ts';

const confirm: Question = { kind: 'confirm', title: 'Continue?' };

/** Questions that a test asks and answers. */
class TestQuestions implements QuestionSource {
  readonly asked: AskedQuestion[] = [];
  readonly answers: Answer[] = [];
  readonly #listeners = new Set<(change: QuestionChange) => void>();

  ask(id: string, question: Question = confirm): void {
    this.asked.push({ id, question, since: 1 });
    this.#tell({ type: 'asked', id });
  }

  settle(id: string, answer: Answer, by: 'user' | 'elsewhere' | 'withdrawn'): boolean {
    const at = this.asked.findIndex((each) => each.id === id);
    if (at < 0) return false;
    this.asked.splice(at, 1);
    this.answers.push(answer);
    this.#tell({ type: 'settled', id, answer, by });
    return true;
  }

  waiting = () => this.asked;
  answer = (id: string, answer: Answer) => this.settle(id, answer, 'elsewhere');

  subscribe(listener: (change: QuestionChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(change: QuestionChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A session of this process with a link, and how to reach it. */
async function share() {
  const place = await makeTestProject();
  const { session } = await openScripted(place, [{ text: 'Hello.' }], { store: 'new' });
  await session.submit('Hi');
  const questions = new TestQuestions();
  const folder = new LinkFolder(userPaths(place.host).links);
  const release = vi.fn(() => session.shutdown());
  const shared = new SharedSession({ session, front: 'terminal', questions, release });
  const close = await serveLink(shared, folder);
  ends.push(() => session.shutdown(), close);
  const [listed] = await session.kept.store.list();
  const file = listed?.path ?? '';
  const record = folder.find(session.id);
  if (!record) throw new Error('There is no record.');
  const visit = async (given: LinkRecord = record): Promise<VisitedSession> => {
    const visited = await visitLink(given, file);
    ends.push(() => visited.close());
    return visited;
  };
  return { place, session, questions, folder, shared, record, file, visit, release };
}

const heard = (visited: VisitedSession) => {
  const changes: LinkChange[] = [];
  visited.subscribe((change) => changes.push(change));
  return changes;
};

describe('a link between two processes', () => {
  it('tells events, facts and questions, and the first answer wins', async () => {
    const { session, questions, visit } = await share();
    const visited = await visit();
    const changes = heard(visited);
    expect(visited.facts()).toMatchObject({
      runningSince: null,
      model: 'anthropic/claude-sonnet-4-6',
      mode: 'default',
    });
    session.publish({ type: 'text-delta', text: 'more' });
    await vi.waitFor(() =>
      expect(changes).toContainEqual({ type: 'event', event: { type: 'text-delta', text: 'more' } }),
    );
    expect(visited.live()).toEqual([{ type: 'text-delta', text: 'more' }]);
    // No event tells of another mode.
    session.permissions.choose('plan');
    await vi.waitFor(() => expect(visited.facts().mode).toBe('plan'));
    questions.ask('one');
    questions.ask('two');
    await vi.waitFor(() => expect(visited.questions()).toHaveLength(2));
    const [one, two] = visited.questions();
    const yes = { kind: 'confirmed', yes: true } as const;
    const wrong = await visited.answer({ id: 'one', digest: two?.digest ?? '', answer: yes });
    // Both ask the same, so both have the same digest; another text has another.
    expect(wrong).toEqual({ isTaken: true });
    expect(await visited.answer({ id: 'one', digest: one?.digest ?? '', answer: yes })).toEqual({
      isTaken: false,
      by: 'web',
      text: 'Yes',
    });
    expect(await visited.answer({ id: 'two', digest: 'other', answer: yes })).toMatchObject({
      by: 'changed',
    });
    questions.settle('two', { kind: 'confirmed', yes: false }, 'user');
    expect(await visited.answer({ id: 'two', digest: two?.digest ?? '', answer: yes })).toEqual({
      isTaken: false,
      by: 'terminal',
      text: 'No',
    });
    expect(await visited.answer({ id: 'three', digest: '', answer: yes })).toMatchObject({ by: 'gone' });
    expect(questions.answers).toEqual([yes, { kind: 'confirmed', yes: false }]);
  });

  it('hands the session over, and ends', async () => {
    const { visit, session, release, folder, file } = await share();
    const [first, second] = [await visit(), await visit()];
    const changes = heard(second);
    expect(await first.handOver({ stop: false })).toEqual({ isFree: true });
    expect(release).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(changes.at(-1)).toEqual({ type: 'end' }));
    expect(existsSync(`${file}.lock`)).toBe(false);
    expect(folder.find(session.id)).toBeUndefined();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('drops events for a visitor that is stuck, and tells it what is under way once it reads again', async () => {
    const { session, record } = await share();
    const { socket, told } = await enter(record);
    socket.pause();
    session.publish({ type: 'run-start', model: { vendor: 'a', id: 'b', api: 'openai' } });
    const piece = 'x'.repeat(100_000);
    for (let at = 0; at < 300; at++) {
      session.publish({ type: 'text-delta', text: piece } satisfies SessionEvent);
      session.publish({ type: 'text-restart' });
    }
    session.publish({ type: 'text-delta', text: 'The end.' });
    socket.resume();
    const syncs = () => told().filter((line) => line.startsWith('{"tell":"sync"'));
    await vi.waitFor(() => expect(syncs()).toHaveLength(2));
    expect(syncs()[1]).toContain('"live":[{"type":"run-start"');
    expect(syncs()[1]).toContain('{"type":"text-delta","text":"The end."}]');
    // Of 600 events, a bounded part waited.
    expect(told().length).toBeLessThan(300);
  });
});

/** A visitor by hand: the socket after the handshake, and the lines it was told. */
async function enter({ socket: path, secret }: LinkRecord): Promise<{ socket: Socket; told(): string[] }> {
  const socket = createConnection(path);
  ends.push(() => socket.destroy());
  const visitor = 'v'.repeat(43);
  socket.write(`${JSON.stringify({ hello: visitor })}\n`);
  const [reply] = await once(socket, 'data');
  const { hello: host } = JSON.parse(String(reply)) as { hello: string };
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(`${JSON.stringify({ proof: proofOf(secret, 'visitor', { host, visitor }) })}\n`);
  const told = () => text.split('\n').slice(0, -1);
  await vi.waitFor(() => expect(told()).toHaveLength(1));
  return { socket, told };
}

/** The lines that a stranger hears who sends these. */
async function speak(path: string, lines: readonly string[]): Promise<string> {
  const socket = createConnection(path);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  for (const line of lines) socket.write(line);
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}

describe('a stranger', () => {
  it('is not let in without the secret, and cannot send long lines', async () => {
    const { record } = await share();
    const nonce = 'n'.repeat(43);
    const hello = `${JSON.stringify({ hello: nonce })}\n`;
    for (const lines of [
      ['nonsense\n'],
      ['{"ask":"hand-over","n":1,"stop":true}\n'],
      [hello, '{"proof":"x"}\n'],
      [hello, `${JSON.stringify({ proof: proofOf('guess', 'visitor', { host: nonce, visitor: nonce }) })}\n`],
      ['x'.repeat(1_100_000)],
    ])
      expect(await speak(record.socket, lines)).not.toContain('"tell"');
  });

  it('that sends our own proof back is not believed', async () => {
    const { record } = await share();
    const socket = createConnection(record.socket);
    socket.write(`${JSON.stringify({ hello: 'n'.repeat(43) })}\n`);
    const [reply] = await once(socket, 'data');
    socket.write(String(reply));
    let more = '';
    socket.on('data', (chunk) => {
      more += chunk;
    });
    await once(socket, 'close');
    expect(more).toBe('');
  });

  it('that puts a socket instead of ours learns nothing and is not believed', async () => {
    const { record, visit, folder } = await share();
    const path = join(folder.path, 'planted.sock');
    const received: string[] = [];
    const planted = createServer((socket) => {
      socket.setEncoding('utf8').on('data', (text: string) => {
        received.push(text);
        socket.write(`${JSON.stringify({ hello: 'h'.repeat(43), proof: 'guess' })}\n`);
      });
      socket.on('error', () => {});
    });
    planted.listen(path);
    await once(planted, 'listening');
    ends.push(() => planted.close());
    await expect(visit({ ...record, socket: path })).rejects.toThrow('cannot be reached');
    expect(received.join('')).not.toContain(record.secret);
    expect(received).toHaveLength(1);
  });

  it('cannot make us believe a record: one of another user, for all to read, a link, or not of the lock', async () => {
    const { record, folder, session, file, visit } = await share();
    const path = join(folder.path, readdirSync(folder.path).find((name) => name.endsWith('.json')) ?? '');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    chmodSync(path, 0o644);
    expect(folder.find(session.id)).toBeUndefined();
    chmodSync(path, 0o600);
    expect(folder.find(session.id)).toBeDefined();
    const elsewhere = join(await temporaryDirectory('robota-record'), 'record.json');
    writeFileSync(elsewhere, JSON.stringify(record), { mode: 0o600 });
    rmSync(path);
    symlinkSync(elsewhere, path);
    expect(folder.find(session.id)).toBeUndefined();
    await expect(visit({ ...record, owner: { ...record.owner, pid: 1 } })).rejects.toThrow('open elsewhere');
    expect(existsSync(`${file}.lock`)).toBe(true);
  });
});

describe('the folder of links', () => {
  it('is cleared of what a killed process left, and of nothing else', async () => {
    const folder = new LinkFolder(join(await temporaryDirectory('robota-links'), 'links'));
    folder.prepare();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const socket = folder.newSocket();
    const server = createServer().listen(socket);
    await once(server, 'listening');
    folder.announce({ sessionId: 'a', front: 'terminal', socket, secret: 's' });
    const [name = ''] = readdirSync(folder.path).filter((each) => each.endsWith('.json'));
    const owner = { pid: child.pid, host: hostname(), since: 'now' };
    writeFileSync(
      join(folder.path, name),
      JSON.stringify({ sessionId: 'a', front: 'terminal', socket, secret: 's', owner }),
    );
    expect(folder.list()).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(folder.list()).toEqual([]);
    expect(readdirSync(folder.path)).toEqual([]);
    server.close();
    // A record may name any path, but only a socket of ours is removed.
    const precious = join(folder.path, '..', 'precious');
    writeFileSync(precious, 'text');
    writeFileSync(
      join(folder.path, name),
      JSON.stringify({ sessionId: 'a', front: 'terminal', socket: precious, secret: 's', owner }),
      { mode: 0o600 },
    );
    expect(folder.list()).toEqual([]);
    expect(existsSync(precious)).toBe(true);
    // A path that only begins like one of ours leads elsewhere.
    const bait = mkdtempSync(join(tmpdir(), 'robota-link-'));
    const astray = `${bait}/../${basename(dirname(folder.path))}/s`;
    writeFileSync(
      join(folder.path, name),
      JSON.stringify({ sessionId: 'a', front: 'terminal', socket: astray, secret: 's', owner }),
      { mode: 0o600 },
    );
    expect(folder.list()).toEqual([]);
    expect(existsSync(precious)).toBe(true);
    rmSync(bait, { recursive: true });
  });

  it('has sockets elsewhere where its path is too long for one', async () => {
    const long = join(await temporaryDirectory('robota-links'), 'x'.repeat(100));
    mkdirSync(long);
    const socket = new LinkFolder(long).newSocket();
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
    expect(statSync(join(socket, '..')).mode & 0o777).toBe(0o700);
    rmSync(join(socket, '..'), { recursive: true });
  });

  const modes = ['default', 'acceptEdits', 'bypassPermissions'] as const;

  it.each(modes)('is closed to file tools and commands of the agent in mode %s', async (permissionMode) => {
    const { place, folder, record } = await share();
    const name = readdirSync(folder.path).find((each) => each.endsWith('.json')) ?? '';
    const file = join(folder.path, name);
    const calls = [
      callTurn('Read', { file_path: file }),
      callTurn('Grep', { pattern: 'secret', path: folder.path, output_mode: 'content' }),
      callTurn('Bash', { command: `cat ${file}` }),
      callTurn('Write', { file_path: join(folder.path, 'planted.json'), content: '{}' }),
    ];
    const { session, provider } = await openScripted(place, [...calls, { text: 'done' }], {
      permissionMode,
      mayBypass: true,
      rules: { allow: ['Read(//**)', 'Bash'] },
      terminal: { ask: async () => ({ kind: 'selected', indexes: [0] }), notify: () => {} },
    });
    await session.submit('go');
    await session.shutdown();
    expect(JSON.stringify(provider.requests)).not.toContain(record.secret);
    expect(existsSync(join(folder.path, 'planted.json'))).toBe(false);
  });

  it('is not to be seen by a command in the sandbox, however it is spelt', async (context) => {
    if ((await findSandbox()).kind !== 'bubblewrap') return context.skip();
    const { place, folder, record } = await share();
    const command = `d=$(printf '%s' ${place.home}/.rob); ls "\${d}ota/links"; cat "\${d}ota"/links/*; test -e ${record.socket.replace('links', 'lin""ks')} && echo seen`;
    const { session, provider } = await openScripted(
      place,
      [callTurn('Bash', { command }), { text: 'done' }],
      {
        permissionMode: 'bypassPermissions',
        mayBypass: true,
        sandbox: { mode: 'required' },
      },
    );
    await session.submit('go');
    await session.shutdown();
    const result = JSON.stringify(provider.requests.at(-1)?.messages.at(-1)?.content);
    expect(result).not.toContain(record.secret);
    expect(result).not.toMatch(/\.sock|"seen|\\nseen/);
    expect(existsSync(folder.path)).toBe(true);
  });
});
