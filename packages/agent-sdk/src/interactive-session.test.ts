import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Extension } from '@robota-sdk/agent-core';
import { testTool } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { makePlace } from './fixtures/place.ts';
import { callTurn, openScripted } from './fixtures/scripted-session.ts';
import type { InteractiveSession, InteractiveSessionEvents } from './interactive-session.ts';

const eventNames = [
  'text_delta',
  'tool_start',
  'tool_end',
  'thinking',
  'user_message',
  'complete',
  'interrupted',
  'error',
  'context_update',
  'notice',
] as const satisfies readonly (keyof InteractiveSessionEvents)[];

function record(session: InteractiveSession): [string, unknown][] {
  const events: [string, unknown][] = [];
  for (const name of eventNames) session.on(name, (value) => void events.push([name, value]));
  return events;
}

describe('InteractiveSession', () => {
  it('R-39 tells what happens: prompt, thinking, text, tools, window, completion', async () => {
    const place = await makePlace();
    await place.put('note.txt', 'a note');
    const { session } = await openScripted(place, [
      { toolCalls: [{ id: 'c1', name: 'Read', input: { file_path: 'note.txt' } }] },
      { text: ['It says ', 'a note.'] },
    ]);
    const events = record(session);
    const result = await session.submit('what does it say?');
    expect(events.map(([name]) => name)).toEqual([
      'user_message',
      'thinking',
      'tool_start',
      'tool_end',
      'context_update',
      'thinking',
      'text_delta',
      'text_delta',
      'context_update',
      'thinking',
      'complete',
    ]);
    const call = { toolCallId: 'c1', toolName: 'Read', firstArg: 'note.txt' };
    expect(events).toContainEqual(['user_message', 'what does it say?']);
    expect(events).toContainEqual(['tool_start', { ...call, isRunning: true }]);
    expect(events).toContainEqual(['tool_end', { ...call, isRunning: false, result: 'success' }]);
    expect(events.filter(([name]) => name === 'text_delta').map(([, text]) => text)).toEqual([
      'It says ',
      'a note.',
    ]);
    expect(events.at(-1)).toEqual(['complete', result]);
    expect(result).toMatchObject({
      status: 'completed',
      response: 'It says a note.',
      contextState: { maxTokens: 1_000_000 },
    });
    await session.shutdown();
  });

  it('an interrupted run ends with `interrupted`, a failed one with `error`', async () => {
    const { session } = await openScripted(await makePlace(), [
      { text: ['partial', ' never'] },
      { failure: { code: 'auth', message: 'bad key', retryable: false } },
    ]);
    const events = record(session);
    const stop = session.on('text_delta', () => void session.abort());
    expect(await session.submit('go')).toMatchObject({ status: 'aborted', response: 'partial' });
    stop();
    expect(events.at(-1)).toMatchObject(['interrupted', { status: 'aborted' }]);
    await session.submit('again');
    expect(events.at(-1)).toMatchObject(['error', { code: 'auth', message: 'bad key' }]);
    expect(events.filter(([name]) => name === 'complete')).toEqual([]);
    await session.shutdown();
  });

  it('what is submitted during a run steers it; what is still queued can be taken back', async () => {
    let session: InteractiveSession | undefined;
    const opened = await openScripted(await makePlace(), [
      {
        ...callTurn('Glob', { pattern: '*' }),
        before: async () => {
          expect(session?.isExecuting()).toBe(true);
          expect(await session?.submit('look at a.txt')).toBeUndefined();
          await session?.submit('never mind');
        },
      },
      {
        text: 'ok',
        before: () => expect(session?.cancelQueue()).toEqual([[{ type: 'text', text: 'never mind' }]]),
      },
    ]);
    session = opened.session;
    await session.submit('look');
    const sent = opened.provider.requests[1]?.messages.at(-1);
    expect(sent).toMatchObject({ role: 'user', content: [{ text: 'look at a.txt' }], origin: 'steering' });
    await session.shutdown();
  });

  it('what is submitted during a compaction is answered after it', async () => {
    let session: InteractiveSession | undefined;
    let late: Promise<unknown> | undefined;
    const opened = await openScripted(await makePlace(), (request) => ({
      text: 'words '.repeat(500),
      before: () => {
        if (request.tools.length === 0 && !late) late = session?.submit('typed meanwhile');
      },
    }));
    session = opened.session;
    for (const prompt of ['one', 'two', 'three']) await session.submit(prompt);
    expect(await session.executeCommand('compact')).toMatchObject({ success: true });
    expect(await late).toMatchObject({ status: 'completed' });
    expect(opened.provider.requests.at(-1)?.messages.at(-1)).toMatchObject({
      content: [{ text: 'typed meanwhile' }],
    });
    await session.shutdown();
  });

  it('on returns the function that takes a listener away, and off does the same', async () => {
    const { session } = await openScripted(await makePlace());
    const listener = () => {};
    const stop = session.on('complete', listener);
    session.on('complete', () => {});
    expect(session.listenerCount('complete')).toBe(2);
    stop();
    expect(session.listenerCount('complete')).toBe(1);
    session.on('error', listener);
    session.off('error', listener);
    expect(session.listenerCount('error')).toBe(0);
    await session.shutdown();
  });
});

