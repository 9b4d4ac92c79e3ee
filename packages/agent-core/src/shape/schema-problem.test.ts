import { expect, it } from 'vitest';
import { schemaProblem } from './schema-problem.ts';

it.each([
  [{}],
  [true],
  [{ type: ['string', 'null'] }],
  [
    {
      type: 'object',
      properties: { a: { type: 'array', items: { $ref: '#/$defs/b' } } },
      $defs: { b: { enum: [1] } },
    },
  ],
])('finds nothing wrong with %j', (schema) => {
  expect(schemaProblem(schema)).toBeUndefined();
});

it.each([
  [{ type: 5 }, 'the schema: 5 is not a type'],
  [{ type: 'objct' }, 'the schema: "objct" is not a type'],
  [{ required: 'a' }, 'the schema: "required" must be a list'],
  [
    { properties: { a: { anyOf: [{ type: 'x' }] } } },
    'the schema, properties.a, anyOf[0]: "x" is not a type',
  ],
  [{ properties: { a: 3 } }, 'the schema, properties.a must be an object'],
])('says what is wrong with %j', (schema, message) => {
  expect(schemaProblem(schema)).toContain(message);
});
