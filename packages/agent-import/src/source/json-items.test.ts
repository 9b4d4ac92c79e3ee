import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonItems } from './json-items.ts';

describe('jsonItems', () => {
  it('finds the items of any array, however it is laid out', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(3), (values, indent) => {
        const { items, isCutOff } = jsonItems(JSON.stringify(values, null, indent));
        expect(items.map((item) => JSON.parse(item))).toEqual(JSON.parse(JSON.stringify(values)));
        expect(isCutOff).toBe(false);
      }),
    );
  });

  it('gives the whole objects before a cut and says that there is one', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 });
    fc.assert(
      fc.property(objects, fc.nat(), (values, at) => {
        const text = JSON.stringify(values);
        const { items, isCutOff } = jsonItems(text.slice(0, at % text.length));
        expect(isCutOff).toBe(true);
        const whole = items.filter((item) => item.endsWith('}'));
        expect(whole.map((item) => JSON.parse(item))).toEqual(
          JSON.parse(JSON.stringify(values.slice(0, whole.length))),
        );
      }),
    );
  });
});
