import { isDisplay } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claudeDiff } from './claude-diff.ts';

it('makes a diff of a patch, and of any JSON a diff that can be shown or none', () => {
  const hunk = { oldStart: 3, newStart: 4, lines: [' a', '-b', '+c'] };
  expect(claudeDiff({ filePath: '/a', structuredPatch: [hunk, { lines: [1, '+d', 'x'] }] })).toEqual({
    kind: 'diff',
    path: '/a',
    change: 'edit',
    lines: [
      { kind: 'context', text: 'a', line: 4 },
      { kind: 'removed', text: 'b', line: 4 },
      { kind: 'added', text: 'c', line: 5 },
      { kind: 'gap', text: '' },
      { kind: 'added', text: 'd', line: 1 },
    ],
  });
  const any = fc.jsonValue();
  const lines = fc.oneof(fc.array(fc.oneof(fc.constantFrom('+a', '-b', ' c', 'd'), any)), any);
  const hunks = fc.record(
    { oldStart: fc.oneof(fc.nat(), any), newStart: fc.oneof(fc.nat(), any), lines },
    { requiredKeys: [] },
  );
  const result = fc.record({
    filePath: fc.oneof(fc.string(), any),
    structuredPatch: fc.array(fc.oneof(hunks, any)),
  });
  fc.assert(
    fc.property(fc.oneof(result, any), (value) => {
      const diff = claudeDiff(JSON.parse(JSON.stringify(value)));
      expect(diff === undefined || isDisplay(diff)).toBe(true);
    }),
  );
});
