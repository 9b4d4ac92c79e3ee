import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHookOutput, parseVerdict } from './hook-answer.ts';

const specific = (fields: object) => JSON.stringify({ hookSpecificOutput: fields });

describe('what a hook prints', () => {
  it.each([
    ['', {}],
    ['  \n', {}],
    ['branch: main\n', { text: 'branch: main' }],
    ['[1, 2]', { text: '[1, 2]' }],
    ['{}', {}],
    ['{"continue": true, "suppressOutput": true}', {}],
    ['{"continue": false, "stopReason": "enough"}', { stop: 'enough' }],
    ['{"continue": false}', { stop: 'it gave no reason' }],
    ['{"decision": "block", "reason": "not now"}', { block: 'not now' }],
    ['{"decision": "approve"}', { verdict: 'allow' }],
    ['{"ok": false, "reason": "tests fail"}', { block: 'tests fail' }],
    ['{"ok": true}', {}],
    ['{"systemMessage": "careful"}', { message: 'careful' }],
    [
      specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      { verdict: 'deny', reason: 'no' },
    ],
    [specific({ permissionDecision: 'ask' }), { verdict: 'ask' }],
    [specific({ permissionDecision: 'defer' }), { verdict: 'ask' }],
    [
      specific({ permissionDecision: 'allow', updatedInput: { command: 'ls' } }),
      { verdict: 'allow', input: { command: 'ls' } },
    ],
    [specific({ additionalContext: 'remember' }), { context: 'remember' }],
  ])('%j means %j', (output, answer) => {
    proves('R-18');
    expect(parseHookOutput(output)).toEqual(answer);
  });

  it.each(['{"decision": ', '{no json}', '{"decision": "perhaps"}', specific({ permissionDecision: 7 })])(
    'does not take %j for an answer',
    (output) => {
      proves('R-18');
      expect(() => parseHookOutput(output)).toThrow(/invalid JSON|unknown decision/);
    },
  );

  it('cuts off overlong output', () => {
    expect(parseHookOutput('x'.repeat(100_000)).text).toMatch(
      /x\n\[the rest was cut off: 70000 characters\]$/,
    );
  });

  it('never throws on text that is no JSON object', () => {
    fc.assert(
      fc.property(fc.string(), (text) => void (text.trim().startsWith('{') || parseHookOutput(text))),
    );
  });
});

describe('the verdict of a model', () => {
  it.each([
    ['{"ok": true}', {}],
    ['```json\n{"ok": false, "reason": "no tests"}\n```', { block: 'no tests' }],
    ['I looked at it. {"ok": false, "reason": "no tests"}', { block: 'no tests' }],
  ])('reads %j', (reply, answer) => {
    proves('R-21', 'R-22');
    expect(parseVerdict(reply)).toEqual(answer);
  });

  it.each(['Looks fine to me.', '{"okay": true}', '{"ok": "yes"}', '{"ok": true'])(
    'does not take %j for a verdict',
    (reply) => {
      proves('R-21', 'R-22');
      expect(() => parseVerdict(reply)).toThrow();
    },
  );
});

describe('the output that a hook gives a tool', () => {
  it.each([
    ['text', 'text'],
    [{ stdout: 'a', stderr: 'b', interrupted: false }, 'a\nb'],
    [{ stdout: '', stderr: '' }, ''],
    [{ content: 'c' }, 'c'],
    [{ content: [{ type: 'text', text: 'd' }] }, 'd'],
    [[{ type: 'text', text: 'e' }], 'e'],
    [{ file: { content: 'f' } }, 'f'],
    [{ other: 1 }, '{\n  "other": 1\n}'],
    [5, '5'],
  ])('%j is %j', (updatedToolOutput, output) => {
    const answer = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } };
    expect(parseHookOutput(JSON.stringify(answer))).toEqual({ output });
  });

  it('names fields without an effect, and only those', () => {
    const answer = {
      continue: true,
      suppressOutput: true,
      sessionTitle: 'x',
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', interrupt: true },
      },
    };
    expect(parseHookOutput(JSON.stringify(answer)).unsupported).toEqual([
      'sessionTitle',
      'decision.interrupt',
    ]);
  });
});
