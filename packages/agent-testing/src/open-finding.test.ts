import { describe, expect, it } from 'vitest';
import { assertStillOpen, stillOpen } from './open-finding.ts';

const wanted = (sum: number) => expect(sum).toBe(4);

describe('stillOpen', () => {
  stillOpen('adds two and two', { observe: () => 5, today: 5, wanted });

  stillOpen("asserts parts of today's outcome", {
    observe: async () => ({ sum: 5, at: 1 }),
    today: ({ sum }) => expect(sum).toBe(5),
    wanted: ({ sum }) => wanted(sum),
  });

  it('fails when the finding is fixed', async () => {
    await expect(assertStillOpen({ observe: () => 4, today: 5, wanted })).rejects.toThrow(
      'Fixed: turn this into an ordinary test',
    );
  });

  it('fails when the outcome is wrong in another way, and shows both comparisons', async () => {
    await expect(assertStillOpen({ observe: () => 6, today: 5, wanted })).rejects.toThrow(
      /neither today's wrong one nor the wanted one.*Today's: expected 6.*Wanted: expected 6/s,
    );
  });

  it("fails when the wanted outcome is today's", async () => {
    await expect(assertStillOpen({ observe: () => 4, today: 4, wanted })).rejects.toThrow('assert more');
  });

  it('passes on errors of the case and mistakes in the assertions', async () => {
    const broken = () => {
      throw new TypeError('not a function');
    };
    await expect(assertStillOpen({ observe: broken, today: 5, wanted })).rejects.toThrow('not a function');
    await expect(assertStillOpen({ observe: () => 5, today: broken, wanted })).rejects.toThrow(TypeError);
    await expect(assertStillOpen({ observe: () => 5, today: 5, wanted: broken })).rejects.toThrow(TypeError);
  });

  it('observes once', async () => {
    let times = 0;
    const observe = () => {
      times += 1;
      return 5;
    };
    await assertStillOpen({ observe, today: 5, wanted });
    expect(times).toBe(1);
  });
});
