import { describe, expect, it } from 'vitest';
import { workReason } from './work-reason.ts';

const failed = (code: 'budget' | 'internal' | 'max-turns' | 'model-not-found' | 'quota' | 'rate-limit') => ({
  error: { code, message: 'why' },
});
const none = { refusal: undefined };

describe('the reason of a run that did not complete', () => {
  it('a refused reservation parks, whatever else went wrong', () => {
    const refusal = { code: 'budget', message: 'The fleet has spent its budget.' } as const;
    expect(workReason(failed('internal'), { ...none, refusal })).toEqual({ ...refusal, isParked: true });
    const priceless = { code: 'model', message: 'No price is known.' } as const;
    expect(workReason(failed('budget'), { ...none, refusal: priceless })).toEqual({
      ...priceless,
      isParked: false,
    });
  });

  it('a used-up quota parks until the time that the vendor named, and fails without one', () => {
    const resetsAt = '2030-01-01T00:00:00.000Z';
    expect(workReason({ error: { code: 'quota', message: 'why', resetsAt } }, none)).toEqual({
      code: 'rate-limit',
      message: 'why',
      until: '2030-01-01T00:00:00.000Z',
      isParked: true,
    });
    expect(workReason(failed('quota'), none)).toMatchObject({ code: 'model', isParked: false });
  });

  it('a rate limit without a time is waited for a while', () => {
    const { until = '', isParked } = workReason(failed('rate-limit'), none);
    expect([isParked, Date.parse(until) > Date.now()]).toEqual([true, true]);
  });

  it('the rest fails with the part that is to blame', () => {
    const codes = (['max-turns', 'model-not-found', 'internal'] as const).map(
      (code) => workReason(failed(code), none).code,
    );
    expect(codes).toEqual(['turns', 'model', 'internal']);
    expect(workReason({}, none)).toMatchObject({ code: 'internal', isParked: false });
  });
});
