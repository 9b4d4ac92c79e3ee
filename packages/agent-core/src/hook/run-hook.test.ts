import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { HookRegistry } from './run-hook.ts';

const { signal } = new AbortController();

describe('hook points', () => {
  it('runs the hooks of a point in order; contexts join, the first refusal ends it', async () => {
    proves('R-16');
    const hooks = new HookRegistry();
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

  it('before a tool a hook that throws asks; elsewhere it is reported and the point continues', async () => {
    const hooks = new HookRegistry();
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

  it('a point that does not exist is an error with the one that was meant, since its hook would never run', () => {
    const hooks = new HookRegistry();
    const add = (point: string, hook: unknown) => () =>
      hooks.add(point as 'input', hook as unknown as () => undefined, 'x');
    expect(add('tool-befor', () => undefined)).toThrow(
      'Unknown hook point "tool-befor". Did you mean "tool-before"',
    );
    expect(add('PreToolUse', () => undefined)).toThrow('The points are session-start, input,');
    expect(add('toString', () => undefined)).toThrow('Unknown hook point');
    expect(add('input', 'block')).toThrow('The hook at "input" is not a function.');
  });

  it.each([
    [{ blok: 'no' }, 'it returned "blok", which has no meaning here. Did you mean "block"?'],
    [{ continueWith: 'x' }, 'A hook at "tool-before" may return nothing or an object with block, verdict,'],
    [{ verdict: 'denied' }, 'it returned "verdict", which must be "allow", "ask" or "deny".'],
    [{ block: true }, 'it returned "block", which must be a text.'],
    ['no', 'it returned "no". A hook at "tool-before" may return nothing'],
    [false, 'it returned false.'],
  ])('before a tool, %j is not understood and asks, as a hook does that throws', async (returned, why) => {
    const hooks = new HookRegistry();
    const failures: string[] = [];
    hooks.onFailure = (source, message) => failures.push(`${source}: ${message}`);
    hooks.add('tool-before', (() => returned) as unknown as () => undefined, 'guard');
    const call = { type: 'tool-call', id: '1', name: 'Bash', input: {} } as const;
    const result = await hooks.run('tool-before', { call, access: [] }, signal);
    expect(result).toMatchObject({ verdict: 'ask', reason: expect.stringContaining(why) });
    expect(result.reason).toMatch(/^the hook guard failed: /);
    expect(failures).toEqual([expect.stringContaining(why)]);
  });

  it('elsewhere what is not understood is reported and changes nothing; who only watches may return anything', async () => {
    const hooks = new HookRegistry();
    const failures: string[] = [];
    hooks.onFailure = (source) => failures.push(source);
    hooks.add('input', (() => ({ blok: 'no' })) as unknown as () => undefined, 'input');
    hooks.add('run-stop', (() => ({ continue: 'no' })) as unknown as () => undefined, 'run-stop');
    hooks.add('tool-after', (() => ({ output: 'x' })) as unknown as () => undefined, 'tool-after');
    hooks.add('notification', (() => 7) as unknown as () => undefined, 'notification');
    hooks.add('input', () => ({ text: 'changed', block: undefined }) as object, 'right');
    expect(await hooks.run('input', { text: 'x' }, signal)).toEqual({ text: 'changed' });
    expect(await hooks.run('run-stop', { text: '', repeated: false }, signal)).toEqual({});
    const call = { type: 'tool-call', id: '1', name: 'Bash', input: {} } as const;
    expect(await hooks.run('tool-after', { call, output: { content: [] } }, signal)).toEqual({});
    await hooks.run('notification', { kind: 'k', title: 't', message: 'm' }, signal);
    expect(failures).toEqual(['input', 'run-stop', 'tool-after']);
  });
});
