import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../shape/json-schema.ts';
import { outputOf } from './output-of.ts';
import { type Tool, textOutput } from './tool.ts';
import { usableTool } from './usable-tool.ts';

const whole = {
  name: 'Clock',
  description: 'Tells the time.',
  input: jsonSchema({ type: 'object' }),
  access: () => [],
  execute: async () => textOutput('noon'),
};

function check(change: object): Tool {
  return usableTool({ ...whole, ...change } as unknown as Tool);
}

describe('tools that people write', () => {
  it('takes a whole tool as it is', () => {
    expect(usableTool(whole)).toBe(whole);
  });

  it.each([
    [{ name: undefined }, 'A tool has no name.'],
    [{ name: 'my tool!' }, 'The tool "my tool!" needs another name: 1 to 64 letters'],
    [{ name: 'x'.repeat(65) }, 'needs another name'],
    [{ description: undefined }, 'The tool "Clock" has no description'],
    [{ execute: 'ls' }, 'has no function "execute"'],
    [{ access: undefined }, 'write access: () => [] if that is nothing'],
    [{ input: undefined }, 'has no input; write input: jsonSchema('],
    [{ input: 'text' }, 'has no input'],
    [{ input: jsonSchema({ type: 'objct' }) }, 'its input: "objct" is not a type'],
    [{ input: { type: 'string' } }, 'must have the type "object", not "string"'],
  ])('refuses %j and says what to write', (change, message) => {
    expect(() => check(change)).toThrow(message);
  });

  it('makes an input of plain JSON Schema, also for a tool that is an object of a class', async () => {
    class Counter {
      readonly name = 'Count';
      readonly description = 'Counts.';
      readonly guideline = 'Count slowly.';
      readonly input = { type: 'object', properties: { by: { type: 'integer' } }, required: ['by'] };
      #total = 0;
      access() {
        return [];
      }
      async execute({ by }: { by: number }) {
        this.#total += by;
        return textOutput(String(this.#total));
      }
    }
    const tool = usableTool<{ by: number }>(new Counter() as unknown as Tool<{ by: number }>);
    expect(tool).toMatchObject({ name: 'Count', guideline: 'Count slowly.' });
    expect(tool.input.parse({})).toMatchObject({ ok: false });
    expect(tool.input.parse({ by: '2' })).toEqual({ ok: true, value: { by: 2 } });
    expect(await tool.execute({ by: 2 }, undefined as never)).toEqual(textOutput('2'));
  });
});

describe('what tools return', () => {
  it('takes a text for an output, and an output as it is', () => {
    expect(outputOf('T', 'plain')).toEqual(textOutput('plain'));
    const output = textOutput('x', { isError: true });
    expect(outputOf('T', output)).toBe(output);
  });

  it.each([
    [undefined, 'it is undefined'],
    [7, 'it is a number'],
    [{ text: 'x' }, 'it is an object without a list "content"'],
    [['x'], 'it is a list'],
    [{ content: 'x' }, 'it is an object without a list "content"'],
    [{ content: [{ type: 'text' }] }, 'a block that is neither text nor image'],
  ])('says that %j is none, and of which tool', (returned, why) => {
    expect(() => outputOf('Clock', returned)).toThrow(`The tool Clock ran, but its result cannot be used: `);
    expect(() => outputOf('Clock', returned)).toThrow(why);
  });
});
