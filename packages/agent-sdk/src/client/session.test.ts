import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ClientEvent, SessionEvent } from '../contract/session-event.ts';
import { checkProvider } from '../testing/check-provider.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { modelServer } from '../testing/model-server.ts';
import { runTool } from '../testing/run-tool.ts';
import { call, scriptedModel } from '../testing/scripted-model.ts';
import { type TemporaryProject, temporaryProject } from '../testing/temporary-project.ts';
import { defineExtension } from './define-extension.ts';
import { defineProvider } from './define-provider.ts';
import { createSession } from './query.ts';
import { Robota } from './robota.ts';
import { sseResponse } from './sse-response.ts';
import { tool } from './tool.ts';

let project: TemporaryProject;
let home: string;
let robota: Robota;

beforeEach(async () => {
  project = await temporaryProject({ 'a.md': 'content of a' });
  home = await temporaryDirectory('robota-home');
  robota = new Robota({ home, env: {} });
});
afterEach(async () => {
  await robota.close();
  await project[Symbol.asyncDispose]();
});

const write = call('Write', { file_path: 'a.txt', content: 'hi' });

describe('a session', () => {
  it('does nothing before its first prompt, and runs prompts one after the other', async () => {
    const model = scriptedModel((_, turn) => `answer ${turn + 1}`);
    const session = robota.createSession({ cwd: project.path, model });
    expect([session.state, robota.live.size, session.messages.length]).toEqual(['new', 0, 0]);
    const [one, two] = [session.run('one'), session.run('two', { maxTurns: 3 })];
    expect(await Promise.all([one, two])).toEqual(['answer 1', 'answer 2']);
    expect(JSON.stringify(model.requests[1]?.messages)).toMatch(/one.*answer 1.*two/);
    expect(robota.live.get(session.id)).toBe(session);
    expect(session.spent.modelCalls).toBe(2);
    expect(session.context?.usedTokens).toBeGreaterThan(0);
    await session.close();
    await session.close();
    expect([session.state, robota.live.size]).toEqual(['closed', 0]);
    await expect(session.run('three')).rejects.toMatchObject({ code: 'session-closed' });
  });

  it('an aborted prompt that waited lets nothing overtake, and the others continue', async () => {
    const order: string[] = [];
    const model = scriptedModel((_, turn) => `answer ${turn + 1}`);
    await using session = robota.createSession({ cwd: project.path, model });
    const runs = ['one', 'two', 'three'].map((prompt) => session.run(prompt));
    runs[1]?.abort();
    for (const [index, run] of runs.entries())
      void run.result.then(({ status }) => order.push(`${index + 1} ${status}`));
    await Promise.all(runs.map((run) => run.result));
    expect(order.sort()).toEqual(['1 completed', '2 aborted', '3 completed']);
    expect(model.requests).toHaveLength(2);
  });

  it('steering joins the run that is going, and says whether it was taken', async () => {
    let steered: Promise<boolean> | undefined;
    const model = scriptedModel((_, turn) => {
      if (turn > 0) return 'done';
      steered = run.steer('Use the form.');
      return call('Glob', { pattern: '*' });
    });
    await using session = robota.createSession({ cwd: project.path, model });
    const run = session.run('Add a page');
    expect(await run).toBe('done');
    expect(await steered).toBe(true);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Use the form.');
    expect(await run.steer('too late')).toBe(false);
  });

  it('questions wait for answers by the ids of their choices', async () => {
    const model = scriptedModel([write, 'done', call('Write', { file_path: 'b.txt', content: '' }), 'no']);
    await using session = robota.createSession({ cwd: project.path, model, questions: 'wait' });
    const asked: SessionEvent[] = [];
    session.subscribe((event) => {
      if (event.type !== 'question-start') return;
      asked.push(event);
      const { id, choices } = event.question;
      expect(choices.map((choice) => choice.id)).toEqual(expect.arrayContaining(['once', 'deny']));
      session.answer(id, { choice: asked.length === 1 ? 'once' : 'deny' });
    });
    expect(await session.run('write')).toBe('done');
    expect(await project.read('a.txt')).toBe('hi');
    const { denials } = await session.run('write again').result;
    expect(denials).toHaveLength(1);
    expect(asked[0]).toMatchObject({ question: { kind: 'permission', call: { name: 'Write' } } });
    expect(() => session.answer('none', { choice: 'once' })).toThrow('No question "none" waits');
  });

  it('a function answers questions, and one that throws has not', async () => {
    const script = [write, 'done'];
    const allowed = robota.query('write', {
      cwd: project.path,
      model: scriptedModel(script),
      questions: ({ choices }) => ({ choice: choices[0]?.id ?? '' }),
    });
    expect((await allowed.result).denials).toEqual([]);
    const failing = robota.query('write', {
      cwd: project.path,
      model: scriptedModel(script),
      questions: () => {
        throw new Error('down');
      },
    });
    expect((await failing.result).denials).toHaveLength(1);
  });

  it('a client hears the events of every session, and a listener that throws disturbs none', async () => {
    proves('R-77');
    const told: ClientEvent[] = [];
    robota.subscribe((event) => void told.push(event));
    robota.subscribe(() => {
      throw new Error('fails');
    });
    const session = robota.createSession({ cwd: project.path, model: scriptedModel(['done']) });
    session.subscribe(() => Promise.reject(new Error('later')));
    expect(await session.run('hi')).toBe('done');
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
    const last = told.at(-1);
    expect(last).toMatchObject({
      sessionId: session.id,
      event: { type: 'run-end', result: { status: 'completed' } },
    });
    expect(JSON.parse(JSON.stringify(last?.event))).toBeTruthy();
    await session.close();
    expect([told[0]?.event.type, told.at(-1)?.event]).toEqual([
      'session-open',
      { type: 'session-close', sessionId: session.id },
    ]);
  });

  it('has its settings, permissions and MCP servers as members once it is open', async () => {
    const add = tool({
      name: 'add',
      description: 'Adds two numbers.',
      input: z.object({ a: z.number(), b: z.number() }),
      readOnly: true,
      execute: ({ a, b }) => String(a + b),
    });
    await using session = robota.createSession({
      cwd: project.path,
      model: scriptedModel(['done']),
      permissions: { deny: ['Read(secrets/**)'] },
      mcpServers: { files: { command: 'no-such-program' }, calc: { tools: [add] } },
    });
    expect([session.settings, session.permissions, session.mcp]).toEqual([undefined, undefined, undefined]);
    await session.ready;
    const changes: unknown[] = [];
    session.subscribe((event) => event.type === 'settings-change' && changes.push(event.keys));
    await session.settings?.give({ language: 'ko' });
    expect([session.settings?.config.settings.language, changes]).toEqual(['ko', [['language']]]);
    await session.setPermissionMode('plan');
    expect(session.permissions?.mode).toBe('plan');
    expect(await session.permissions?.check({ tool: 'Read', path: 'secrets/key' })).toMatchObject({
      verdict: 'deny',
    });
    expect(session.mcp?.configured.map(({ name }) => name)).toEqual(['files']);
  });

  it('background tasks are told and listed', async () => {
    const command = { command: 'sleep 30', run_in_background: true };
    await using session = robota.createSession({
      cwd: project.path,
      model: scriptedModel([call('Bash', command), 'started']),
      permissionMode: 'bypassPermissions',
    });
    const changes: string[] = [];
    session.subscribe((event) => event.type === 'task-change' && changes.push(event.change.type));
    expect(await session.run('go')).toBe('started');
    expect(changes).toContain('background_task_created');
    expect(session.tasks?.list()).toMatchObject([{ status: 'running' }]);
  });

  it('a callback that throws ends its own run', async () => {
    const run = robota.query('hi', {
      cwd: project.path,
      model: scriptedModel(['done']),
      onTextDelta: () => {
        throw new Error('mine');
      },
    });
    await expect(run).rejects.toThrow('mine');
  });

  it('changes model and mode, compacts, and goes back to an earlier entry', async () => {
    const other = defineProvider({
      vendor: 'other',
      models: [{ id: 'big', contextWindow: 100_000 }],
      async *stream() {
        yield { type: 'text-delta', text: 'from the other' };
        yield { type: 'end' };
      },
    });
    const model = scriptedModel((_, turn) => (turn === 1 ? write : `answer ${turn}`));
    const client = new Robota({ home, env: {}, providers: [other] });
    await using session = client.createSession({ cwd: project.path, model, session: 'new' });
    await session.run('one');
    const entry = session.tree?.leafId ?? null;
    await session.setPermissionMode('acceptEdits');
    await session.run('two');
    expect(await project.read('a.txt')).toBe('hi');
    expect((await session.setModel('other/big')).id).toBe('big');
    expect(await session.run('three')).toBe('from the other');
    const before = session.messages.length;
    await session.rewind(entry);
    expect(session.messages.length).toBeLessThan(before);
    await expect(session.compact('keep names')).resolves.toBeDefined();
  });
});

