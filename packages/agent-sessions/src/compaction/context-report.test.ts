import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { summaryMessage } from '../entry/summary-message.ts';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { type ContextSource, contextReport, largestParts, partName } from './context-report.ts';

const { model } = scriptedModel([], 100_000);
const source = (part: Partial<ContextSource>): ContextSource => ({
  messages: [],
  model,
  systemMessage: 's'.repeat(4_000),
  tools: [],
  instructions: [],
  pins: [],
  threshold: {},
  prefixBreak: undefined,
  ...part,
});

describe('contextReport', () => {
  it('adds up what the model counted, part by part, with what is free and in reserve', () => {
    proves('R-49', 'C-33');
    const usage = { input: 500, output: 100, cacheRead: 6_000, cacheWrite: 1_000 };
    const messages = [
      user('p'.repeat(4_000)),
      call('c1', 'Read'),
      result('c1', 'o'.repeat(8_000)),
      user('later', { origin: 'recall' }),
      assistant('a'.repeat(400), { usage }),
    ];
    const report = contextReport(
      source({ messages, instructions: [{ path: '/AGENTS.md', text: 's'.repeat(2_000) }] }),
    );
    expect(report).toMatchObject({
      usedTokens: 7_600,
      isCounted: true,
      freeTokens: 92_400,
      lastUsage: usage,
    });
    expect(report.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBeCloseTo(7_600, -1);
    expect(report.parts.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0)).toBeCloseTo(7_000, -1);
    expect(report.parts.map(partName)).toEqual(
      expect.arrayContaining([
        'system prompt',
        'instructions /AGENTS.md',
        'prompts',
        'results of Read',
        'recalled',
      ]),
    );
    expect(report.parts.at(-1)?.cachedTokens).toBeLessThan(report.parts.at(-1)?.tokens ?? 0);
    expect(report.reserveTokens).toBe(16_500);
    expect(largestParts(report, 1)).toMatch(/^results of Read ~\d+ tokens$/);
  });

  it('says so when all of it is an estimate, and tells pins from the summary', () => {
    const pins = [{ id: '1', text: 'z'.repeat(400) }];
    const text = `notes\n\n<kept-verbatim>\n${pins[0]?.text}\n</kept-verbatim>`;
    const messages = [summaryMessage(text, { id: 's', timestamp: 1 }), user('go')];
    const report = contextReport(source({ messages, pins }));
    expect(report.isCounted).toBe(false);
    expect(report.parts.find(({ kind }) => kind === 'pins')?.tokens).toBe(100);
    expect(report.parts.some(({ kind }) => kind === 'summary')).toBe(true);
    expect(report.usedTokens).toBe(report.parts.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  it('does not put down to the parts what they cannot explain', () => {
    const usage = { input: 50_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const report = contextReport(source({ messages: [user('hi'), assistant('ok', { usage })] }));
    expect(report.parts.find(({ kind }) => kind === 'other')?.tokens).toBeGreaterThan(40_000);
    expect(report.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBeCloseTo(50_000, -1);
  });
});
