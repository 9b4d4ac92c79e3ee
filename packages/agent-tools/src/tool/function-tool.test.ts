import { type JsonObject, jsonSchema } from '@robota-sdk/agent-core';
import { testToolContext } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  createZodFunctionTool,
  FunctionTool,
  type FunctionToolDefinition,
  type TToolResult,
  type ZodLike,
} from './function-tool.ts';

const schema = z.object({
  city: z.string().describe('Where'),
  days: z.number().int().min(1).default(1),
  unit: z.enum(['C', 'F']).optional(),
});

describe('createZodFunctionTool', () => {
  it('turns the schema into JSON Schema for the model', () => {
    proves('R-25');
    const tool = createZodFunctionTool(schema, {
      name: 'weather',
      description: 'Forecast',
      execute: () => 'sunny',
    });
    expect(tool.input.json).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where' },
        days: { type: 'integer', minimum: 1 },
        unit: { enum: ['C', 'F'] },
      },
      required: ['city'],
    });
    expect(tool.input.json).not.toHaveProperty('$schema');
    expect(jsonSchema(tool.input.json).parse({ city: 'Oslo' }).ok).toBe(true);
  });

  it('types and checks the input', async () => {
    proves('R-25');
    const definition: FunctionToolDefinition<z.output<typeof schema>> = {
      name: 'weather',
      description: 'Forecast',
      access: ({ city }) => [{ kind: 'fetch', url: `https://weather.example/${city}` }],
      execute: ({ city, days }) => ({ city, days: days + 1 }),
    };
    const tool = createZodFunctionTool(schema, definition);
    expectTypeOf(tool.execute).parameter(0).toEqualTypeOf<z.output<typeof schema>>();
    const parsed = tool.input.parse({ city: 'Oslo' });
    expect(parsed).toEqual({ ok: true, value: { city: 'Oslo', days: 1 } });
    const failed = tool.input.parse({ city: 3, days: 0 });
    expect(failed.ok ? '' : failed.error).toMatch(/^city: .*string.*; days: /);
    const context = testToolContext('/');
    const input = parsed.ok ? parsed.value : { city: '', days: 0 };
    expect(await tool.access(input, context)).toEqual([
      { kind: 'fetch', url: 'https://weather.example/Oslo' },
    ]);
    const output = await tool.execute(input, context);
    expect(JSON.parse(output.content[0]?.type === 'text' ? output.content[0].text : '')).toEqual({
      city: 'Oslo',
      days: 2,
    });
  });

  it('passes a full result through as it is', async () => {
    const result: TToolResult = { content: [{ type: 'text', text: 'no' }], isError: true };
    const tool = createZodFunctionTool(z.object({}), {
      name: 'fail',
      description: '',
      execute: () => result,
    });
    expect(await tool.execute({}, testToolContext('/'))).toBe(result);
    expect(await tool.access({}, testToolContext('/'))).toEqual([]);
  });
});

describe('FunctionTool', () => {
  const parameters: JsonObject = {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  };

  it('is a tool of a function and a JSON Schema, and can be called directly', async () => {
    proves('R-25');
    const add = new FunctionTool<{ a: number; b: number }>(
      { name: 'add', description: 'Adds', parameters },
      ({ a, b }) => a + b,
    );
    expect(add.input.json).toEqual(parameters);
    expect(add.input.parse({ a: 1 }).ok).toBe(false);
    expect(await add.execute({ a: 2, b: 3 })).toEqual({ content: [{ type: 'text', text: '5' }] });
    const copy = { ...add };
    expect(await copy.execute({ a: 2, b: 3 }, testToolContext('/'))).toEqual(
      await add.execute({ a: 2, b: 3 }),
    );
  });
});

describe('an error of a tool', () => {
  const ran = async (returned: unknown) => {
    const tool = new FunctionTool(
      { name: 't', description: 'd', parameters: { type: 'object' } },
      () => returned as string,
    );
    return tool.execute({});
  };

  it.each([
    [{ content: 'FAILED hard', isError: true }, 'FAILED hard'],
    [{ content: 'FAILED hard', is_error: true }, 'FAILED hard'],
    [{ content: [{ type: 'text', text: 'no' }], isError: 'yes' }, 'no'],
    [{ content: [{ type: 'text', text: 'no' }], is_error: true }, 'no'],
    [{ isError: true }, '{\n  "isError": true\n}'],
    [{ isError: true, reason: 'x' }, '{\n  "isError": true,\n  "reason": "x"\n}'],
  ])('stays one: %j', async (returned, text) => {
    expect(await ran(returned)).toMatchObject({ content: [{ type: 'text', text }], isError: true });
  });

  it('is thrown if it is an Error, which JSON would show as {}', async () => {
    await expect(ran(new RangeError('too far'))).rejects.toThrow('too far');
  });

  it.each([
    [{ content: 'fine' }, 'fine'],
    [{ content: 'fine', isError: false }, 'fine'],
    [undefined, ''],
    [{ content: 'a page', title: 'b' }, '{\n  "content": "a page",\n  "title": "b"\n}'],
  ])('is not seen in %j', async (returned, text) => {
    const { content, isError = false } = await ran(returned);
    expect([content, isError]).toEqual([[{ type: 'text', text }], false]);
  });
});

describe('a tool that cannot be used', () => {
  const definition = { name: 't', description: 'd', execute: () => 'x' };

  it.each(['bad name!', '', 'x'.repeat(65)])('is refused with the name %j', (name) => {
    expect(() => createZodFunctionTool(z.object({}), { ...definition, name })).toThrow(/name/);
  });

  it('is refused with a schema of zod 3, by the compiler and at run time', () => {
    const old = { safeParse: () => ({ success: true, data: {} }) };
    expectTypeOf(old).not.toExtend<ZodLike<unknown>>();
    expect(() => createZodFunctionTool(old as unknown as ZodLike<unknown>, definition)).toThrow(
      'use zod 4.2 or later',
    );
  });
});
