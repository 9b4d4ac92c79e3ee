import { describe, expect, it } from 'vitest';
import { Hooks } from './run-hook.ts';

const { signal } = new AbortController();

describe('hook points', () => {
  it('R-16 runs the hooks of a point in order; contexts join, the first refusal ends it', async () => {
    const hooks = new Hooks();
    hooks.add('compact-before', () => ({ context: 'keep names' }), 'a');
    hooks.add('compact-before', ({ trigger }) => ({ context: `for ${trigger}` }), 'b');
    expect(await hooks.run('compact-before', { trigger: 'auto' }, signal)).toEqual({
      context: 'keep names\n\nfor auto',
    });
    hooks.add('compact-before', () => ({ block: 'not now' }), 'c');
    hooks.add('compact-before', () => expect.fail('is not reached'), 'd');
    expect(await hooks.run('compact-before', { trigger: 'manual' }, signal)).toMatchObject({
      block: 'not now',
    });
  });

  it('before a tool a hook that throws asks; elsewhere it is reported and the point goes on', async () => {
    const hooks = new Hooks();
    const failures: string[] = [];
    hooks.onFailure = (source, message) => failures.push(`${source}: ${message}`);
    const broken = () => {
      throw new Error('boom');
    };
    hooks.add('tool-before', broken, 'guard');
    hooks.add('tool-before', () => ({ verdict: 'allow' }), 'friend');
    for (const point of ['compact-after', 'notification', 'subagent-start', 'subagent-stop'] as const)
      hooks.add(point, broken, point);
    const call = { type: 'tool-call', id: '1', name: 'Bash', input: {} } as const;
    const verdict = await hooks.run('tool-before', { call, access: [] }, signal);
    expect(verdict).toEqual({ verdict: 'ask', reason: 'the hook guard failed: boom' });
    expect(await hooks.run('compact-after', { trigger: 'auto', summary: '' }, signal)).toEqual({});
    expect(await hooks.run('notification', { kind: 'k', title: 't', message: 'm' }, signal)).toEqual({});
    const agent = { agentId: '1', agentType: 'Explore' };
    expect(await hooks.run('subagent-start', agent, signal)).toEqual({});
    expect(await hooks.run('subagent-stop', { ...agent, text: '', repeated: false }, signal)).toEqual({});
    expect(failures).toEqual([
      'guard: boom',
      'compact-after: boom',
      'notification: boom',
      'subagent-start: boom',
      'subagent-stop: boom',
    ]);
  });
});
