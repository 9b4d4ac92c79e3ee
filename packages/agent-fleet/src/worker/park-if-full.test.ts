import { expect, it } from 'vitest';
import { LostLeaseError } from '../contract/database.ts';
import type { StepContext } from '../contract/steps.ts';
import { fakeSteps } from '../fixtures/fake-steps.ts';
import { parkIfFull } from './park-if-full.ts';

const context = { signal: new AbortController().signal } as StepContext;
const full = { free: async () => 0 };
const roomy = { free: async () => 1e12 };

it('parks a step that fails or throws on a full disk until later, and leaves every other end alone', async () => {
  const failed = { kind: 'failed', reason: { code: 'internal', message: 'x' } } as const;
  const parked = {
    kind: 'parked',
    reason: {
      code: 'disk-full',
      until: expect.any(String),
      message: expect.stringContaining('No space is left'),
    },
  };
  const failing = fakeSteps({ prepare: async () => failed });
  expect(await parkIfFull(failing, full).prepare(context)).toMatchObject(parked);
  expect(await parkIfFull(failing, roomy).prepare(context)).toEqual(failed);
  const thrown = Object.assign(new Error('x'), { code: 'ENOSPC' });
  const throwing = (error: Error) =>
    fakeSteps({
      deliver: async () => {
        throw error;
      },
    });
  expect(
    await parkIfFull(throwing(new Error('outer', { cause: thrown })), roomy).deliver(context),
  ).toMatchObject(parked);
  expect(await parkIfFull(throwing(new Error('git failed')), full).deliver(context)).toMatchObject(parked);
  await expect(parkIfFull(throwing(new Error('other')), roomy).deliver(context)).rejects.toThrow('other');
  const lost = new LostLeaseError({ taskId: 't', worker: 'w', epoch: 1 });
  await expect(parkIfFull(throwing(lost), full).deliver(context)).rejects.toBe(lost);
  expect(
    await parkIfFull(fakeSteps(), full).check({ ...context, recordAttempt: async () => {} } as StepContext),
  ).toEqual({ kind: 'next' });
});
