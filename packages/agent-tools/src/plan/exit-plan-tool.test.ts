import type { Answer, Question } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import type { Todo } from '../todo-write/todo-write-tool.ts';
import { exitPlanTool, planMode, planTitle } from './exit-plan-tool.ts';
import { tickPlan } from './tick-plan.ts';

const plan = '## Plan: add the tax\n\n1. Edit src/cart.js';

async function present(answer: Answer, isOn = true) {
  const questions: Question[] = [];
  const approvals: string[] = [];
  const context = toolContext({
    ui: {
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
      notify: () => {},
    },
  });
  Object.assign(context.state.get(planMode), {
    isOn: () => isOn,
    approve: async (text: string, mode: string) => void approvals.push(`${mode}: ${text}`),
  });
  const output = await exitPlanTool.execute({ plan }, context);
  return { output, text: textOfOutput(output), questions, approvals };
}

describe('ExitPlanMode', () => {
  it.each([
    [0, 'acceptEdits'],
    [1, 'default'],
  ])('choice %i approves the plan for %s', async (index, mode) => {
    const { output, approvals } = await present({ kind: 'selected', indexes: [index] });
    expect(approvals).toEqual([`${mode}: ${plan}`]);
    expect(output.display).toEqual({ kind: 'plan', text: plan, outcome: 'approved', mode });
    expect(output.endsRun).toBeUndefined();
  });

  it.each<Answer>([
    { kind: 'selected', indexes: [2] },
    { kind: 'selected', indexes: [7] },
    { kind: 'selected', indexes: [] },
    { kind: 'confirmed', yes: true },
    { kind: 'dismissed' },
  ])('approves nothing and waits for the user after %j', async (answer) => {
    const { output, approvals } = await present(answer);
    expect(approvals).toEqual([]);
    expect(output).toMatchObject({ endsRun: {}, display: { outcome: 'presented' } });
  });

  it('passes comments on to the model, which continues planning', async () => {
    const { output, text, approvals } = await present({ kind: 'selected', indexes: [2], text: 'round once' });
    expect(approvals).toEqual([]);
    expect(text).toContain('round once');
    expect(output.display).toMatchObject({ outcome: 'presented', comments: 'round once' });
    expect(output.endsRun).toBeUndefined();
  });

  it('carries out the plan as the user edited it, and passes comments on', async () => {
    const edited = '1. Only this';
    const answer: Answer = { kind: 'selected', indexes: [0], text: 'Step 1: soon', input: { plan: edited } };
    const { output, text, approvals } = await present(answer);
    expect(approvals).toEqual([`acceptEdits: ${edited}`]);
    expect(output.display).toMatchObject({ text: edited, outcome: 'approved' });
    expect(text).toContain(`Follow this plan:\n\n${edited}`);
    expect(text).toContain('Step 1: soon');
  });

  it('gives an edited plan back to the model that keeps planning', async () => {
    const { text, approvals } = await present({ kind: 'selected', indexes: [2], input: { plan: 'Mine' } });
    expect(approvals).toEqual([]);
    expect(text).toContain('The user edited it:\n\nMine');
  });

  it('gives the plan as the answer of the run where no user is available', async () => {
    const { output, approvals } = await present({ kind: 'unavailable' });
    expect(approvals).toEqual([]);
    expect(output.endsRun).toEqual({ text: plan });
  });

  it('asks nothing outside of plan mode', async () => {
    const { output, questions, approvals } = await present({ kind: 'selected', indexes: [0] }, false);
    expect([questions, approvals]).toEqual([[], []]);
    expect(output.isError).toBe(true);
  });

  it('takes the title from the first line', () => {
    expect(planTitle(plan)).toBe('add the tax');
    expect(planTitle('\n\nAdd the tax\n\n1. Do it')).toBe('Add the tax');
    expect(planTitle('\n\n1. Do it')).toBe('');
    expect(planTitle('')).toBe('');
  });

  it('marks steps as done by the todo list, by their words or else by their order', () => {
    const todo = (content: string, status: Todo['status']): Todo => ({ id: content, content, status });
    const steps = '# Tax\n\n1. Apply `taxRate` in total()  src/cart.js:11\n2. Round once\n\nCheck: npm test';
    expect(tickPlan(steps, [])).toBe(steps);
    const named = [
      todo('read the code', 'completed'),
      todo('Apply taxRate in total()', 'completed'),
      todo('Round once', 'in_progress'),
    ];
    expect(tickPlan(steps, named)).toBe(
      '# Tax\n\n1. [x] Apply `taxRate` in total()  src/cart.js:11\n2. [ ] Round once\n\nCheck: npm test',
    );
    const renamed = [todo('the rate', 'completed'), todo('rounding', 'completed')];
    expect(tickPlan(steps, renamed).match(/\[x\]/g)).toHaveLength(2);
  });
});
