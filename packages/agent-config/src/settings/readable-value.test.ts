import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableValue } from './readable-value.ts';

describe('readableValue', () => {
  it.each([
    ['tasks.maxRuntimeMs', 14_400_000, '4 h'],
    ['tasks.idleTimeoutMs', 900_000, '15 min'],
    ['retry.baseDelayMs', 1500, '1 s 500 ms'],
    ['tasks.outputLimitBytes', 8_388_608, '8 MB'],
    ['tasks.outputLimitBytes', 1_500_000, '1 MB 440 KB 864 bytes'],
    ['tasks.maxRuntimeMs', 0, '0'],
    ['tasks.maxRuntimeMs', 'soon', 'soon'],
    ['maxTurns', 500, '500'],
    ['items', ['a'], '["a"]'],
    ['maxRuntimeMs', undefined, '(not set)'],
  ])('says %s %s as %s', (key, value, expected) => {
    expect(readableValue(key, value)).toBe(expected);
  });

  it('loses nothing of a number', () => {
    const unit: Record<string, number> = {
      ...{ d: 86_400_000, h: 3_600_000, min: 60_000, s: 1000, ms: 1 },
      ...{ GB: 1024 ** 3, MB: 1024 ** 2, KB: 1024, bytes: 1 },
    };
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom('Ms', 'Bytes'), (value, suffix) => {
        const words = readableValue(`some${suffix}`, value + 1).split(' ');
        const sum = words.reduce(
          (total, word, at) =>
            at % 2 === 0 ? total : total + Number(words[at - 1]) * (unit[word] ?? Number.NaN),
          0,
        );
        expect(sum).toBe(value + 1);
      }),
    );
  });
});
