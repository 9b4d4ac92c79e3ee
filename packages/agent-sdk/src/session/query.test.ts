import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AgentError,
  type AgentEvent,
  type CallJudge,
  type Extension,
  jsonSchema,
  textOutput,
} from '@robota-sdk/agent-core';
import { ScriptedProvider } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../fixtures/place.ts';
import { type QueryOptions, query } from './query.ts';
import { SessionHub } from './session-hub.ts';

type Script = ConstructorParameters<typeof ScriptedProvider>[0];

/** A place to ask in, whose model plays a script. */
async function stage(script: Script, place?: Place) {
  const at = place ?? (await makePlace());
  const provider = new ScriptedProvider(script);
  const scripted: Extension = {
    name: 'scripted',
    setup: (host) => host.provider('anthropic', async () => provider),
  };
  const options: QueryOptions = {
    cwd: at.cwd,
    host: at.host,
    model: 'claude-sonnet-4-6',
    apiKey: 'k',
    extensions: [scripted],
    retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 },
  };
  return { place: at, provider, options };
}

const write = { toolCalls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'hi' } }] };
const done = { text: 'done' };
const failing = { failure: { code: 'auth' as const, message: 'no such key', retryable: false } };

describe('query', () => {
  it('R-3 takes the prompt alone, with options, or in one object, and content of any kind', async () => {
    const { options } = await stage(() => ({ text: 'yes' }));
    expect(await query('hi', options)).toBe('yes');
    expect(await query({ prompt: 'hi', ...options })).toBe('yes');
    expect(await query([{ type: 'text', text: 'hi' }], options)).toBe('yes');
  });

  it('sends what a program says as text: nothing in it is a command, a shell command or a mention', async () => {
    const { options, provider, place } = await stage(() => ({ text: 'ok' }));
    await writeFile(join(place.cwd, 'a.txt'), 'content of a');
    for (const prompt of ['/skills', '!touch b.txt', 'see @a.txt']) {
      expect(await query(prompt, options)).toBe('ok');
      const sent = JSON.stringify(provider.requests.at(-1)?.messages);
      expect(sent).toContain(prompt);
      expect(sent).not.toContain('content of a');
    }
    expect(existsSync(join(place.cwd, 'b.txt'))).toBe(false);
  });

  it('R-39 is every event when it is iterated, and the answer as well', async () => {
    const { options } = await stage([{ text: ['One ', 'two.'] }]);
    const asked = query('count', options);
    const events: AgentEvent[] = [];
    for await (const event of asked) events.push(event);
    expect(events[0]?.type).toBe('run-start');
    expect(events.at(-1)?.type).toBe('run-end');
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual([
      'One ',
      'two.',
    ]);
    expect(await asked).toBe('One two.');
    expect(await asked.result).toMatchObject({ status: 'completed', turns: 1 });
    for await (const _ of asked) throw new Error('it was over');
  });

  it('leaving the iteration interrupts it, and its session is closed then', async () => {
    const { options } = await stage([{ text: ['a', 'b', 'c'] }, done]);
    const asked = query('go', options);
    for await (const event of asked) if (event.type === 'text-delta') break;
    expect((await asked.result).status).toBe('aborted');
    await expect((await asked.session).submit('more')).rejects.toThrow();
  });

  it('a failure is thrown where it is awaited and where it is iterated, and nowhere else', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { options } = await stage(() => failing);
    await expect(query('hi', options)).rejects.toMatchObject({ code: 'auth' });
    await expect(
      (async () => {
        for await (const _ of query('hi', options));
      })(),
    ).rejects.toMatchObject({ code: 'auth' });
    expect(await query('hi', options).result).toMatchObject({ status: 'failed', error: { code: 'auth' } });
    await expect(query('hi', { ...options, resume: 'x', continue: true })).rejects.toMatchObject({
      code: 'usage',
      message: 'The options "resume" and "continue" can not be used together.',
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('sessions are kept, resumed, continued and forked', async () => {
    const { options, provider, place } = await stage(() => ({ text: 'noted' }));
    const first = query('my name is Ann', { ...options, persist: true });
    await first;
    const id = (await first.session).getSession().id;
    await query('what is it?', { ...options, resume: id });
    await query('and now?', { ...options, continue: true });
    const copy = query('elsewhere', { ...options, resume: id, fork: true });
    await copy;
    expect((await copy.session).getSession().id).not.toBe(id);
    const asked = provider.requests.map(
      ({ messages }) => messages.filter(({ role }) => role === 'assistant').length,
    );
    expect(asked).toEqual([0, 1, 2, 3]);
    const fresh = await stage([done], place);
    await query('hi', fresh.options);
    expect(fresh.provider.requests[0]?.messages.filter(({ role }) => role === 'assistant')).toEqual([]);
  });

  it('R-78 tools and hooks of the caller are set up with the session', async () => {
    const { options, provider } = await stage([
      { toolCalls: [{ name: 'Clock', input: { zone: 'UTC' } }] },
      done,
    ]);
    const seen: string[] = [];
    await query({
      ...options,
      prompt: 'what time is it?',
      allow: ['Clock'],
      setup: (host) => {
        host.tool({
          name: 'Clock',
          description: 'The time.',
          input: jsonSchema<{ zone: string }>({ type: 'object', properties: { zone: { type: 'string' } } }),
          access: () => [],
          execute: async ({ zone }) => textOutput(`noon in ${zone}`),
        });
        host.hook('tool-after', ({ call }) => void seen.push(call.name));
      },
    });
    expect(seen).toEqual(['Clock']);
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain('noon in UTC');
  });

  it('a schema makes a value of the answer', async () => {
    const { options } = await stage(() => ({ text: '{"ok": true}' }));
    const asked = query('is it?', {
      ...options,
      jsonSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    });
    expect((await asked.result).structured).toEqual({ ok: true });
  });
});

describe('permissions by a function', () => {
  interface Case {
    readonly title: string;
    readonly more?: Partial<QueryOptions>;
    readonly judge: CallJudge;
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
      more: { deny: ['Write'] },
      judge: () => 'allow',
      isWritten: false,
      words: /deny/i,
    },
    {
      title: 'without a word the policy decides',
      more: edits,
      judge: () => undefined,
      isWritten: true,
      words: /done/,
    },
    {
      title: 'without a word nobody is asked',
      judge: () => undefined,
      isWritten: false,
      words: /Nobody is there/,
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
    const { options, place, provider } = await stage([write, done]);
    const names: string[] = [];
    await query('write', {
      ...options,
      ...more,
      authorize: (request, signal) => {
        names.push(request.tool.name);
        return judge(request, signal);
      },
    });
    expect(existsSync(join(place.cwd, 'a.txt'))).toBe(isWritten);
    const answer = isWritten ? 'done' : JSON.stringify(provider.requests[1]?.messages.at(-1));
    expect(answer).toMatch(words);
    expect(names).toEqual(more.deny ? [] : ['Write']);
  });
});

describe('a hub', () => {
  it('R-77 publishes the life of every session that is made with it, and nothing disturbs them', async () => {
    const hub = new SessionHub();
    const log: string[] = [];
    hub.on('session_start', ({ session }) => log.push(`start ${session.getSession().id}`));
    hub.on('run_end', ({ outcome }) => log.push(outcome.status));
    hub.on('session_end', ({ session }) => log.push(`end ${session.getSession().id}`));
    hub.on('event', () => {
      throw new Error('a listener that fails');
    });
    hub.on('event', () => Promise.reject(new AgentError('internal', 'one that fails later')));
    const one = await stage([done]);
    const two = await stage([failing]);
    const asked = query('hi', { ...one.options, hub });
    expect(await asked).toBe('done');
    const id = (await asked.session).getSession().id;
    expect(log).toEqual([`start ${id}`, 'completed', `end ${id}`]);
    await expect(query('hi', { ...two.options, hub })).rejects.toThrow();
    expect(log.slice(3).map((line) => line.split(' ')[0])).toEqual(['start', 'failed', 'end']);
    expect(hub.sessions).toEqual([]);
  });
});

describe('agents and files from code', () => {
  it('agents are given, and files of extensions, skills and instructions can be left out', async () => {
    const { options, provider, place } = await stage(() => done);
    await writeFile(join(place.cwd, 'AGENTS.md'), 'Root rules.');
    const helper = { name: 'helper', description: 'Helps a lot.', systemPrompt: 'Help.' };
    await query('hi', { ...options, agents: [helper] });
    await query('hi', { ...options, contextFiles: false, extensionFiles: false });
    await place.put('.robota/skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies up.\n---\nTidy.');
    await query('hi', options);
    await query('hi', { ...options, skills: false });
    const [first, second, third, fourth] = provider.requests;
    expect(JSON.stringify([third?.system, third?.tools])).toContain('Tidies up.');
    expect(JSON.stringify([fourth?.system, fourth?.tools])).not.toContain('Tidies up.');
    expect(first?.tools.find(({ name }) => name === 'Agent')?.description).toContain('Helps a lot.');
    expect(first?.system).toContain('Root rules.');
    expect(second?.system).not.toContain('Root rules.');
  });
});
