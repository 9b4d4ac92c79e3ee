import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMessage, type Extension } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { ownSessions } from '../assembly/own-sessions.ts';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { completeCommand } from '../input/complete-command.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

describe('commands', () => {
  it('/help lists every command with what it does', async () => {
    proves('C-27');
    const { session } = await openScripted(await makeTestProject());
    const { message } = (await session.executeCommand('help')) ?? { message: '' };
    for (const { name, description } of session.listCommands())
      expect(message).toMatch(
        new RegExp(`^/${name}\\b.*(?:\\n +)?${description.slice(0, 20).replace(/[()]/g, '.')}`, 'm'),
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

  it('/clear empties the conversation, for the model too', async () => {
    proves('C-28');
    const { session, provider } = await openScripted(await makeTestProject(), () => ({ text: 'ok' }));
    await session.submit('remember 7');
    expect(await session.executeCommand('clear')).toMatchObject({ success: true });
    expect(session.getMessages()).toEqual([]);
    await session.submit('which number?');
    expect(JSON.stringify(provider.requests[1]?.messages)).not.toContain('remember 7');
    await session.shutdown();
  });

  it('/mode shows, changes and completes the mode, and the next call is judged by it', async () => {
    proves('C-29');
    const place = await makeTestProject();
    const write = callTurn('Write', { file_path: 'a.txt', content: 'hi' });
    const { session } = await openScripted(place, [write, { text: 'no' }, write, { text: 'yes' }]);
    expect(await session.executeCommand('mode')).toMatchObject({
      message: 'Permission mode: default',
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
    expect(await completeCommand(session, '/mode a')).toEqual(['/mode acceptEdits']);
    expect(await completeCommand(session, '/mode ')).toHaveLength(4);
    await session.shutdown();
  });

  it('/cost counts the whole session, also what a summary replaced', async () => {
    proves('C-32');
    const { session } = await openScripted(await makeTestProject(), () => ({
      text: 'words '.repeat(500),
      usage: { input: 1_000_000, output: 0 },
    }));
    await session.submit('hi');
    const { message } = (await session.executeCommand('cost')) ?? { message: '' };
    expect(message.split('\n')).toEqual([
      '$3.00 for 1 model call',
      '1M tokens in (0% from cache, 0 written to it), 0 out',
      '',
      'By model',
      expect.stringContaining('  Claude Sonnet 4.6: $3.00 for 1 model call; 1M tokens in'),
      '',
      'By prompt',
      '  1. hi: $3.00 for 1 model call',
    ]);
    await session.submit('more');
    await session.submit('more');
    await session.executeCommand('clear');
    expect(await session.executeCommand('cost')).toMatchObject({
      message: expect.stringContaining('$9.00 for 3'),
    });
    await session.shutdown();
  });

  it('/cost tells what each model cost, also after another one was chosen', async () => {
    proves('C-32');
    const { session } = await openScripted(await makeTestProject({ ANTHROPIC_API_KEY: 'k' }), () => ({
      text: 'ok',
      usage: { input: 1_000_000, output: 0 },
    }));
    await session.submit('hi');
    await session.setModel('claude-haiku-4-5');
    await session.submit('more');
    await session.submit('more');
    const { message = '' } = (await session.executeCommand('cost')) ?? {};
    expect(message.split('\n').slice(3, 6)).toEqual([
      'By model',
      expect.stringMatching(/^ {2}Claude Sonnet 4\.6: \$3\.00 for 1 model call;/),
      expect.stringMatching(/^ {2}Claude Haiku 4\.5: \$2\.00 for 2 model calls;/),
    ]);
    await session.shutdown();
  });

  it('/cost says what the cache saved, less what filling it cost', async () => {
    proves('C-32');
    const { session } = await openScripted(await makeTestProject(), [
      { text: 'one', usage: { input: 0, output: 0, cacheWrite: 1_000_000 } },
      { text: 'two', usage: { input: 0, output: 0, cacheRead: 1_000_000 } },
    ]);
    await session.submit('first');
    await session.submit('second');
    const result = await session.executeCommand('cost');
    // Three dollars a million: writing costs a quarter more, reading a tenth.
    expect(result?.message).toContain('; the cache saved $1.95');
    expect(result?.message).toContain('2M tokens in (50% from cache, 1M written to it)');
    expect(result?.data).toMatchObject({ turns: [{ cost: 3.75 }, { prompt: 'second' }] });
    await session.shutdown();
  });

  it('/cost knows models by their day, and says where an imported session does not name one', async () => {
    proves('C-32');
    const place = await makeTestProject();
    const store = await ownSessions({ host: place.host });
    const handle = await store.create({ cwd: place.cwd });
    const usage = { input: 0, output: 0, cacheRead: 1_000_000, cacheWrite: 0 };
    const answer = (id: string) =>
      createMessage(
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'ok' }],
          model: { vendor: 'anthropic', id, api: 'anthropic' },
          usage,
          cost: 0.3,
          stopReason: 'end',
        },
        null,
      );
    for (const id of ['claude-sonnet-4-6-20260115', ''])
      await handle.append({ type: 'message', message: answer(id) });
    await handle.close();
    const { session } = await openScripted(place, [], { store: 'latest' });
    const { message = '' } = (await session.executeCommand('cost')) ?? {};
    expect(message).toMatch(/^ {2}Claude Sonnet 4\.6: \$0\.30 .*, saved \$2\.70$/m);
    expect(message).toMatch(/^ {2}anthropic, model not known: \$0\.30 for 1 model call/m);
    await session.shutdown();
  });

  it('/context shows how full the window is', async () => {
    proves('C-33');
    const { session } = await openScripted(await makeTestProject(), [
      { text: 'ok', usage: { input: 450_000, output: 0 } },
    ]);
    await session.submit('hi');
    expect(await session.executeCommand('context')).toMatchObject({
      message: expect.stringMatching(/^45% \(450K\/1M\) of Claude Sonnet 4.6, 2 messages in the window$/m),
      data: { usedTokens: 450_000, usedPercentage: 45 },
    });
    await session.shutdown();
  });

  it('/permissions shows mode and rules with their origin', async () => {
    proves('C-34');
    const place = await makeTestProject();
    const file = await place.put('~/.robota/settings.json', '{"permissions": {\n"deny": ["Read(.env)"]}}');
    const { session } = await openScripted(place, [], { rules: { allow: ['Bash(npm test)'] } });
    const { message } = (await session.executeCommand('permissions')) ?? { message: '' };
    expect(message).toContain('mode: default');
    expect(message).toContain(`Read(.env)  (${file}:2)`);
    expect(message).toContain('Bash(npm test)  (command line)');
    expect(message).toContain('Read(.robota/**)  (built-in)');
    await session.shutdown();
  });

  it('/exit and /quit ask for the end of the session', async () => {
    proves('C-36', 'P-31');
    const { session } = await openScripted(await makeTestProject());
    expect(await session.executeCommand('exit')).toMatchObject({ success: true, exit: true });
    expect(await session.executeCommand('quit')).toMatchObject({ success: true, exit: true });
    await session.shutdown();
  });

  it('/compact compacts, passes the focus on and says from where to where', async () => {
    proves('C-11', 'C-12', 'C-13');
    const { session, provider } = await openScripted(await makeTestProject(), () => ({
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
    expect(first?.message).toMatch(/^Context compressed: 40% → \d+%$/m);
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).not.toContain('special attention');
    await session.submit('four');
    await session.submit('five');
    await session.executeCommand('compact', 'the API names');
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('the API names');
    expect(notices).toEqual([]);
    await session.shutdown();
  });

  it('/model lists the models, completes their names and switches with tools and prompt', async () => {
    proves('P-32', 'P-57');
    const place = await makeTestProject({ OPENAI_API_KEY: 'k-openai', BRAVE_API_KEY: 'k-brave' });
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
    expect(await command?.complete?.('n-mod', context)).toEqual(['mine/own-model']);
    const sonnets = await command?.complete?.('Son', context);
    expect(sonnets?.[0]).toBe('sonnet');
    expect(sonnets).toContain('anthropic/claude-sonnet-4-6');
    expect(await command?.complete?.('nothing-like-it', context)).toEqual([]);
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
    const { session } = await openScripted(await makeTestProject(), [], { extensions: [broken] });
    expect(await session.executeCommand('hlep')).toBeNull();
    expect(session.nearCommands('hlep')[0]).toBe('help');
    expect(await session.executeCommand('explode')).toEqual({ success: false, message: 'it broke' });
    await session.shutdown();
  });
});
