import { describe, expect, it } from 'vitest';
import { diffContent, kindOf, resultContent, toolCallTitle } from './tool-call-view.ts';

const call = (name: string, input: object) =>
  ({ type: 'tool-call', id: '1', name, input: { ...input } }) as const;
const result = (text: string) => ({ content: [{ type: 'text', text }] }) as const;

describe('what an editor sees of a call', () => {
  it('has a diff for each place that changes, and none of it before for a new file', () => {
    const lines = [
      { kind: 'context', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'B' },
      { kind: 'gap', text: '' },
      { kind: 'added', text: 'z' },
    ] as const;
    expect(diffContent({ kind: 'diff', path: 'x.txt', lines }, '/p')).toEqual([
      { type: 'diff', path: '/p/x.txt', oldText: 'a\nb\n', newText: 'a\nB\n' },
      { type: 'diff', path: '/p/x.txt', oldText: null, newText: 'z\n' },
    ]);
  });

  it('fences output that holds fences', () => {
    const display = { kind: 'terminal', command: 'cat', output: 'x\n````\ny', exitCode: 0 } as const;
    expect(resultContent({ ...result(''), display }, '/p')).toEqual([
      { type: 'content', content: { type: 'text', text: '`````console\nx\n````\ny\n`````' } },
    ]);
  });

  it('is named in one line, and its kind follows from what it touches', () => {
    expect(toolCallTitle(call('Bash', { command: 'make\nmake test' }))).toBe('`make`');
    expect(toolCallTitle(call('Grep', { pattern: 'x'.repeat(500) })).length).toBe(200);
    expect(kindOf(call('mcp__a__b', {}))).toBe('other');
    expect(kindOf(call('__proto__', {}))).toBe('other');
    expect(kindOf(call('Fetcher', {}), [{ kind: 'fetch', url: 'https://x' }])).toBe('fetch');
  });
});
