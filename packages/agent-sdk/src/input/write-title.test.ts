import { spendingReport } from '@robota-sdk/agent-usage';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { writeTitle } from './write-title.ts';

const { signal } = new AbortController();
const cheap = { input: 10, output: 1 };
/** A dollar and more on any model. */
const expensive = { input: 20_000_000, output: 1 };

describe('the title of a session', () => {
  it('counts for --max-cost, and is kept as what it was for', async () => {
    const script = [
      { text: 'hello', usage: cheap },
      { text: 'A greeting', usage: expensive },
    ];
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-test-key' });
    const { session } = await openScripted(place, script, { maxCost: 0.5, store: 'new' });
    await session.submit('hi');
    const { spending } = session.getSession();
    expect(await spending.check(signal)).toBeUndefined();
    expect(await writeTitle(session, signal)).toBe('A greeting');
    expect(await spending.check(signal)).toMatchObject({ code: 'max-cost' });
    expect(spendingReport(spending.entries()).models).toMatchObject([{}, { modelCalls: 1 }]);
    const usage = await session.executeCommand('usage');
    expect(usage?.message).toMatch(/By purpose\n {2}titles /);
    await session.shutdown();
  });

  it('is not asked for once the limit is reached', async () => {
    const script = [{ text: 'hello', usage: expensive }, { text: 'A greeting' }];
    const { session, provider } = await openScripted(await makeTestProject(), script, { maxCost: 0.5 });
    await session.submit('hi');
    expect(await writeTitle(session, signal)).toBeUndefined();
    expect(provider.requests).toHaveLength(1);
    await session.shutdown();
  });
});
