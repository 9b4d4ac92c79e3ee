import type { ModelEvent } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { describeDivergence } from './describe-divergence.ts';
import { joinBlockDeltas } from './join-block-deltas.ts';
import { placeNames, redactedJson } from './request-print.ts';

const print = { model: 'a/b', system: '', tools: [], messages: ['user\nhi', 'assistant\nhello'] };
const recorded = { model: 'a/b', index: 1, messages: print.messages };

describe('a replay that diverged', () => {
  it('names the first message that is new, missing or different, or the model', () => {
    const at = 'The replay diverged at model call 2: ';
    expect(describeDivergence(print, { ...recorded, model: 'a/c' })).toBe(
      `${at}a/c was asked then, a/b is now. Record it again, or use that model.`,
    );
    expect(describeDivergence(print, { ...recorded, messages: ['user\nhi'] })).toBe(
      `${at}message 2 is new: "assistant\\nhello".`,
    );
    expect(describeDivergence({ ...print, messages: ['user\nhi'] }, recorded)).toBe(
      `${at}message 2 is missing, which was "assistant\\nhello".`,
    );
    expect(describeDivergence(print, { ...recorded, messages: ['user\nho', 'x'] })).toBe(
      `${at}message 1 was "user\\nho" and is now "user\\nhi".`,
    );
  });

  it('says so where the recording is at its end', () => {
    expect(describeDivergence(print, undefined)).toContain(
      'no more exchanges, and the run asked again with "as',
    );
    expect(describeDivergence({ ...print, messages: [] }, undefined)).toContain('asked again with "".');
  });

  it('quotes long messages around the difference, never half a character', () => {
    const long = `${'😀'.repeat(200)}A${'z'.repeat(200)}`;
    const said = describeDivergence(
      { ...print, messages: [long.replace('A', 'B')] },
      { ...recorded, messages: [long] },
    );
    expect(said).toMatch(/"…(?:😀){30}Az{89}…" and is now "…(?:😀){30}Bz{89}…"/u);
  });
});

describe('what a recording keeps', () => {
  it('joins the pieces of a block, and leaves out those of calls', () => {
    const events: ModelEvent[] = [
      { type: 'text-delta', index: 0, text: 'sk-' },
      { type: 'tool-call-delta', index: 1, json: '{' },
      { type: 'text-delta', index: 0, text: 'key' },
      { type: 'thinking-delta', index: 2, text: 'a' },
      { type: 'thinking-delta', index: 3, text: 'b' },
    ];
    expect(joinBlockDeltas(events)).toEqual([
      { type: 'text-delta', index: 0, text: 'sk-key' },
      { type: 'thinking-delta', index: 2, text: 'a' },
      { type: 'thinking-delta', index: 3, text: 'b' },
    ]);
  });

  it('names places with the longest path first, and never the root', () => {
    expect(placeNames({ cwd: '/home/user/work', home: '/home/user' }, { cwd: '/', home: '/r' })).toEqual([
      ['/home/user/work', '<cwd>'],
      ['/home/user', '<home>'],
      ['/r', '<home>'],
    ]);
  });

  it('redacts every text of a value before it is escaped', () => {
    const redact = (text: string) => text.replaceAll('a"b', '***');
    expect(redactedJson({ key: ['xa"by', 1, null] }, redact)).toBe('{"key":["x***y",1,null]}');
  });
});
