import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from './compare-versions.ts';

describe('compareVersions', () => {
  it('knows that 10 comes after 9, and a version after what came before it', () => {
    proves('R-59');
    const ordered = [
      '0.9.0',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.9.9',
      '1.10.0',
      '9.0.0',
      '10.0.0',
    ];
    ordered.forEach((older, index) => {
      expect(compareVersions(older, older)).toBe(0);
      for (const newer of ordered.slice(index + 1)) {
        expect(compareVersions(older, newer), `${older} ${newer}`).toBe(-1);
        expect(compareVersions(newer, older)).toBe(1);
      }
    });
    expect(compareVersions('v1.2.3', '1.2.3+build.5')).toBe(0);
  });

  it('does not pretend to compare what is no version', () => {
    proves('R-59');
    expect(compareVersions('0a1b2c3d4e5f', '1.0.0')).toBeUndefined();
    expect(compareVersions('0a1b2c3d4e5f', '0a1b2c3d4e5f')).toBe(0);
    expect(compareVersions('1.2', '1.2.0')).toBeUndefined();
  });

  it('orders any versions by their numbers', () => {
    proves('R-59');
    const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20));
    fc.assert(
      fc.property(version, version, (a, b) => {
        const order = compareVersions(a.join('.'), b.join('.'));
        const first = a.findIndex((number, index) => number !== b[index]);
        expect(order).toBe(first < 0 ? 0 : Math.sign((a[first] ?? 0) - (b[first] ?? 0)));
      }),
    );
  });
});
