import { AgentError, type Extension } from '@robota-sdk/agent-core';
import { ScriptedProvider, type ScriptedTurn } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makePlace } from '../fixtures/place.ts';
import { createInteractiveSession } from './create-interactive-session.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { SessionHub } from './session-hub.ts';

async function open(script: readonly ScriptedTurn[], hub: SessionHub): Promise<InteractiveSession> {
  const { cwd, host } = await makePlace();
  const scripted: Extension<InteractiveSession> = {
    name: 'scripted',
    setup: (extensions) => extensions.provider('anthropic', async () => new ScriptedProvider(script)),
  };
  const model = { model: 'claude-sonnet-4-6', apiKey: 'k' };
  return createInteractiveSession({ cwd, host, store: 'none', ...model, extensions: [scripted], hub });
}

describe('a hub', () => {
  it('publishes the life of every session that is made with it, and nothing disturbs them', async () => {
    proves('R-77');
    const hub = new SessionHub();
    const log: string[] = [];
    hub.on('session_start', ({ session }) => log.push(`start ${session.getSession().id}`));
    hub.on('run_end', ({ outcome }) => log.push(outcome.status));
    hub.on('session_end', ({ session }) => log.push(`end ${session.getSession().id}`));
    hub.on('event', () => {
      throw new Error('a listener that fails');
    });
    hub.on('event', () => Promise.reject(new AgentError('internal', 'one that fails later')));
    const one = await open([{ text: 'done' }], hub);
    const { id } = one.getSession();
    expect(hub.sessions).toEqual([one]);
    expect(await one.submit('hi')).toMatchObject({ status: 'completed', response: 'done' });
    await one.shutdown();
    expect(log).toEqual([`start ${id}`, 'completed', `end ${id}`]);
    const failure = { code: 'auth' as const, message: 'no such key', retryable: false };
    const two = await open([{ failure }], hub);
    expect(await two.submit('hi')).toMatchObject({ status: 'failed' });
    await two.shutdown();
    expect(log.slice(3).map((line) => line.split(' ')[0])).toEqual(['start', 'failed', 'end']);
    expect(hub.sessions).toEqual([]);
  });
});