describe('a resumed session', () => {
  it('goes on with the model and the thinking that were chosen in it, unless others are named', async () => {
    const place = await makePlace({ OPENAI_API_KEY: 'k-openai' });
    const { session } = await openScripted(place, () => ({ text: 'ok' }), { store: 'new' });
    await session.submit('one');
    await session.executeCommand('model', 'openai/gpt-5');
    await session.getSession().setThinking('high');
    const id = session.getSession().getSessionId();
    await session.shutdown();
    const resume = { store: { open: id }, model: undefined } as const;
    const resumed = await openScripted(place, [], resume);
    expect(resumed.session.getSession()).toMatchObject({ model: { id: 'gpt-5' }, thinking: 'high' });
    await resumed.session.shutdown();
    const renamed = await openScripted(place, [], { ...resume, model: 'claude-sonnet-4-6', thinking: 'low' });
    expect(renamed.session.getSession()).toMatchObject({
      model: { id: 'claude-sonnet-4-6' },
      thinking: 'low',
    });
    await renamed.session.shutdown();
  });
});

describe('commands', () => {
  it('C-27 /help lists every command with what it does', async () => {
    const { session } = await openScripted(await makePlace());
    const { message } = (await session.executeCommand('help')) ?? { message: '' };
    for (const { name, description } of session.listCommands())
      expect(message).toMatch(
        new RegExp(`^/${name}\\b.*${description.slice(0, 20).replace(/[()]/g, '.')}`, 'm'),
      );
    expect(session.listCommands().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'help',
        'clear',
        'compact',
        'context',
        'cost',
        'mode',
        'model',
        'permissions',
        'exit',
      ]),
    );
    await session.shutdown();
  });

  it('C-28 /clear empties the conversation, for the model too', async () => {
    const { session, provider } = await openScripted(await makePlace(), () => ({ text: 'ok' }));
    await session.submit('remember 7');
    expect(await session.executeCommand('clear')).toMatchObject({ success: true });
    expect(session.getMessages()).toEqual([]);
    await session.submit('which number?');
    expect(provider.requests[1]?.messages).toHaveLength(1);
    await session.shutdown();
  });

  it('C-29 /mode shows, changes and completes the mode, and the next call is judged by it', async () => {
    const place = await makePlace();
    const write = callTurn('Write', { file_path: 'a.txt', content: 'hi' });
    const { session } = await openScripted(place, [write, { text: 'no' }, write, { text: 'yes' }]);
    expect(await session.executeCommand('mode')).toMatchObject({
      message: 'The permission mode is default.',
    });
    await session.submit('write');
    await expect(readFile(join(place.cwd, 'a.txt'))).rejects.toThrow();
    expect(await session.executeCommand('mode', 'acceptEdits')).toMatchObject({ success: true });
    await session.submit('write');
    expect(await readFile(join(place.cwd, 'a.txt'), 'utf8')).toBe('hi');
    expect(await session.executeCommand('mode', 'paln')).toMatchObject({
      success: false,
      message: expect.stringContaining('Did you mean plan?'),
    });
    const mode = session.listCommands().find(({ name }) => name === 'mode');
    const context = {
      session,
      ui: { ask: async () => ({ kind: 'unavailable' }) as const, notify: () => {} },
      signal: new AbortController().signal,
    };
    expect(await mode?.complete?.('a', context)).toEqual(['acceptEdits']);
    await session.shutdown();
  });

  it('C-32 /cost counts the whole session, also what a summary replaced', async () => {
    const { session } = await openScripted(await makePlace(), () => ({
      text: 'words '.repeat(500),
      usage: { input: 1_000_000, output: 0 },
    }));
    await session.submit('hi');
    const { message } = (await session.executeCommand('cost')) ?? { message: '' };
    expect(message).toContain('$3.0000 for 1 model call (Claude Sonnet 4.6)');
    expect(message).toContain('1000000 tokens in');
    await session.submit('more');
    await session.submit('more');
    await session.executeCommand('clear');
    expect(await session.executeCommand('cost')).toMatchObject({
      message: expect.stringContaining('$9.0000 for 3'),
    });
    await session.shutdown();
  });

  it('C-33 /context shows how full the window is', async () => {
    const { session } = await openScripted(await makePlace(), [
      { text: 'ok', usage: { input: 450_000, output: 0 } },
    ]);
    await session.submit('hi');
    expect(await session.executeCommand('context')).toMatchObject({
      message: '45% (450K/1M) of Claude Sonnet 4.6, 2 messages',
      data: { usedTokens: 450_000, usedPercentage: 45 },
    });
    await session.shutdown();
  });

  it('C-34 /permissions shows mode and rules with their origin', async () => {
    const place = await makePlace();
    const file = await place.put('~/.robota/settings.json', '{"permissions": {\n"deny": ["Read(.env)"]}}');
    const { session } = await openScripted(place, [], { rules: { allow: ['Bash(npm test)'] } });
    const { message } = (await session.executeCommand('permissions')) ?? { message: '' };
    expect(message).toContain('mode: default');
    expect(message).toContain(`Read(.env)  (${file}:2)`);
    expect(message).toContain('Bash(npm test)  (command line)');
    expect(message).toContain('Read(.robota/**)  (built-in)');
    await session.shutdown();
  });

  it('C-36 P-31 /exit and /quit ask for the end of the session', async () => {
    const { session } = await openScripted(await makePlace());
    expect(await session.executeCommand('exit')).toMatchObject({ success: true, exit: true });
    expect(await session.executeCommand('quit')).toMatchObject({ success: true, exit: true });
    await session.shutdown();
  });

  it('C-11 C-12 C-13 /compact compacts, passes the focus on and says from where to where', async () => {
    const { session, provider } = await openScripted(await makePlace(), () => ({
      text: 'words '.repeat(60_000),
      usage: { input: 400_000, output: 0 },
    }));
    expect(await session.executeCommand('compact')).toMatchObject({
      message: expect.stringContaining('short'),
    });
    for (const prompt of ['one', 'two', 'three']) await session.submit(prompt);
    const notices: unknown[] = [];
    session.on('notice', (notice) => void notices.push(notice));
    const first = await session.executeCommand('compact');
    expect(first?.message).toMatch(/^Context compressed: 40% → \d+%$/);
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).not.toContain('special attention');
    await session.submit('four');
    await session.submit('five');
    await session.executeCommand('compact', 'the API names');
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('the API names');
    expect(notices).toEqual([]);
    await session.shutdown();
  });

  it('P-32 P-57 /model lists the models, completes their names and switches with tools and prompt', async () => {
    const place = await makePlace({ OPENAI_API_KEY: 'k-openai', BRAVE_API_KEY: 'k-brave' });
    await place.put('~/.robota/models.json', {
      providers: {
        mine: { baseUrl: 'http://localhost:1', api: 'openai-completions', models: [{ id: 'own-model' }] },
      },
    });
    const { session, provider, connections } = await openScripted(place, () => ({ text: 'ok' }), {
      fallbackModels: ['openai/gpt-5'],
    });
    const { message } = (await session.executeCommand('model')) ?? { message: '' };
    expect(message).toMatch(/^\* anthropic\/claude-sonnet-4-6 {2}Claude Sonnet 4\.6 \(1M\)$/m);
    expect(message).toContain('mine/own-model');
    await session.submit('one');
    expect(await session.executeCommand('model', 'mine/own-model')).toMatchObject({ success: true });
    await session.submit('two');
    expect(connections.map(({ vendor }) => vendor)).toEqual(['anthropic', 'mine']);
    expect(connections[1]?.apiKey).toBeUndefined();
    const [before, after] = provider.requests;
    expect(before).toMatchObject({ webSearch: true });
    expect(after).toMatchObject({ webSearch: false, model: { id: 'own-model' } });
    expect(before?.tools.map(({ name }) => name)).not.toContain('WebSearch');
    expect(after?.tools.map(({ name }) => name)).toContain('WebSearch');
    expect(after?.system).not.toContain('web_search');
    expect(session.getSession().models.map(({ model }) => model.id)).toEqual(['own-model', 'gpt-5']);
    expect(await session.executeCommand('model', 'cluade-opus-4-6')).toMatchObject({
      success: false,
      message: expect.stringContaining('Did you mean'),
    });
    expect(session.getSession().model.id).toBe('own-model');
    const command = session.listCommands().find(({ name }) => name === 'model');
    const context = {
      session,
      ui: { ask: async () => ({ kind: 'unavailable' }) as const, notify: () => {} },
      signal: new AbortController().signal,
    };
    expect(await command?.complete?.('own', context)).toEqual(['mine/own-model']);
    await session.shutdown();
  });

  it('an unknown command is null, with near names; one that throws is a failed one', async () => {
    const broken: Extension<InteractiveSession> = {
      name: 'broken',
      setup: (host) =>
        host.command({
          name: 'explode',
          description: 'fails',
          run: async () => {
            throw new Error('it broke');
          },
        }),
    };
    const { session } = await openScripted(await makePlace(), [], { extensions: [broken] });
    expect(await session.executeCommand('hlep')).toBeNull();
    expect(session.nearCommands('hlep')[0]).toBe('help');
    expect(await session.executeCommand('explode')).toEqual({ success: false, message: 'it broke' });
    await session.shutdown();
  });
});

