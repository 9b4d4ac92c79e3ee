import { describe, expect, it } from 'vitest';
import { openSession, storeOnDisk, text } from '../fixtures/open-session.ts';

const limited = (retryAfterMs: number) => ({
  failure: { code: 'rate-limit', retryable: true, retryAfterMs, message: 'Slow down.' } as const,
});
const store = await storeOnDisk();
const hour = 3_600_000;

/** A session whose run waits for a limit, and the promise of its outcome. */
async function parkedSession(more: Parameters<typeof openSession>[1] = {}) {
  const handle = await store.create({ cwd: '/' });
  const opened = openSession([limited(hour)], { handle, maxLimitWaitMs: 2 * hour, ...more });
  let isStored = false;
  const waiting = new Promise<void>((resolve) => {
    opened.session.subscribe((event) => {
      if (event.type !== 'limit-wait') return;
      isStored = opened.session.branches.parked !== undefined;
      resolve();
    });
  });
  const outcome = opened.session.prompt(text('go'));
  await waiting;
  return { ...opened, handle, outcome, isStored };
}

describe('a run that waits for a limit', () => {
  it('is in the file before it waits, and another process resumes it', async () => {
    const { session, handle, outcome, isStored } = await parkedSession();
    expect(isStored).toBe(true);
    await session.close();
    expect(await outcome).toMatchObject({ status: 'aborted' });
    const again = await store.open(handle.id);
    const soon = openSession([{ text: 'resumed' }], { handle: again, maxLimitWaitMs: 2 * hour });
    expect(soon.session.branches.parked).toMatchObject({ failure: { code: 'rate-limit' } });
    // Another model has no limit, so nothing is waited for.
    soon.session.useModel([{ ...soon.session.models[0], model: { ...soon.session.model, id: 'other' } }]);
    const resumed = await soon.session.prompt([], { resumesParked: true });
    expect(resumed).toMatchObject({ status: 'completed', text: 'resumed' });
    expect(soon.provider.requests[0]?.messages).toMatchObject([{ role: 'user' }]);
    expect(soon.session.branches.parked).toBeUndefined();
    await soon.session.close();
  });

  it('is over where the user stops it, and where a prompt was answered since', async () => {
    const stopped = await parkedSession();
    await stopped.session.abort();
    expect(stopped.session.branches.parked).toBeUndefined();
    await stopped.session.close();
    const kept = await parkedSession();
    await kept.session.abort({ keepsParked: true });
    expect(kept.session.branches.parked).toBeDefined();
    await kept.session.close();
    const handle = await store.open(kept.handle.id);
    const next = openSession([{ text: 'new' }], { handle });
    expect(await next.session.prompt(text('something else'))).toMatchObject({ text: 'new' });
    expect(next.session.branches.parked).toBeUndefined();
    await next.session.close();
  });

  it('runs the prompt where nothing waits', async () => {
    const { session } = openSession([{ text: 'hello' }]);
    const outcome = await session.prompt(text('hi'), { resumesParked: true });
    expect(outcome).toMatchObject({ status: 'completed', text: 'hello' });
  });
});
