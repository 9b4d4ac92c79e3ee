import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { SessionEvent } from '../contract/session-event.ts';
import { call, type ScriptedStep, scriptedModel } from '../testing/scripted-model.ts';
import { type TemporaryProject, temporaryProject } from '../testing/temporary-project.ts';
import type { Authorize, QueryOptions } from './options.ts';
import { query } from './query.ts';
import { Robota } from './robota.ts';
import type { Run } from './run.ts';
import { tool } from './tool.ts';

let project: TemporaryProject;
let home: string;
let robota: Robota;

beforeEach(async () => {
  project = await temporaryProject({ 'a.md': 'content of a' });
  home = await temporaryDirectory('robota-home');
  robota = new Robota({
    home,
    env: {},
    retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 },
  });
});
afterEach(() => project[Symbol.asyncDispose]());

const options = (script: Parameters<typeof scriptedModel>[0]) => {
  const model = scriptedModel(script);
  return { model, cwd: project.path };
};
const write = call('Write', { file_path: 'a.txt', content: 'hi' });
const failing: ScriptedStep = { error: new AgentError('auth', 'no such key') };

describe('query', () => {
  it('takes the prompt alone, with options, or in one object, and content of any kind', async () => {
    proves('R-3');
    const given = options(() => 'yes');
    expect(await robota.query('hi', given)).toBe('yes');
    expect(await query({ prompt: 'hi', ...given })).toBe('yes');
    expect(await robota.query([{ type: 'text', text: 'hi' }], given)).toBe('yes');
    expect(await readdir(home)).toEqual([]);
  });

  it('sends what a program says as text: nothing in it is a command, a shell command or a mention', async () => {
    const given = options(() => 'ok');
    for (const prompt of ['/skills', '!touch b.txt', 'see @a.md']) {
      expect(await robota.query(prompt, given)).toBe('ok');
      const sent = JSON.stringify(given.model.requests.at(-1)?.messages);
      expect(sent).toContain(prompt);
      expect(sent).not.toContain('content of a');
    }
    expect(existsSync(join(project.path, 'b.txt'))).toBe(false);
  });

  it('is every event when it is iterated, and the answer as well', async () => {
    proves('R-39');
    const run = robota.query('count', options([{ text: ['One ', 'two.'] }]));
    const events: SessionEvent[] = [];
    for await (const event of run) events.push(event);
    const types = events.map(({ type }) => type);
    expect([types[0], types[1], ...types.slice(-2)]).toEqual([
      'session-open',
      'run-start',
      'run-end',
      'session-close',
    ]);
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(deltas.join('')).toBe('One two.');
    expect(await run).toBe('One two.');
    expect(await run.result).toMatchObject({ status: 'completed', output: 'One two.', turns: 1 });
    for await (const _ of run) throw new Error('it was over');
  });

  it('the text alone can be iterated', async () => {
    let text = '';
    const run = robota.query('count', options([{ thinking: 'hm', text: ['One ', 'two.'] }]));
    for await (const piece of run.textStream) text += piece;
    expect(text).toBe('One two.');
  });

  it('leaving the iteration interrupts it, and its session is closed then', async () => {
    const run = robota.query('go', options([{ text: ['a', 'b', 'c'] }, 'done']));
    for await (const event of run) if (event.type === 'text-delta') break;
    expect((await run.result).status).toBe('aborted');
    expect(run.session.state).toBe('closed');
    expect(robota.live.size).toBe(0);
  });

  it('with a schema the value is typed, and an answer that does not fit is sent back, then fails', async () => {
    const output = z.object({ ok: z.boolean() });
    const run = robota.query('is it?', { ...options(['no JSON', '{"ok": true}']), output });
    expectTypeOf(run).toEqualTypeOf<Run<{ ok: boolean }>>();
    expect((await run).ok).toBe(true);
    const wrong = robota.query('is it?', { ...options(() => 'never'), output });
    await expect(wrong).rejects.toMatchObject({ code: 'schema', kind: 'run' });
    const refined = output.refine(({ ok }) => ok, 'must be ok');
    const refused = robota.query('is it?', { ...options(() => '{"ok": false}'), output: refined });
    await expect(refused).rejects.toThrow('must be ok');
  });

  it('tools and hooks of the caller are used, and a read-only tool needs no approval', async () => {
    proves('R-78');
    const clock = tool({
      name: 'Clock',
      description: 'The time.',
      input: z.object({ zone: z.string().default('UTC') }),
      readOnly: true,
      execute: ({ zone }) => `noon in ${zone}`,
    });
    const given = options([call('Clock'), 'done']);
    const seen: unknown[] = [];
    const hooks = { 'tool-after': ({ call: { name } }: { call: { name: string } }) => void seen.push(name) };
    await robota.query('what time is it?', { ...given, tools: [clock], builtInTools: false, hooks });
    expect(seen).toEqual(['Clock']);
    expect(given.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['Clock']);
    expect(JSON.stringify(given.model.requests[1]?.messages)).toContain('noon in UTC');
  });

  it('built-in tools can be chosen by name', async () => {
    const given = options(['done']);
    await robota.query('hi', { ...given, builtInTools: ['Read', 'Grep'] });
    expect(given.model.requests[0]?.tools.map(({ name }) => name).sort()).toEqual(['Grep', 'Read']);
  });

  it('an option that does not exist is refused with the nearest one, before anything happens', async () => {
    const given = { ...options(['done']), permisionMode: 'plan' } as QueryOptions;
    await expect(robota.query('hi', given)).rejects.toThrow('Did you mean "permissionMode"?');
    await expect(robota.query('hi', { permissionMode: 'yolo' } as never)).rejects.toThrow('permissionMode');
    await expect(robota.query('  ', options(['x']))).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('failures', () => {
  it('are thrown where a run is awaited or iterated, and values where its result is read', async () => {
    const given = () => options(() => failing);
    await expect(robota.query('hi', given())).rejects.toMatchObject({ code: 'auth', kind: 'setup' });
    const iterate = async () => {
      for await (const _ of robota.query('hi', given()));
    };
    await expect(iterate()).rejects.toMatchObject({ code: 'auth' });
    const result = await robota.query('hi', given()).result;
    expect(result).toMatchObject({ status: 'failed', error: { code: 'auth', message: 'no such key' } });
  });

  it('an aborted run rejects with an AbortError that carries the reason and what there is so far', async () => {
    const controller = new AbortController();
    const script = [call('Read', { file_path: 'a.md' }), { text: ['part', ' more'] }];
    const run = robota.query('hi', {
      ...options(script),
      signal: controller.signal,
      onTextDelta: () => controller.abort('enough'),
    });
    const error: unknown = await run.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AbortError', code: 'aborted', kind: 'aborted', cause: 'enough' });
    expect(AgentError.is(error) && error.result).toMatchObject({
      status: 'aborted',
      text: expect.stringContaining('part'),
    });
    expect(await run.result).toMatchObject({ status: 'aborted', turns: 2 });
  });

  it('one that was aborted before it began never asks the model', async () => {
    const given = options(['done']);
    const run = robota.query('hi', { ...given, signal: AbortSignal.abort() });
    expect((await run.result).status).toBe('aborted');
    expect(given.model.requests).toHaveLength(0);
  });

  it('that no door takes are unhandled rejections; interruptions are not', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
    try {
      robota.query(
        'hi',
        options(() => failing),
      );
      const aborted = robota.query(
        'hi',
        options(() => 'x'),
      );
      aborted.abort();
      const handled = robota.query(
        'hi',
        options(() => failing),
      );
      await handled.result;
      while (unhandled.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      process.off('unhandledRejection', note);
      for (const listener of others) process.on('unhandledRejection', listener);
    }
    expect(unhandled).toEqual([expect.objectContaining({ code: 'auth' })]);
  });

  it('limits of turns, money and time end a run with what there is', async () => {
    const looping = () => options((_, turn) => call('Glob', { pattern: `*${turn}` }));
    const turns = await robota.query('go', { ...looping(), maxTurns: 2 }).result;
    expect(turns).toMatchObject({ status: 'limit', turns: 2, error: { code: 'max-turns', kind: 'limit' } });
    const cost = await robota.query('go', { ...looping(), maxCost: 0.000_02 }).result;
    expect(cost).toMatchObject({ status: 'limit', error: { code: 'max-cost' } });
    const slow = options(async (request) => {
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      return 'late';
    });
    const month = await robota.query('go', { ...options(() => 'done'), maxTimeMs: 30 * 24 * 60 * 60_000 })
      .result;
    expect(month.status).toBe('completed');
    const time = await robota.query('go', { ...slow, maxTimeMs: 20 }).result;
    expect(time).toMatchObject({ status: 'limit', error: { code: 'max-time' } });
  });
});

describe('permissions by a function', () => {
  interface Case {
    readonly title: string;
    readonly more?: Partial<QueryOptions>;
    readonly judge: Authorize;
    readonly isWritten: boolean;
    readonly words: RegExp;
  }
  const edits = { permissionMode: 'acceptEdits' } as const;
  const cases: readonly Case[] = [
    { title: 'its yes answers the question', judge: () => 'allow', isWritten: true, words: /done/ },
    { title: 'its no stands', more: edits, judge: () => 'deny', isWritten: false, words: /declined/ },
    {
      title: 'its reason is told',
      judge: () => ({ deny: 'no Fridays' }),
      isWritten: false,
      words: /no Fridays/,
    },
    {
      title: 'a rule that denies stands above it',
      more: { permissions: { deny: ['Write(a.txt)'] } },
      judge: () => 'allow',
      isWritten: false,
      words: /deny/i,
    },
    {
      title: 'without a word the mode decides',
      more: edits,
      judge: () => undefined,
      isWritten: true,
      words: /done/,
    },
    {
      title: 'without a word and a user it is denied',
      judge: () => undefined,
      isWritten: false,
      words: /Write/,
    },
    {
      title: 'a failure is a no',
      more: edits,
      judge: () => Promise.reject(new Error('down')),
      isWritten: false,
      words: /down/,
    },
  ];
  it.each(cases)('$title', async ({ more = {}, judge, isWritten, words }) => {
    const given = options([write, 'done']);
    const names: string[] = [];
    const authorize: Authorize = (request, signal) => {
      names.push(request.call.name);
      return judge(request, signal);
    };
    const { denials } = await robota.query('write', { ...given, ...more, authorize }).result;
    expect(existsSync(join(project.path, 'a.txt'))).toBe(isWritten);
    const answer = isWritten ? 'done' : JSON.stringify(given.model.requests[1]?.messages.at(-1));
    expect(answer).toMatch(words);
    expect(names).toEqual(more.permissions ? [] : ['Write']);
    expect(denials.map(({ tool: name }) => name)).toEqual(isWritten ? [] : ['Write']);
  });
});

it('a tool that is denied altogether is neither offered nor run', async () => {
  const given = options([write, 'done']);
  await robota.query('write', { ...given, permissions: { deny: ['Write'] }, authorize: () => 'allow' })
    .result;
  expect(given.model.requests[0]?.tools.map(({ name }) => name)).not.toContain('Write');
  expect(JSON.stringify(given.model.requests[1]?.messages.at(-1))).toContain('Unknown tool');
  expect(existsSync(join(project.path, 'a.txt'))).toBe(false);
});

describe('agents and files', () => {
  it('agents are given, their events and models are told, and files can be left out', async () => {
    await project.write('AGENTS.md', 'Root rules.');
    const helper = { name: 'helper', description: 'Helps a lot.', systemPrompt: 'Help.' };
    const given = options([
      call('Agent', { subagent_type: 'helper', description: 'x', prompt: 'do' }),
      'from the agent',
      'done',
    ]);
    const run = robota.query('hi', { ...given, agents: [helper] });
    const agents = new Set<string | undefined>();
    const kinds = new Set<string>();
    for await (const event of run) {
      kinds.add(event.type);
      if (event.type === 'turn-start') agents.add(event.agentId);
    }
    expect(agents.size).toBe(2);
    expect([...kinds]).toEqual(expect.arrayContaining(['context-change', 'tool-end']));
    const { models, cost } = await run.result;
    expect(models['scripted/model']).toMatchObject({ calls: 3 });
    expect(cost).toBeCloseTo(models['scripted/model']?.cost ?? 0);
    const [first] = given.model.requests;
    expect(first?.tools.find(({ name }) => name === 'Agent')?.description).toContain('Helps a lot.');
    expect(first?.system).toContain('Root rules.');
    const bare = options(['done']);
    await robota.query('hi', { ...bare, sources: 'none' });
    expect(bare.model.requests[0]?.system).not.toContain('Root rules.');
    await project.write(
      '.robota/skills/tidy/SKILL.md',
      '---\nname: tidy\ndescription: Tidies up.\n---\nTidy.',
    );
    const skilled = options(['with', 'without']);
    await robota.query('hi', skilled);
    await robota.query('hi', { ...skilled, sources: { skills: false } });
    const told = skilled.model.requests.map(({ system, tools }) => JSON.stringify([system, tools]));
    expect(told.map((each) => each.includes('Tidies up.'))).toEqual([true, false]);
    expect(told[1]).toContain('Root rules.');
  });
});
