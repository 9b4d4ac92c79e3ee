import type { Question } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { testStage } from './fixtures/test-stage.ts';
import { PlanPanel } from './plan-panel.ts';
import { terminalInterface } from './terminal-interface.ts';

const plan = [
  '# Plan: make the total include the tax',
  '',
  '1. Apply taxRate in total()',
  '2. Round once, at the end',
  '3. Add a test for 0 % and 19 %',
  '',
  'Check: npm test',
].join('\n');

const question: Extract<Question, { kind: 'select' }> = {
  kind: 'select',
  title: 'Plan: make the total include the tax',
  detail: plan,
  options: [
    { label: 'Approve, and accept all edits', means: 'yes' },
    { label: 'Approve, and ask before each edit' },
    { label: 'Keep planning', means: 'no', asks: 'Comments on the plan:' },
  ],
  isShownByCall: true,
  about: {
    call: { type: 'tool-call', id: '1', name: 'ExitPlanMode', input: { plan } },
    access: [],
    display: { kind: 'plan', text: plan },
    reason: 'Plan mode ends only when you approve a plan.',
    rules: [],
    sessionMode: 'acceptEdits',
    holds: ['session', 'once', 'deny'],
  },
};

function open() {
  const stage = testStage();
  const clock = { time: 0 };
  const ui = terminalInterface(stage, { now: () => clock.time });
  const answer = ui.ask(question);
  clock.time = 1_000;
  return { stage, answer };
}

describe('the question whether a plan is approved', () => {
  it('shows the places of steps at one column, however the model wrote them', () => {
    const text = [
      '1. Apply the rate  src/cart.js:11',
      '2. Round `once` (`src/format.js:4`)',
      '3. Add 0 % - and 19 % — `test/cart.test.js`',
      '4. Test it - later.',
      '5. Test it (later)',
    ].join('\n');
    const stage = testStage();
    const about = question.about && { ...question.about, display: { kind: 'plan', text } as const };
    void terminalInterface(stage).ask({ ...question, ...(about && { about }) });
    expect(stage.shown().slice(1, 6)).toEqual([
      '1. Apply the rate                               src/cart.js:11',
      '2. Round `once`                                 src/format.js:4',
      '3. Add 0 % - and 19 %                           test/cart.test.js',
      '4. Test it - later.',
      '5. Test it (later)',
    ]);
  });

  it('shows the steps and the choices, and takes comments on steps', async () => {
    const { stage, answer } = open();
    stage.press('tab', 'tab', ...'half-even, please');
    expect(stage.shown()).toEqual([
      `── Plan: make the total include the tax ${'─'.repeat(29)} 3 steps ──`,
      '1. Apply taxRate in total()',
      '2. Round once, at the end',
      '   │ half-even, please',
      '3. Add a test for 0 % and 19 %',
      '',
      'Check: npm test',
      '',
      '  1  Approve, and accept all edits',
      '  2  Approve, and ask before each edit',
      '  3  Keep planning, with 1 comment',
      '',
      'enter keep · tab next step · backspace remove · esc back',
    ]);
    stage.press('enter', 'tab', ...'y', 'tab', 'tab', 'tab');
    expect(stage.shown()).toContain('❯ 1  Approve, and accept all edits');
    expect(stage.shown()).toContain('  3  Keep planning, with 2 comments');
    expect(stage.shown().at(-1)).toBe(
      'enter select · tab comment · ctrl+g edit in $EDITOR · esc keep planning',
    );
    stage.press('3', 'enter');
    expect(await answer).toEqual({
      kind: 'selected',
      indexes: [2],
      text: 'Step 1: y\nStep 2: half-even, please',
    });
    expect(stage.lines).toEqual([]);
  });

  it('removes a comment with backspace once it is empty', async () => {
    const { stage, answer } = open();
    stage.press('tab', 'x', 'backspace', 'backspace');
    expect(stage.shown()).toContain('  3  Keep planning');
    stage.press('enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [0] });
  });

  it('takes words for the whole plan into the last choice', async () => {
    const { stage, answer } = open();
    stage.press(...'use cents');
    expect(stage.shown()).toContain('❯ 3  Keep planning: use cents');
    stage.press('enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [2], text: 'use cents' });
  });

  it.each([
    ['1', 0],
    ['down', 1],
  ] as const)('approves with %s', async (key, index) => {
    const { stage, answer } = open();
    stage.press(key, 'enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [index] });
  });

  it('keeps planning with escape, and sends the comments', async () => {
    const { stage, answer } = open();
    stage.press('tab', 'a', 'escape', 'escape');
    expect(await answer).toEqual({ kind: 'selected', indexes: [2], text: 'Step 1: a' });
  });

  it('approves the plan as it was edited', async () => {
    const stage = testStage();
    const answers: unknown[] = [];
    const guard = {
      isDrafting: false,
      hasChosen: true,
      receiverOf: () => 'question' as const,
      takeBack: () => [],
    };
    const edits: string[] = [];
    const panel = new PlanPanel(question, {
      look: stage.look,
      keys: stage.keys,
      guard: guard as never,
      refresh: () => {},
      answer: (answer) => void answers.push(answer),
      giveUp: () => {},
      edit: async (text) => {
        edits.push(text);
        return '1. Only this\n';
      },
    });
    stage.openPanel(panel);
    stage.press('ctrl+g');
    await new Promise((resolve) => setImmediate(resolve));
    expect(edits).toEqual([plan]);
    expect(stage.shown()).toContain('1. Only this');
    expect(stage.shown()).not.toContain('Check: npm test');
    stage.press('enter');
    expect(answers).toEqual([{ kind: 'selected', indexes: [0], input: { plan: '1. Only this' } }]);
  });

  it('scrolls to the step that is commented on', () => {
    const { stage } = open();
    stage.press('tab', 'tab', 'tab', 'z');
    expect(stage.shown(80, 10).join('\n')).toContain('│ z');
  });
});
