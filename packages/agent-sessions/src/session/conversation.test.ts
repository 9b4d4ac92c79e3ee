import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HookRegistry, type UserInterface } from '@robota-sdk/agent-core';
import { ScriptedProvider, type ScriptedTurn, testChoice, testTool } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  openSession,
  requestTo,
  type Script,
  storeOnDisk,
  text,
  textsOf,
} from '../fixtures/open-session.ts';
import { FileSessionLogger } from '../log/session-logger.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import type { Conversation } from './conversation.ts';

/** Makes a handle note when a line is safe. */
function watch(handle: SessionHandle, log: string[]): SessionHandle {
  const append = handle.append.bind(handle);
  const flush = handle.flush.bind(handle);
  handle.append = async (draft, options) => {
    const entry = await append(draft, options);
    const what = draft.type === 'message' ? draft.message.role : draft.type;
    log.push(options?.durable ? `safe: ${what}` : `written: ${what}`);
    return entry;
  };
  handle.flush = async () => {
    await flush();
    log.push('flushed');
  };
  return handle;
}

describe('Session', () => {
  it('is made of tools, a model and a prompt, runs the loop and returns the answer', async () => {
    proves('R-2', 'R-7', 'R-39');
    const tool = testTool('Look', { execute: async () => 'seen' });
    const { session, provider, events } = openSession(
      [{ toolCalls: [{ name: 'Look' }] }, { text: ['It is ', 'here.'] }],
      { tools: [tool] },
    );
    expect(await session.run('where is it?')).toBe('It is here.');
    expect(requestTo(provider, 0)).toMatchObject({ system: 'You are a test.', tools: [{ name: 'Look' }] });
    expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(deltas).toEqual(['It is ', 'here.']);
    expect(session.id).toMatch(/^[0-9a-f-]{36}$/);
    await session.close();
  });

  it('asks the user at the terminal before it writes; without one it is denied', async () => {
    proves('R-2');
    const asked: string[] = [];
    const terminal: UserInterface = {
      ask: async ({ title }) => {
        asked.push(title);
        return { kind: 'selected', indexes: [0] };
      },
      notify: () => {},
    };
    const tool = testTool('Change', {
      access: () => [{ kind: 'write', path: join(process.cwd(), 'x'), real: join(process.cwd(), 'x') }],
    });
    const script = () => [{ toolCalls: [{ name: 'Change' }] }, { text: 'done' }];
    const { session } = openSession(script(), { permissive: false, tools: [tool], terminal });
    await session.run('go');
    expect(asked).toHaveLength(1);
    expect(session.messages[2]).toMatchObject({ role: 'tool', isError: false });
    const alone = openSession(script(), { permissive: false, tools: [tool] });
    await alone.session.run('go');
    expect(alone.session.messages[2]).toMatchObject({ role: 'tool', isError: true });
  });

  it('throws the failure of a run with its code, and keeps the conversation usable', async () => {
    const { session } = openSession([
      { failure: { code: 'auth', message: 'no key', retryable: false } },
      { text: 'ok' },
    ]);
    await expect(session.run('one')).rejects.toMatchObject({ code: 'auth', message: 'no key' });
    expect(await session.run('two')).toBe('ok');
    expect(textsOf(session.messages)).toEqual(['one', 'two', 'ok']);
  });

  it('does one thing at a time and says so', async () => {
    const { session } = openSession([{ text: 'a' }]);
    const running = session.run('first');
    await expect(session.run('second')).rejects.toMatchObject({ code: 'session' });
    await expect(session.compact()).rejects.toThrow('busy');
    await expect(session.clear()).rejects.toThrow('busy');
    expect(await running).toBe('a');
    expect(session.isRunning).toBe(false);
  });

  it('a steering message joins the run, a follow-up waits for its end', async () => {
    const tool = testTool('Look');
    let session: Conversation | undefined;
    const script: Script = [
      {
        toolCalls: [{ name: 'Look' }],
        before: () => {
          session?.followUp(text('and then?'));
          session?.steer(text('look left'));
        },
      },
      { text: 'left it is' },
      { text: 'then nothing' },
    ];
    const opened = openSession(script, { tools: [tool] });
    session = opened.session;
    expect(await session.run('look')).toBe('then nothing');
    expect(textsOf(requestTo(opened.provider, 1).messages)).toEqual(['look', '', 'Look done', 'look left']);
    expect(textsOf(requestTo(opened.provider, 2).messages).at(-1)).toBe('and then?');
  });

  it('a message that arrives while the run is ending is answered, not left lying', async () => {
    const { session, provider } = openSession([{ text: 'first' }, { text: 'second' }]);
    let isSent = false;
    session.subscribe((event) => {
      if (event.type !== 'run-end' || isSent) return;
      isSent = true;
      session.steer(text('one more thing'));
    });
    const outcome = await session.prompt(text('go'));
    expect(outcome).toMatchObject({ status: 'completed', text: 'second', turns: 2 });
    expect(textsOf(requestTo(provider, 1).messages)).toEqual(['go', 'first', 'one more thing']);
  });

  it('abort stops a run, keeps what there is, and resolves when it has stopped', async () => {
    const { session } = openSession([{ text: ['partial ', 'never'] }, { text: 'again' }]);
    session.subscribe((event) => {
      if (event.type === 'text-delta') void session.abort();
    });
    const outcome = await session.prompt(text('go'));
    expect(outcome).toMatchObject({ status: 'aborted', text: 'partial ' });
    expect(session.isRunning).toBe(false);
    expect(session.messages.at(-1)).toMatchObject({ role: 'assistant', stopReason: 'aborted' });
  });

  it('an outer signal stops it as well, also one that fired before', async () => {
    const { session, provider } = openSession([{ text: 'x' }]);
    const outcome = await session.prompt(text('go'), { signal: AbortSignal.abort() });
    expect(outcome.status).toBe('aborted');
    expect(provider.requests).toHaveLength(0);
  });

  it('a listener that throws ends the run and what it started, and the session continues', async () => {
    let stopped = false;
    const slow = testTool('Slow', {
      execute: (_input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = true;
            resolve('stopped');
          });
        }),
    });
    const { session } = openSession(
      [{ toolCalls: [{ name: 'Slow' }, { name: 'Quick' }] }, { text: 'fine' }],
      {
        tools: [slow, testTool('Quick')],
      },
    );
    const unsubscribe = session.subscribe((event) => {
      if (event.type === 'tool-end') throw new Error('listener broke');
    });
    await expect(session.run('go')).rejects.toThrow('listener broke');
    expect(stopped).toBe(true);
    unsubscribe();
    expect(session.isRunning).toBe(false);
  });

  it('after close it says that it is closed, and closing twice is harmless', async () => {
    const store = await storeOnDisk();
    const { session } = openSession([{ text: 'a' }], { handle: await store.create({ cwd: '/x' }) });
    await session.run('one');
    await session.close();
    await session.close();
    await expect(session.run('two')).rejects.toThrow('The session is closed');
    expect((await store.load(session.id)).messages).toHaveLength(2);
  });

  it('hooks see the input, the start and the end of the session', async () => {
    const seen: string[] = [];
    const hooks = new HookRegistry();
    hooks.add(
      'session-start',
      ({ cwd }) => {
        seen.push(`start ${cwd === process.cwd()}`);
        return { context: 'branch: main' };
      },
      't',
    );
    hooks.add(
      'input',
      ({ text: typed }) => {
        seen.push(`input ${typed}`);
        if (typed.includes('secret')) return { block: 'no secrets' };
        return { text: typed.toUpperCase(), context: 'be brief' };
      },
      't',
    );
    hooks.add('session-end', ({ reason }) => void seen.push(`end ${reason}`), 't');
    const { session, provider } = openSession([{ text: 'a' }, { text: 'b' }], { hooks });
    await expect(session.run('a secret')).rejects.toThrow('A hook stopped the prompt: no secrets');
    expect(provider.requests).toHaveLength(0);
    await session.run('hello');
    await session.run('again');
    await session.close();
    const reminder = (text: string) => `<system-reminder>\nContext from a hook:\n${text}\n</system-reminder>`;
    expect(textsOf(requestTo(provider, 1).messages)).toEqual([
      `HELLO${reminder('be brief')}${reminder('branch: main')}`,
      'a',
      `AGAIN${reminder('be brief')}`,
    ]);
    expect(seen).toEqual(['start true', 'input a secret', 'input hello', 'input again', 'end close']);
  });

  it('counts tokens as the vendor reports them and says how full the window is', async () => {
    proves('R-49', 'R-50');
    const usage = { input: 40_000, output: 1_000, cacheRead: 8_000, cacheWrite: 1_000 };
    const { session } = openSession([
      { text: 'a', usage },
      { text: 'b', usage },
    ]);
    expect(session.getContextState()).toMatchObject({ usedTokens: 4, maxTokens: 200_000, usedPercentage: 0 });
    await session.run('one');
    expect(session.getContextState()).toMatchObject({ usedTokens: 50_000, usedPercentage: 25 });
    await session.run('two');
    expect(session.totals).toMatchObject({
      usage: { input: 80_000, output: 2_000, cacheRead: 16_000, cacheWrite: 2_000 },
      modelCalls: 2,
      cost: expect.closeTo((2 * (50_000 - 1_000 + 2_000)) / 1e6, 6),
    });
  });
});

