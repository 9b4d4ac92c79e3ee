import type { JsonValue } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartialArguments } from './partial-arguments.ts';

type Scalar = string | number | boolean | null;
type Tree = Scalar | Tree[] | { [key: string]: Tree };

const key = fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name !== '__proto__');
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(key, tie('tree'), { minKeys: 1, maxKeys: 3 }),
  ),
}));

/** The values of a tree in order, each with its path; texts in two pieces. */
function pieces(value: Tree, jsonPath: string): Record<string, JsonValue>[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => pieces(each, `${jsonPath}[${index}]`));
  if (value === null) return [{ jsonPath, nullValue: 'NULL_VALUE' }];
  if (typeof value === 'number') return [{ jsonPath, numberValue: value }];
  if (typeof value === 'boolean') return [{ jsonPath, boolValue: value }];
  if (typeof value === 'string') {
    const half = Math.ceil(value.length / 2);
    const texts = [value.slice(0, half), value.slice(half)];
    return texts.map((stringValue) => ({ jsonPath, stringValue, willContinue: true }));
  }
  return Object.entries(value).flatMap(([name, each]) =>
    pieces(each, `${jsonPath}['${name.replace(/[\\']/g, '\\$&')}']`),
  );
}

describe('PartialArguments', () => {
  it('puts any arguments together again from their values', () => {
    fc.assert(
      fc.property(fc.dictionary(key, tree), (input) => {
        const collected = new PartialArguments();
        for (const piece of pieces(input, '$')) collected.add(undefined, [piece]);
        expect(collected.result()).toEqual({ input: { ...input } });
      }),
    );
  });

  it('says so when it cannot read a path or the arguments, and never throws', () => {
    const bad = new PartialArguments();
    bad.add(undefined, [{ jsonPath: '$.__proto__.polluted', boolValue: true }]);
    expect(bad.result()).toEqual({ input: {}, invalid: expect.stringContaining('__proto__') });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const list = new PartialArguments();
    list.add(['a'], undefined);
    expect(list.result().invalid).toContain('not a JSON object');
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (whole, jsonPath, stringValue) => {
        const collected = new PartialArguments();
        collected.add(whole as JsonValue, [{ jsonPath, stringValue: stringValue as JsonValue }]);
        expect(typeof collected.result().input).toBe('object');
      }),
    );
  });
});
