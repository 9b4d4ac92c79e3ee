import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from './interactive-session.ts';
import type { InteractiveSessionEvents } from './named-events.ts';

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
  it('tells what happens: prompt, thinking, text, tools, window, completion', async () => {
    proves('R-39');
    const place = await makeTestProject();
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
    const { session } = await openScripted(await makeTestProject(), [
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
    const opened = await openScripted(await makeTestProject(), [
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
    const opened = await openScripted(await makeTestProject(), (request) => ({
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
    const { session } = await openScripted(await makeTestProject());
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

describe('what is submitted', () => {
  it('is refused where it is no prompt', async () => {
    const { session, provider } = await openScripted(await makeTestProject());
    await expect(session.submit(undefined as unknown as string)).rejects.toThrow(
      'InteractiveSession.submit: input: expected a string or a list',
    );
    expect(provider.requests).toEqual([]);
    await session.shutdown();
  });
});

describe('a resumed session', () => {
  it('continues with the model and the thinking that were chosen in it, unless others are named', async () => {
    const place = await makeTestProject({ OPENAI_API_KEY: 'k-openai' });
    const { session } = await openScripted(place, () => ({ text: 'ok' }), { store: 'new' });
    await session.submit('one');
    await session.executeCommand('model', 'openai/gpt-5');
    await session.getSession().setThinking('high');
    const id = session.getSession().id;
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
