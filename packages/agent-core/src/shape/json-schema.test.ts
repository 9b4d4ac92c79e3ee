import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from './json.ts';
import { jsonSchema } from './json-schema.ts';

const parse = (schema: JsonObject, value: JsonValue) => jsonSchema<JsonValue>(schema).parse(value);
const errorOf = (schema: JsonObject, value: JsonValue) => {
  const result = parse(schema, value);
  return result.ok ? undefined : result.error;
};
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});

describe('jsonSchema', () => {
  it('leaves every value that fits as it is', () => {
    proves('E-42');
    const schema = object({
      text: { type: 'string' },
      count: { type: 'integer', minimum: 0 },
      ratio: { type: 'number' },
      flag: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      any: {},
    });
    const value = fc.record(
      {
        text: fc.string(),
        count: fc.nat(),
        ratio: fc.double({ noNaN: true, noDefaultInfinity: true }),
        flag: fc.boolean(),
        list: fc.array(fc.string()),
        any: fc.jsonValue() as fc.Arbitrary<JsonValue>,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, (input) => {
        expect(parse(schema, input as JsonObject)).toEqual({ ok: true, value: input });
      }),
    );
  });

  it('accepts numbers, booleans, arrays and objects given as text', () => {
    const schema = object({
      n: { type: 'number' },
      i: { type: 'integer' },
      b: { type: 'boolean' },
      a: { type: 'array', items: { type: 'integer' } },
      o: object({ x: { type: 'integer' } }),
    });
    const value = fc.record({
      n: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((number) => (Object.is(number, -0) ? 0 : number)),
      i: fc.integer(),
      b: fc.boolean(),
      a: fc.array(fc.integer()),
      o: fc.record({ x: fc.integer() }),
    });
    fc.assert(
      fc.property(value, (input) => {
        const asText = Object.fromEntries(
          Object.entries(input).map(([key, item]) => [key, JSON.stringify(item)]),
        );
        expect(parse(schema, asText)).toEqual({ ok: true, value: input });
      }),
    );
    expect(parse({ type: 'boolean' }, 'True')).toEqual({ ok: true, value: true });
  });

  it('never turns text into something else where text is wanted', () => {
    for (const text of ['12', 'true', '[1]', 'null']) {
      expect(parse({ type: 'string' }, text)).toEqual({ ok: true, value: text });
      expect(parse({ type: ['string', 'integer'] }, text)).toEqual({ ok: true, value: text });
      expect(parse({ anyOf: [{ type: 'integer' }, { type: 'string' }] }, text)).toEqual({
        ok: true,
        value: text,
      });
    }
  });

  it('names the field and the reason', () => {
    const schema = object(
      {
        file_path: { type: 'string' },
        edits: { type: 'array', minItems: 1, items: object({ n: { type: 'integer' } }) },
      },
      ['file_path'],
    );
    expect(errorOf(schema, { file_path: 3 })).toBe('file_path: expected a string, got a number');
    expect(errorOf(schema, { path: 'a' })).toBe(
      'file_path: required but missing (got unknown path instead?)',
    );
    expect(errorOf(schema, { file_path: 'a', edits: [] })).toBe(
      'edits: number of items must be at least 1, got 0',
    );
    expect(errorOf(schema, { file_path: 'a', edits: [{ n: 1 }, { n: 1.5 }] })).toBe(
      'edits[1].n: expected an integer, got a number',
    );
    expect(errorOf(schema, 'x')).toBe('expected an object, got the string "x"');
    expect(errorOf({ type: 'integer', maximum: 3 }, '4')).toBe('must be at most 3, got 4');
    expect(errorOf({ enum: ['a', 'b'] }, 'c')).toBe('expected one of "a", "b", got the string "c"');
  });

  it('takes null for an optional field as not given, and unknown fields as harmless', () => {
    const schema = object({ a: { type: 'string' }, b: { type: ['string', 'null'] } }, ['a']);
    expect(parse(schema, { a: 'x', b: null, c: 1 })).toEqual({ ok: true, value: { a: 'x', b: null, c: 1 } });
    expect(parse(object({ a: { type: 'string' } }), { a: null })).toEqual({ ok: true, value: {} });
    expect(errorOf(schema, { a: null })).toBe('a: expected a string, got null');
    expect(parse({ ...schema, additionalProperties: false }, { a: 'x', c: 1 })).toEqual({
      ok: true,
      value: { a: 'x' },
    });
    expect(errorOf({ additionalProperties: { type: 'integer' } }, { z: 'q' })).toContain(
      'z: expected an integer',
    );
  });

  it('follows local references, unions and constants of foreign schemas', () => {
    const schema: JsonObject = {
      $defs: {
        'a/b': { type: 'integer' },
        tree: object({ next: { $ref: '#/$defs/tree' }, value: { type: 'integer' } }, ['value']),
      },
      type: 'object',
      properties: {
        number: { $ref: '#/$defs/a~1b' },
        tree: { $ref: '#/$defs/tree' },
        shape: {
          oneOf: [
            object({ kind: { const: 'circle' } }, ['kind']),
            object({ kind: { const: 'box' }, size: { type: 'number' } }, ['kind', 'size']),
          ],
        },
      },
    };
    expect(
      parse(schema, { number: 4, tree: { value: 1, next: { value: 2 } }, shape: { kind: 'box', size: 2 } })
        .ok,
    ).toBe(true);
    expect(errorOf(schema, { number: 'x' })).toContain('number: expected an integer');
    expect(errorOf(schema, { tree: { value: 1, next: {} } })).toContain('tree.next.value: required');
    expect(errorOf(schema, { shape: { kind: 'box' } })).toContain('shape');
  });

  it('ends on schemas that refer to themselves or use unknown words', () => {
    expect(parse({ $ref: '#' }, 1).ok).toBe(true);
    expect(parse({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1).ok).toBe(true);
    expect(parse({ $ref: '#/nowhere', format: 'date', pattern: '(' }, 1).ok).toBe(true);
    expect(parse({ type: 'object', properties: 5, required: 'x' }, {}).ok).toBe(true);
  });

  it('does not let an input reach the prototype', () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}}') as JsonValue;
    const result = parse({ type: 'object' }, value);
    expect('polluted' in {}).toBe(false);
    expect(result.ok && Object.getPrototypeOf(result.value)).toBe(Object.prototype);
  });
});
