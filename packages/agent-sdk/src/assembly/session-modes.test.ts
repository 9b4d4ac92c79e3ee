import { type AnyTool, type Extension, textOf, textOutput } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

/** A tool that says when it begins and ends, and steers the session while it runs. */
function slowTool(name: string, log: string[], during: () => void = () => {}): AnyTool {
  return {
    name,
    description: name,
    input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
    access: () => [],
    execute: async () => {
      log.push(`${name} begins`);
      during();
      await new Promise((done) => setTimeout(done, 20));
      log.push(`${name} ends`);
      return textOutput('done');
    },
  };
}

const extensionWith = (...tools: AnyTool[]): Extension => ({
  name: 'slow',
  setup: (host) => {
    for (const tool of tools) host.tool(tool);
  },
});

describe('modes of a session', () => {
  it.each([
    ['all', ['one', 'two']],
    ['one-at-a-time', ['one']],
  ] as const)('messages sent during a run join by the setting steeringMode: %s', async (mode, joined) => {
    proves('P-12');
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { steeringMode: mode });
    const say = (text: string) => session.getSession().steer([{ type: 'text', text }]);
    const tool = slowTool('Slow', [], () => {
      say('one');
      say('two');
    });
    const { session, provider } = await openScripted(
      place,
      [{ toolCalls: [{ name: 'Slow', input: {} }] }, { text: 'ok' }, { text: 'ok' }],
      { extensions: [extensionWith(tool)], permissionMode: 'bypassPermissions' },
    );
    await session.getSession().run('go');
    const texts = provider.requests[1]?.messages.map(({ content }) => textOf(content)) ?? [];
    expect(texts.filter((text) => text === 'one' || text === 'two')).toEqual(joined);
    await session.shutdown();
  });

  it('the option of the SDK wins over the setting', async () => {
    proves('P-12');
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { followUpMode: 'one-at-a-time' });
    const { session, provider } = await openScripted(
      place,
      [{ text: 'ok' }, { text: 'ok' }, { text: 'ok' }],
      {
        followUpMode: 'all',
      },
    );
    for (const text of ['one', 'two']) session.getSession().followUp([{ type: 'text', text }]);
    await session.getSession().run('go');
    expect(provider.requests).toHaveLength(2);
    await session.shutdown();
  });

  it.each([
    ['sequential', ['begins', 'ends', 'begins', 'ends']],
    ['parallel', ['begins', 'begins', 'ends', 'ends']],
  ] as const)('calls of one answer run by the setting toolExecution: %s', async (mode, order) => {
    proves('P-17');
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { toolExecution: mode });
    const log: string[] = [];
    const { session } = await openScripted(
      place,
      [
        {
          toolCalls: [
            { name: 'A', input: {} },
            { name: 'B', input: {} },
          ],
        },
        { text: 'ok' },
      ],
      {
        extensions: [extensionWith(slowTool('A', log), slowTool('B', log))],
        permissionMode: 'bypassPermissions',
      },
    );
    await session.getSession().run('go');
    expect(log.map((line) => line.slice(2))).toEqual(order);
    await session.shutdown();
  });

  it('a system prompt of the user replaces ours with all of its advice', async () => {
    proves('P-41');
    const place = await makeTestProject();
    await place.put('.robota/SYSTEM.md', 'You are a poet.');
    const { session, provider } = await openScripted(place, [{ text: 'ok' }]);
    await session.getSession().run('go');
    const [request] = provider.requests;
    expect(request?.system).toMatch(/^You are a poet\.\n\n<env>/);
    expect(JSON.stringify(request?.messages)).not.toContain('TodoWrite');
    await session.shutdown();
  });
});
