import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { summaryMessage } from '../entry/summary-message.ts';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import {
  compactionThreshold,
  contextState,
  contextTokens,
  estimateAll,
  estimateTokens,
  needsCompaction,
} from './context-window.ts';

const usage = { input: 100, output: 50, cacheRead: 800, cacheWrite: 50 };

describe('the context window', () => {
  it('is counted by the vendor as far as possible, and estimated from there on', () => {
    proves('R-49');
    const later = user('x'.repeat(400));
    const messages = [user('y'.repeat(4_000)), assistant('z', { usage }), later];
    expect(contextTokens(messages)).toBe(1_000 + estimateTokens(later));
    expect(estimateTokens(later)).toBe(104);
  });

  it('is told in tokens and percent', () => {
    proves('R-50');
    const state = contextState([user('hi'), assistant('hello', { usage })], { contextWindow: 8_000 });
    expect(state).toEqual({
      usedTokens: 1_000,
      maxTokens: 8_000,
      usedPercentage: 12.5,
      remainingPercentage: 87.5,
    });
    const over = contextState([assistant('hello', { usage })], { contextWindow: 500 });
    expect(over).toMatchObject({ usedTokens: 1_000, usedPercentage: 100, remainingPercentage: 0 });
    expect(contextState([], { contextWindow: 0 }).usedPercentage).toBe(100);
  });

  it('does not trust counts of failed answers, nor counts from before a summary', () => {
    proves('R-49');
    const failed = [user('hi'), assistant('x', { usage, stopReason: 'error' })];
    expect(contextTokens(failed)).toBeLessThan(20);
    const answer = assistant('x', { usage, timestamp: 1_000 });
    const summary = summaryMessage('short', { id: 'a', timestamp: 2_000 });
    expect(contextTokens([summary, answer])).toBeLessThan(100);
    const fresh = assistant('x', { usage, timestamp: 3_000 });
    expect(contextTokens([summary, answer, fresh])).toBe(1_000);
  });

  it('does not trust counts far too small for the text, and keeps the last one that was not', () => {
    const long = user('x'.repeat(8_000));
    const tiny = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
    const first = [long, assistant('y', { usage: tiny })];
    expect(contextTokens(first, { fixed: () => 500 })).toBe(500 + estimateAll(first));
    const counted = [long, assistant('y', { usage })];
    const next = [user('z'), assistant('y', { usage: tiny })];
    expect(contextTokens([...counted, ...next])).toBe(1_000 + estimateAll(next));
  });

  it('is the same for a list that grew as for a new one, and only messages added since are looked at', () => {
    proves('R-49');
    const said = Array.from({ length: 50 }, (_, index) => [
      user('x'.repeat(index)),
      assistant('y', { usage: { ...usage, input: index }, stopReason: index % 7 === 0 ? 'error' : 'end' }),
    ]).flat();
    let looks = 0;
    const growing = new Proxy([] as typeof said, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
        return Reflect.get(target, key, receiver);
      },
    });
    for (const message of said) {
      growing.push(message);
      looks = 0;
      expect(contextTokens(growing)).toBe(contextTokens([...growing]));
      looks = 0;
      contextTokens(growing);
      expect(looks).toBeLessThan(6);
    }
    growing.splice(10, 1);
    expect(contextTokens(growing)).toBe(contextTokens([...growing]));
  });

  it('counts images and the arguments of calls', () => {
    const image = user('', {
      content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(1_000_000) }],
    });
    expect(estimateTokens(image)).toBe(1_204);
    expect(estimateTokens(call('t', 'Write', { content: 'x'.repeat(4_000) }))).toBeGreaterThan(1_000);
    expect(estimateTokens(result('t', 'x'.repeat(4_000)))).toBe(1_004);
  });

  it('is too full at 83.5 percent or when the reserve is touched, whichever comes first', () => {
    proves('R-51', 'P-23');
    expect(compactionThreshold(1_000_000)).toBe(835_000);
    expect(compactionThreshold(64_000)).toBe(64_000 - 16_384);
    expect(compactionThreshold(8_000)).toBe(4_000);
    expect(compactionThreshold(1_000_000, { ratio: 0.5 })).toBe(500_000);
    expect(compactionThreshold(100_000, { reserveTokens: 40_000 })).toBe(60_000);
    const messages = [assistant('x', { usage: { ...usage, cacheRead: 835_000 } })];
    expect(needsCompaction(messages, { contextWindow: 1_000_000 })).toBe(true);
    expect(needsCompaction(messages, { contextWindow: 2_000_000 })).toBe(false);
    expect(needsCompaction(messages, { contextWindow: 2_000_000 }, { ratio: 0.1 })).toBe(true);
  });
});