describe('extensions', () => {
  it('P-1 P-28 P-29 add tools, commands with completions and hooks through the same door as the built-ins', async () => {
    const seen: string[] = [];
    const extension: Extension<InteractiveSession> = {
      name: 'mine',
      setup: async (host) => {
        host.tool(testTool('Deploy', { execute: async () => 'deployed', access: () => [] }));
        host.command({
          name: 'review',
          description: 'Ask for a review',
          complete: async (prefix) => ['quick', 'deep'].filter((word) => word.startsWith(prefix)),
          run: async (args) => ({ kind: 'prompt', text: `Review it: ${args}` }),
        });
        host.hook('tool-before', ({ call }) => {
          seen.push(`before ${call.name}`);
          return { verdict: 'allow', reason: 'mine' };
        });
        host.hook('tool-after', ({ call }) => void seen.push(`after ${call.name}`));
      },
    };
    const { session, provider } = await openScripted(
      await makePlace(),
      [callTurn('Deploy', {}), { text: 'looks good' }],
      { extensions: [extension] },
    );
    expect(await session.executeCommand('review', ' deep ')).toMatchObject({
      success: true,
      message: 'looks good',
    });
    expect(seen).toEqual(['before Deploy', 'after Deploy']);
    expect(provider.requests[0]?.messages[0]).toMatchObject({
      content: [{ text: 'Review it: deep' }],
      origin: 'command',
    });
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Read', 'Deploy']),
    );
    await session.shutdown();
  });

  it('P-30 the first of a name wins, built-ins first, and the clash is told', async () => {
    const imposter: Extension<InteractiveSession> = {
      name: 'imposter',
      setup: (host) => {
        host.tool(testTool('Read', { description: 'not the real one' }));
        host.command({ name: 'help', description: 'not the real one', run: async () => ({ kind: 'done' }) });
      },
    };
    const { session, provider } = await openScripted(await makePlace(), [{ text: 'ok' }], {
      extensions: [imposter],
    });
    await session.submit('hi');
    const read = provider.requests[0]?.tools.filter(({ name }) => name === 'Read');
    expect(read).toHaveLength(1);
    expect(read?.[0]?.description).not.toContain('not the real one');
    expect((await session.executeCommand('help'))?.message).toContain('/help');
    expect(session.warnings).toEqual([
      'The tool "Read" of imposter is not used: built-in has that name already.',
      'The command "help" of imposter is not used: built-in has that name already.',
    ]);
    await session.shutdown();
  });

  it("P-2 without the built-in tools a user's extensions still load, and take their names", async () => {
    const own: Extension = {
      name: 'own',
      setup: (host) => host.tool(testTool('Read', { description: 'my own' })),
    };
    const { session, provider } = await openScripted(await makePlace(), [{ text: 'ok' }], {
      builtInTools: false,
      extensions: [own],
    });
    await session.submit('hi');
    expect(provider.requests[0]?.tools).toMatchObject([{ name: 'Read', description: 'my own' }]);
    await session.shutdown();
  });

  it('one that fails to set up is named in the error', async () => {
    const failing: Extension = {
      name: 'failing',
      setup: async () => {
        throw new Error('no database');
      },
    };
    await expect(openScripted(await makePlace(), [], { extensions: [failing] })).rejects.toMatchObject({
      code: 'config',
      message: 'The extension "failing" could not be loaded: no database',
    });
  });
});

describe('the selection of tools', () => {
  it.each([
    [{ only: ['Read', 'grep'] }, ['Grep', 'Read']],
    [{ only: ['Read', 'Bash'], exclude: ['bash'] }, ['Read']],
    [{ none: true }, []],
  ])('%j', async (tools, expected) => {
    const { session, provider } = await openScripted(await makePlace(), [{ text: 'ok' }], { tools });
    await session.submit('hi');
    expect(provider.requests[0]?.tools.map(({ name }) => name).sort()).toEqual(expected);
    await session.shutdown();
  });

  it('P-59 settings select too; a name that does not exist is an error', async () => {
    const place = await makePlace();
    await writeFile(
      await place.put('~/.robota/settings.json', ''),
      '{"tools": ["Read", "Write"], "excludeTools": ["Write"]}',
    );
    const { session, provider } = await openScripted(place);
    await session.submit('hi');
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['Read']);
    await session.shutdown();
    await expect(openScripted(place, [], { tools: { exclude: ['Reed'] } })).rejects.toThrow(
      'There is no tool "Reed". Did you mean Read?',
    );
  });
});