describe('which session', () => {
  it('is in memory unless asked, and one that is kept is resumed, continued, forked and found', async () => {
    const model = scriptedModel(() => 'noted');
    const base = { cwd: project.path, model };
    await robota.query('not kept', base);
    expect(await robota.sessions.list()).toEqual([]);
    const first = robota.query('my name is Ann', { ...base, session: 'new' });
    await first;
    const { id } = first.session;
    await robota.query('what is it?', { ...base, session: { resume: id } });
    await robota.query('and now?', { ...base, session: 'latest' });
    const copy = robota.query('elsewhere', { ...base, session: { resume: id, fork: true } });
    await copy;
    expect(copy.session.id).not.toBe(id);
    const asked = model.requests
      .slice(1)
      .map(({ messages }) => messages.filter(({ role }) => role === 'assistant').length);
    expect(asked).toEqual([0, 1, 2, 3]);
    const [hit] = await robota.sessions.search('Ann', { cwd: project.path });
    expect(hit?.text).toContain('Ann');
    await robota.sessions.rename(id, 'names');
    const listed = await robota.sessions.list({ cwd: project.path });
    expect(listed.find((each) => each.id === id)).toMatchObject({ name: 'names', title: 'my name is Ann' });
    expect(await robota.sessions.export(id)).toContain('my name is Ann');
    await robota.sessions.delete(id);
    expect((await robota.sessions.list()).some((each) => each.id === id)).toBe(false);
  });

  it('may have an id, a file or a store of the program', async () => {
    const model = scriptedModel(() => 'noted');
    const base = { cwd: project.path, model };
    for (const _ of [1, 2])
      await robota.query('hi', { ...base, session: { id: 'conversation-1', name: 'chat' } });
    expect(model.requests[1]?.messages.length).toBeGreaterThan(1);
    const file = join(home, 'own.jsonl');
    for (const _ of [1, 2]) await robota.query('hi', { ...base, session: { file } });
    expect(model.requests[3]?.messages.length).toBeGreaterThan(1);
    const store = memoryStore();
    const client = new Robota({ home, env: {}, store });
    const run = client.query('hi', { ...base, session: 'new' });
    await run;
    expect((await client.sessions.list()).map((each) => each.id)).toEqual([run.session.id]);
    await client.query('again', { ...base, session: { resume: run.session.id } });
    expect(model.requests[5]?.messages.length).toBeGreaterThan(1);
    expect(await client.sessions.search('again noted')).toMatchObject([{ session: { id: run.session.id } }]);
    expect(await client.sessions.search('never')).toEqual([]);
  });

  it('one that cannot be opened fails its prompts, and the next prompt tries again', async () => {
    const told: ClientEvent[] = [];
    robota.subscribe((event) => void told.push(event));
    const model = scriptedModel(['noted']);
    const gone = robota.query('hi', { cwd: project.path, model, session: { resume: 'no-such-session' } });
    expect(await gone.result).toMatchObject({ status: 'failed', error: { kind: 'session' } });
    expect(told.map(({ event }) => event.type)).toEqual(['run-end']);
    const file = join(home, 'folder', 'own.jsonl');
    await using session = robota.createSession({ cwd: project.path, model, session: { file } });
    await expect(session.run('hi')).rejects.toThrow(/folder/);
    expect(robota.live.size).toBe(0);
    await mkdir(join(home, 'folder'));
    expect(await session.run('hi')).toBe('noted');
  });

  it('has no id before it is looked for', async () => {
    const session = robota.createSession({ cwd: project.path, model: scriptedModel([]), session: 'latest' });
    expect(() => session.id).toThrow('after `await session.ready`');
    expect((await session.ready).id).toBe(session.id);
    await session.close();
  });

  it('createSession of the process makes one, too', async () => {
    await using session = createSession({
      cwd: project.path,
      model: scriptedModel(['done']),
      sources: 'none',
    });
    expect(await session.run('hi')).toBe('done');
  });

  it('budgets of a session and a day stop it', async () => {
    const model = scriptedModel((_, turn) => call('Glob', { pattern: `*${turn}` }));
    await using session = robota.createSession({ cwd: project.path, model, budget: 0.000_02 });
    expect(await session.run('go').result).toMatchObject({ status: 'limit', error: { code: 'budget' } });
    const client = new Robota({ home, env: {}, dailyBudget: 0.000_02 });
    const run = client.query('go', { cwd: project.path, model });
    expect(await run.result).toMatchObject({ status: 'limit', error: { code: 'budget' } });
  });
});

