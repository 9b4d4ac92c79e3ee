import { describe, expect, it } from 'vitest';
import { sessionLabel, shortIds } from './short-ids.ts';

describe('shortIds', () => {
  it('tells ids apart with as little as possible, and never ends with a dash', () => {
    const ids = ['01a1de21-c723', '01a1de21-c679', '01a1de22-0000', 'short'];
    expect([...shortIds(ids)]).toEqual([
      ['01a1de21-c679', '01a1de21-c6'],
      ['01a1de21-c723', '01a1de21-c7'],
      ['01a1de22-0000', '01a1de22'],
      ['short', 'short'],
    ]);
    expect(shortIds(['aaaaaaaa-1', 'aaaaaaaa-2', 'aaaaaaaab']).get('aaaaaaaab')).toBe('aaaaaaaab');
  });
});

describe('labelOf', () => {
  it('cuts between characters', () => {
    expect(sessionLabel({ firstPrompt: '😀'.repeat(80) })).toBe(`${'😀'.repeat(59)}…`);
    expect(sessionLabel({ name: 'a', firstPrompt: 'b' })).toBe('a');
    expect(sessionLabel({})).toBe('(nothing was asked)');
    expect(sessionLabel({ firstPrompt: 'b', copyOf: '1' })).toBe('b (copy)');
    expect(sessionLabel({ name: 'a (copy)', firstPrompt: 'b', copyOf: '1' })).toBe('a (copy)');
    expect(sessionLabel({ firstPrompt: 'b'.repeat(80), copyOf: '1' })).toBe(`${'b'.repeat(52)}… (copy)`);
  });
});
