import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resetIn, retryAfter } from './limit-reset.ts';

const now = Date.parse('2026-03-04T12:00:00Z');
const seconds = (count: number) => count * 1_000;
const minutes = (count: number) => seconds(60 * count);
const hours = (count: number) => minutes(60 * count);

const withHeaders = (headers: Readonly<Record<string, string>>) =>
  resetIn({ headers: new Headers(headers), text: '' }, now);
const withText = (text: string) => resetIn({ text }, now);
const withBody = (body: unknown) => resetIn({ body, text: '' }, now);

describe('the reset of a limit', () => {
  it.each([
    [{ 'retry-after': '90' }, seconds(90)],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': String(now / 1000 + 90) }, seconds(90)],
    [{ 'retry-after': '1m30s' }, seconds(90)],
    // A header without a time to come leaves the word to the next one.
    [{ 'retry-after': '0', 'anthropic-ratelimit-unified-reset': String(now / 1000 + 60) }, minutes(1)],
    [{ 'retry-after-ms': '', 'retry-after': '', 'ratelimit-reset': '12' }, seconds(12)],
    [{ 'retry-after': 'Wed, 04 Mar 2026 13:00:00 GMT' }, hours(1)],
    // The server's clock counts where this machine's is wrong.
    [{ 'retry-after': 'Wed, 04 Mar 2026 13:00:00 GMT', date: 'Wed, 04 Mar 2026 12:50:00 GMT' }, minutes(10)],
    [
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-03-04T12:00:30Z',
        'anthropic-ratelimit-tokens-remaining': '800',
        'anthropic-ratelimit-tokens-reset': '2026-03-04T18:00:00Z',
      },
      seconds(30),
    ],
    [{ 'anthropic-ratelimit-unified-reset': String(now / 1000 + 18_000) }, hours(5)],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' }, minutes(6)],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '20ms' }, 20],
    [{ 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '1h' }, undefined],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 7_000) }, seconds(7)],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 8) }, seconds(8)],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '12' }, seconds(12)],
    [{ 'x-ratelimit-remaining-tokens-minute': '900', 'x-ratelimit-reset-tokens-minute': '11.5' }, undefined],
    [{ 'x-ratelimit-remaining-requests-day': '0', 'x-ratelimit-reset-requests-day': '3600.5' }, 3_600_500],
    [{ ratelimit: '"minute";r=5;t=20, "day";r=0;t=3600' }, hours(1)],
    [{ ratelimit: 'limit=100, remaining=0, reset=12' }, seconds(12)],
    [{ ratelimit: 'limit=100, remaining=3, reset=12' }, undefined],
    [{ ratelimit: '"day";r=0;t=soon, reset=,=' }, undefined],
    // Years are not waited for, nor is a time that is over, or none.
    [{ 'retry-after': '99999999' }, undefined],
    [{ 'retry-after': '1e308' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': 'NaN' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '1999-01-01T00:00:00Z' }, undefined],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '9999-12-31T00:00:00Z' }, undefined],
    [{ 'retry-after': '30', date: 'Wed, 01 Jan 3000 00:00:00 GMT' }, seconds(30)],
  ])('stands in headers: %o', (headers, wait) => {
    expect(withHeaders(headers as Record<string, string>)).toBe(wait);
  });

  it.each([
    [{ error: { type: 'usage_limit_reached', resets_in_seconds: 18_000 } }, hours(5)],
    [{ error: { type: 'usage_limit_reached', resets_at: now / 1000 + 60 } }, minutes(1)],
    [
      { error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }] } },
      34_070,
    ],
    [[{ error: { details: [{ retryDelay: '3s' }] } }], seconds(3)],
    [
      {
        error: {
          details: [
            { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] },
            { retryDelay: '12s' },
          ],
        },
      },
      // Midnight in California is eight hours behind Greenwich in March.
      hours(20),
    ],
    [
      {
        error: {
          metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': `${now + 5_000}` } },
        },
      },
      seconds(5),
    ],
    [{ error: { message: 'no time here' } }, undefined],
  ])('stands in bodies: %o', (body, wait) => {
    expect(withBody(body)).toBe(wait);
  });

  it.each([
    ['Please try again in 7m12.5s.', minutes(7) + 12_500],
    ['Please retry in 34.07s.', 34_070],
    ['Your quota will reset after 2h41m48s.', hours(2) + minutes(41) + seconds(48)],
    ['Please retry after 26 seconds.', seconds(26)],
    ['Limit reached; resets in 3 hours and 20 minutes', hours(3) + minutes(20)],
    [`Claude AI usage limit reached|${now / 1000 + 3_600}`, hours(1)],
    ['5-hour limit reached ∙ resets 3pm (UTC)', hours(3)],
    ["You've hit your limit · resets 2:30pm (Europe/Berlin)", minutes(90)],
    ['Usage limit. It resets at 11:00 UTC', hours(23)],
    ['Your limit will reset at 2026-03-04T14:00:00Z', hours(2)],
    ['Your limit will reset at 2026-03-04 13:00:00 UTC', hours(1)],
    ['Rate limit exceeded. Slow down.', undefined],
    ['Do not retry 3 times a day.', undefined],
  ])('stands in words: %s', (text, wait) => {
    expect(withText(text)).toBe(wait);
  });

  it('is bounded also where a server is only overloaded', () => {
    const wishes = ['20', '1e308', '99999999999999999', '-1', 'soon'];
    const waits = wishes.map((wish) => retryAfter(new Headers({ 'retry-after': wish }), now));
    expect(waits).toEqual([seconds(20), undefined, undefined, undefined, undefined]);
  });

  it('is never negative and never throws, whatever a server says', () => {
    const words = fc.constantFrom(
      'resets',
      ' at ',
      'in ',
      '3',
      'pm',
      '(X/Y)',
      '2026-99-99T99:99',
      '|9999999999',
      'h',
      's',
    );
    const text = fc.array(fc.oneof(words, fc.string()), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.jsonValue(), (said, body) => {
        const wait = resetIn({ text: said, body, headers: new Headers({ 'ratelimit-reset': '-3' }) }, now);
        return wait === undefined || wait > 0;
      }),
    );
  });
});