describe('keeping a session', () => {
  it('the prompt is safe before the model is asked, calls before they run, results before the next request', async () => {
    const log: string[] = [];
    const handle = watch(await (await storeOnDisk()).create({ cwd: '/x' }), log);
    const tool = testTool('Look', {
      execute: async () => {
        log.push('tool runs');
        return 'seen';
      },
    });
    const ask = (what: ScriptedTurn): ScriptedTurn => ({
      ...what,
      before: () => void log.push('model asked'),
    });
    const { session } = openSession([ask({ toolCalls: [{ name: 'Look' }] }), ask({ text: 'done' })], {
      handle,
      tools: [tool],
    });
    await session.run('go');
    expect(log).toEqual([
      'safe: user',
      'model asked',
      'written: assistant',
      'flushed',
      'tool runs',
      'written: tool',
      'flushed',
      'model asked',
      'written: assistant',
      'flushed',
    ]);
  });

  it('a resumed session sends the same beginning, and its totals continue', async () => {
    const store = await storeOnDisk();
    const turns = [
      { thinking: 'hmm', text: 'let me see', toolCalls: [{ name: 'Look', input: { at: 'ünï' } }] },
      { text: 'done' },
    ];
    const options = { tools: [testTool('Look')] };
    const first = openSession(turns, { ...options, handle: await store.create({ cwd: '/x' }) });
    await first.session.run('go');
    const { totals } = first.session;
    await first.session.close();
    const second = openSession([{ text: 'more' }], {
      ...options,
      handle: await store.open(first.session.id),
    });
    expect(second.session.id).toBe(first.session.id);
    expect(second.session.totals).toEqual(totals);
    await second.session.run('and now?');
    const before = [...requestTo(first.provider, 1).messages, first.session.messages[3]];
    const after = requestTo(second.provider, 0).messages;
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.slice(0, -1).map(bytesOf)).toEqual(before.map(bytesOf));
    expect(textsOf(after).at(-1)).toBe('and now?');
  });

  it('clear starts over; the old branch stays in the file', async () => {
    const store = await storeOnDisk();
    const { session, provider } = openSession([{ text: 'a' }, { text: 'b' }], {
      handle: await store.create({ cwd: '/x' }),
    });
    await session.run('old question');
    await session.clear();
    expect(session.messages).toEqual([]);
    await session.run('new question');
    expect(textsOf(requestTo(provider, 1).messages)).toEqual(['new question']);
    await session.close();
    const reopened = await store.open(session.id, { mode: 'read' });
    expect(textsOf(reopened.messages())).toEqual(['new question', 'b']);
    const all = [...reopened.entries()].flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    expect(textsOf(all)).toEqual(['old question', 'a', 'new question', 'b']);
    expect(session.totals.modelCalls).toBe(2);
  });

  it('a change of model and thinking is kept, and holds from the next turn of a run that is going', async () => {
    const store = new MemorySessionStore();
    const handle = await store.create({ cwd: '/x' });
    const other = new ScriptedProvider([{ text: 'from the other' }]);
    let session: Conversation | undefined;
    const change = async () => {
      await session?.setModel([testChoice(other, { vendor: 'elsewhere', id: 'other' })]);
      await session?.setThinking('high');
    };
    const opened = openSession([{ thinking: 'mine', toolCalls: [{ name: 'Look' }], before: change }], {
      handle,
      tools: [testTool('Look')],
    });
    session = opened.session;
    expect(await session.run('go')).toBe('from the other');
    expect(requestTo(other, 0)).toMatchObject({ model: { id: 'other' }, thinking: 'high' });
    expect(session.model.id).toBe('other');
    const kept = [...handle.entries()].map(({ type }) => type);
    expect(kept).toContain('model_change');
    expect(kept).toContain('thinking_level_change');
  });

  it('the log tells what happened, with provider and API kind of each request', async () => {
    proves('C-84', 'E-22');
    const directory = await mkdtemp(join(tmpdir(), 'robota-log-'));
    const file = join(directory, 'log.jsonl');
    const logger = new FileSessionLogger({ file, sessionId: 's1', secrets: ['sk-canary-123'] });
    const script: Script = [
      { toolCalls: [{ name: 'Look' }, { name: 'Missing' }] },
      { failure: { message: 'try again with sk-canary-123' } },
      { text: 'done' },
    ];
    const { session } = openSession(script, {
      logger,
      tools: [testTool('Look', { execute: async () => 'sk-canary-123' })],
    });
    await session.run('go with sk-canary-123');
    const written = await readFile(file, 'utf8');
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ event }) => event)).toEqual([
      'pre_run',
      'user',
      'request',
      'assistant',
      'tool_call',
      'tool_call',
      'tool_result',
      'tool_result',
      'request',
      'retry',
      'assistant',
      'run_end',
    ]);
    expect(lines[2]).toMatchObject({
      event: 'request',
      sessionId: 's1',
      provider: 'scripted',
      apiKind: 'offline',
      model: 'test-model',
      turn: 1,
    });
    expect(written).not.toContain('sk-canary');
    await session.close();
    expect(await readFile(file, 'utf8')).toMatch(/session_shutdown"}\n$/);
  });
});
