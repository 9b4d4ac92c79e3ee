import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checked, either, mapped } from './combine.ts';
import { Report } from './report.ts';
import { count, flag, list, object, record, text, variants } from './shape.ts';

it('keeps lists in lists as they are', () => {
  const pairs = list(checked(list(text), 'two strings', ({ length }) => length === 2));
  expect(pairs.parse([['a', 'b'], ['c'], ['d', 'e']])).toEqual([
    ['a', 'b'],
    ['d', 'e'],
  ]);
});

it('gives any JSON the type of its shape, and reports what it leaves out', () => {
  const shape = record(
    object({ name: text }, { many: list(list(count)), one: either(flag, mapped(text, Number)) }),
  );
  const fields = fc.record(
    { name: fc.oneof(fc.string(), fc.jsonValue()), many: fc.jsonValue(), one: fc.jsonValue() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fields)), (value) => {
      const report = new Report();
      const parsed = shape.parse(value, report);
      if (report.problems.length === 0) expect(Object.keys(parsed ?? {})).toEqual(Object.keys(value ?? {}));
      for (const { name, many = [], one } of Object.values(parsed ?? {})) {
        expect(typeof name).toBe('string');
        for (const inner of many) for (const each of inner) expect(Number.isSafeInteger(each)).toBe(true);
        expect(['undefined', 'boolean', 'number']).toContain(typeof one);
      }
    }),
    { numRuns: 300 },
  );
});

it('reads the same whether its problems are described or not, and copies only what it changes', () => {
  const kind = variants('type', {
    a: [{ name: text }, { many: list(text) }],
    b: [{}, { inner: record(count) }],
  });
  const shape = list(either(text, kind, object({}, { many: list(flag) })));
  const fields = fc.record(
    {
      type: fc.constantFrom('a', 'b', 'c', '__proto__'),
      name: fc.oneof(fc.string(), fc.jsonValue()),
      many: fc.oneof(fc.array(fc.oneof(fc.string(), fc.boolean())), fc.jsonValue()),
      inner: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.nat(), fc.jsonValue())), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fields, fc.jsonValue()))), (value) => {
      const before = JSON.stringify(value);
      const report = new Report();
      const parsed = shape.parse(value);
      expect(parsed).toEqual(shape.parse(value, report));
      expect(JSON.stringify(value)).toBe(before);
      if (report.problems.length === 0) expect(parsed).toBe(value);
    }),
    { numRuns: 300 },
  );
});

it('names what several shapes expect once', () => {
  expect(either(object({ a: text }), object({ b: text }), flag).expected).toBe('an object or true or false');
});

it('tells objects apart by the word in a field', () => {
  const shape = variants('type', { a: [{ name: text }], b: [{}, { size: count }] });
  const report = new Report();
  expect(shape.parse({ type: 'b', size: 0, more: 1 }, report)).toEqual({ type: 'b', more: 1 });
  for (const value of [{ type: 'a' }, { type: 'toString' }, {}, [], null])
    expect(shape.parse(value, report)).toBeUndefined();
  expect(report.problems.map(({ kind, path }) => [kind, ...path])).toEqual([
    ['unfit', 'size'],
    ['unknown', 'more'],
    ['missing', 'name'],
    ['unfit', 'type'],
    ['missing', 'type'],
    ['unfit'],
    ['unfit'],
  ]);
});
