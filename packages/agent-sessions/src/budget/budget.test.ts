import { type Answer, type Notice, type Question, silentInterface } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { openSession, text } from '../fixtures/open-session.ts';
import { Budget, type BudgetLimits } from './budget.ts';

const { signal } = new AbortController();

function budgetOf(limits: BudgetLimits, answers: readonly number[] = []) {
  const asked: Question[] = [];
  const notices: Notice[] = [];
  const queue = [...answers];
  const ask = async (question: Question): Promise<Answer> => {
    asked.push(question);
    const index = queue.shift();
    return index === undefined ? { kind: 'dismissed' } : { kind: 'selected', indexes: [index] };
  };
  const ui = answers.length === 0 ? silentInterface : { ask, notify: () => {} };
  const budget = new Budget({ limits, ui, notify: (notice) => void notices.push(notice) });
  return { budget, asked, notices };
}

describe('Budget', () => {
  it('lets everything pass where no limit is set', async () => {
    const { budget } = budgetOf({});
    budget.begin();
    budget.spend(1_000);
    expect(await budget.check(signal)).toBeUndefined();
  });

  it('stops without a user once the limit of a turn or of the session is reached, each with its advice', async () => {
    const { budget } = budgetOf({ turn: 1, session: 1.5 });
    budget.begin();
    budget.spend(0.7);
    expect(await budget.check(signal)).toBeUndefined();
    budget.spend(0.3);
    expect(await budget.check(signal)).toEqual({
      code: 'budget',
      message:
        'Stopped: this run has cost $1.00 and the limit is $1.00; raise "budget.turn" in the settings.',
    });
    budget.begin();
    expect(await budget.check(signal)).toBeUndefined();
    budget.spend(0.5);
    expect((await budget.check(signal))?.message).toContain('this session has cost $1.50');
  });

  it('knows the limit of the prompt from the one of the settings', async () => {
    const { budget } = budgetOf({ turn: 5 });
    budget.begin(0.25);
    budget.spend(0.25);
    expect(await budget.check(signal)).toMatchObject({
      code: 'max-cost',
      message: expect.stringContaining('--max-cost'),
    });
  });

  it('warns once from four fifths on', async () => {
    const { budget, notices } = budgetOf({ session: 1 });
    budget.begin();
    budget.spend(0.8);
    await budget.check(signal);
    await budget.check(signal);
    expect(notices.map((notice) => notice.text)).toEqual([
      'this session has cost $0.80 and the limit is $1.00.',
    ]);
  });

  it('pauses and asks a user: as much again, without the limit, or stop', async () => {
    const { budget, asked } = budgetOf({ session: 1 }, [0, 1]);
    budget.begin();
    budget.spend(1.2);
    expect(await budget.check(signal)).toBeUndefined();
    expect(asked[0]).toMatchObject({ kind: 'select', options: [{ label: 'Continue up to $2.20' }, {}, {}] });
    budget.spend(0.9);
    expect(await budget.check(signal)).toBeUndefined();
    expect(asked).toHaveLength(1);
    budget.spend(0.1);
    expect(await budget.check(signal)).toBeUndefined();
    budget.spend(500);
    expect(await budget.check(signal)).toBeUndefined();
    expect(asked).toHaveLength(2);
    const declined = budgetOf({ session: 1 }, [2]);
    declined.budget.spend(1);
    expect(await declined.budget.check(signal)).toMatchObject({ code: 'budget' });
  });
});

describe('a session with a budget', () => {
  it('counts every model call and every summary, and stops before the next call', async () => {
    const { session, provider } = openSession([{ text: 'one' }, { text: 'two' }], {
      budget: { session: 0.00001 },
    });
    expect(await session.prompt(text('first'))).toMatchObject({ status: 'completed' });
    expect(await session.prompt(text('second'))).toMatchObject({
      status: 'limit',
      error: { code: 'budget' },
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('counts what is charged to it from elsewhere', async () => {
    const { session } = openSession([{ text: 'one' }], { budget: { session: 1 } });
    const usage = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0 };
    session.spending.charge({ usage, cost: 2, modelCalls: 1 });
    expect(session.totals).toMatchObject({ cost: 2, modelCalls: 1 });
    expect(await session.prompt(text('go'))).toMatchObject({ status: 'limit' });
  });
});
