import { describe, expect, it } from 'vitest';
import { describePlan, describeSteps, planSteps } from './plan-steps.ts';

describe('the steps of a plan', () => {
  it('are the numbered items of its first level, with what belongs to them', () => {
    const plan = [
      '# Plan: add the tax',
      '',
      'The total leaves it out.',
      '',
      '1. Apply taxRate  src/cart.js:11',
      '   1. first here',
      '   ```',
      '1. no step',
      '   ```',
      '2. Round once',
      '',
      '   at the end',
      '',
      'Check: npm test',
    ].join('\n');
    expect(planSteps(plan)).toEqual({
      before: 'The total leaves it out.',
      steps: [
        '1. Apply taxRate  src/cart.js:11\n   1. first here\n   ```\n1. no step\n   ```',
        '2. Round once\n\n   at the end',
      ],
      after: 'Check: npm test',
    });
    expect(describeSteps(plan)).toBe('2 steps');
  });

  it('are counted in the outcome', () => {
    const display = { kind: 'plan', text: '1. a\n2. b\n3. c' } as const;
    expect(describePlan({ ...display, outcome: 'approved', mode: 'acceptEdits' }, '·')).toBe(
      'Plan approved · accept edits · 3 steps',
    );
    expect(describePlan({ ...display, outcome: 'presented' }, '·')).toBe('Plan not approved yet · 3 steps');
  });

  it('may be missing', () => {
    expect(planSteps('# Do it\n\nAt once.')).toEqual({ before: 'At once.', steps: [], after: '' });
    expect(describeSteps('')).toBe('');
  });
});