describe('connections', () => {
  it('lead to a vendor by key, URL and headers of the client, whatever the environment says', async () => {
    await using server = await modelServer([call('Read', { file_path: 'a.md' }), { text: ['Ok', 'ay.'] }]);
    const connections = {
      anthropic: { apiKey: 'key-of-the-client', baseUrl: server.url, headers: { 'x-team': 'blue' } },
    };
    const env = { ANTHROPIC_AUTH_TOKEN: 'other', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const client = new Robota({ home, env, connections });
    const run = client.query('hi', { cwd: project.path, model: 'claude-sonnet-4-6' });
    expect(await run).toBe('Okay.');
    expect(server.headers[0]).toMatchObject({ 'x-api-key': 'key-of-the-client', 'x-team': 'blue' });
    expect(server.headers[0]).not.toHaveProperty('authorization');
    expect(JSON.stringify(server.requests[1])).toContain('content of a');
    const beyond = client.query('hi', { cwd: project.path, model: 'claude-sonnet-4-6' });
    await expect(beyond).rejects.toThrow('The script has no answer 3.');
  });
});

describe('extending', () => {
  const add = tool({
    name: 'add',
    description: 'Adds.',
    input: z.object({ a: z.number(), b: z.number() }),
    readOnly: true,
    execute: ({ a, b }) => a + b,
  });

  it('tools of the program are an MCP server, or part of an extension with hooks and agents', async () => {
    const model = scriptedModel([
      call('mcp__calc__add', { a: 2, b: 3 }),
      call('add', { a: 4, b: 5 }),
      'done',
    ]);
    const seen: string[] = [];
    const extension = defineExtension({
      name: 'sums',
      tools: [add],
      hooks: { 'tool-after': ({ call: { name } }) => void seen.push(name) },
      agents: [{ name: 'summer', description: 'Sums.', systemPrompt: 'Sum.' }],
    });
    const mcpServers = { calc: { tools: [add] } };
    await robota.query('sum', { cwd: project.path, model, mcpServers, extensions: [extension] });
    expect(seen).toEqual(['mcp__calc__add', 'add']);
    const said = JSON.stringify(model.requests.at(-1)?.messages);
    expect(said).toContain('"5"');
    expect(said).toContain('"9"');
    expect(JSON.stringify(model.requests[0]?.tools)).toContain('summer');
  });

  it('a tool can be tested alone: its input is validated', async () => {
    expect((await runTool(add, { a: 1, b: 2 })).text).toBe('3');
    await expect(runTool(add, { a: 'x' })).rejects.toThrow('add: a');
  });

  it('a provider yields three kinds of events, and what it throws is a failure of the model', async () => {
    let calls = 0;
    const acme = defineProvider({
      vendor: 'acme',
      models: [{ id: 'large', contextWindow: 128_000, price: { input: 1, output: 4 } }],
      async *stream({ system }) {
        if (++calls === 1) throw new AgentError('rate-limit', 'ACME is busy.', { retryable: true });
        yield { type: 'text-delta', text: `after ${system === '' ? 0 : calls} ` };
        yield { type: 'text-delta', text: 'calls' };
        yield { type: 'end', usage: { input: 1_000_000 } };
      },
    });
    const retry = { maxRetries: 1, baseDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 };
    const client = new Robota({ home, env: {}, providers: [acme], retry });
    const result = await client.query('hi', { cwd: project.path, model: 'acme/large' }).result;
    expect(result).toMatchObject({ status: 'completed', output: 'after 2 calls', cost: 1 });
    expect((await client.models()).some(({ id }) => id === 'large')).toBe(true);
    expect((await checkProvider(acme)).text).toBe('after 3 calls');
    const silent = defineProvider({ ...acme, async *stream() {} });
    await expect(checkProvider(silent)).rejects.toMatchObject({ code: 'protocol' });
  });

  it('an interrupt ends a run whose provider ignores the signal', async () => {
    const deaf = defineProvider({
      vendor: 'deaf',
      models: [{ id: 'm', contextWindow: 1000 }],
      async *stream() {
        yield { type: 'text-delta', text: 'part' };
        await new Promise(() => {});
      },
    });
    await using client = new Robota({ home, env: {}, providers: [deaf] });
    const run = client.query('hi', { cwd: project.path, model: 'deaf/m' });
    for await (const event of run) if (event.type === 'text-delta') break;
    expect(await run.result).toMatchObject({ status: 'aborted', text: 'part' });
  });

  it('a run is a response of a web server, and a browser that leaves ends it', async () => {
    const run = robota.query('hi', { cwd: project.path, model: scriptedModel(['Hello.']) });
    const response = sseResponse(run, { headers: { 'x-session': run.session.id } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const text = await response.text();
    expect(text).toContain('event: text-delta\ndata: {"type":"text-delta","text":"Hello."}\n\n');
    const failing = robota.query('hi', { cwd: project.path, model: scriptedModel([]) });
    expect(await sseResponse(failing).text()).toContain('"code":"internal"');
    const left = robota.query('hi', { cwd: project.path, model: scriptedModel([{ text: ['a', 'b'] }]) });
    await sseResponse(left).body?.cancel();
    expect((await left.result).status).toBe('aborted');
  });

  it('a cassette records what happens and replays it without a model', async () => {
    const file = join(home, 'hi.cassette');
    const cassette = { file, mode: 'auto' } as const;
    const model = scriptedModel(['Recorded.']);
    expect(await robota.query('hi', { cwd: project.path, model, cassette })).toBe('Recorded.');
    expect(await robota.query('hi', { cwd: project.path, model, cassette })).toBe('Recorded.');
    expect(model.requests).toHaveLength(1);
  });
});
