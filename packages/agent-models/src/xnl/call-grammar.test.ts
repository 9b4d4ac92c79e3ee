import type { JsonObject, JsonValue, ToolSpec } from '@robota-sdk/agent-core';
import { Gbnf } from '@robota-sdk/agent-testing';
import { XnlExtractor } from '@robota-sdk/xnl';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callGrammar } from './call-grammar.ts';
import { callElement } from './elements.ts';
import { ToolRoutes } from './tool-routes.ts';
import { type WrittenCall, writtenCall } from './written-call.ts';

const text = { type: 'string' };
const tools: readonly ToolSpec[] = [
  {
    name: 'Read',
    description: '',
    input: {
      type: 'object',
      properties: { file_path: text, offset: { type: 'integer' }, limit: { type: 'integer' } },
      required: ['file_path'],
      additionalProperties: false,
    },
  },
  {
    name: 'Edit',
    description: '',
    input: {
      type: 'object',
      properties: { file_path: text, old_string: text, new_string: text, replace_all: { type: 'boolean' } },
      required: ['file_path', 'old_string', 'new_string'],
    },
  },
  { name: 'Now', description: '', input: { type: 'object', properties: {} } },
  {
    name: 'mcp__shop__order-items',
    description: '',
    input: {
      type: 'object',
      properties: {
        'customer id': { anyOf: [{ type: 'number' }, { type: 'null' }] },
        speed: { enum: ['fast', 'slow'] },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: text, count: { type: 'number' } },
            required: ['name'],
          },
        },
        extra: { type: 'object' },
      },
      required: ['customer id', 'items'],
    },
  },
];

const grammar = new Gbnf(callGrammar(tools));
const routes = new ToolRoutes(tools);

/** Reads an answer as sessions do: its calls, and all that is wrong with it. */
function readAnswer(answer: string) {
  const extractor = new XnlExtractor();
  const found = [...extractor.push(answer), ...extractor.end()];
  const calls: WrittenCall[] = [];
  const problems: string[] = [];
  for (const part of found) {
    if (part.kind === 'element') calls.push(writtenCall(part.element, routes));
    if (part.kind === 'problem') problems.push(part.message);
  }
  problems.push(...calls.flatMap(({ invalid }) => invalid ?? []));
  return { calls, problems };
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
// biome-ignore lint/suspicious/noTemplateCurlyInString: the characters of a template.
const words = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'</#>`${}\\"\'\n!ab') }));

const inputs: readonly (readonly [string, fc.Arbitrary<JsonObject>])[] = [
  ['Read', fc.record({ offset: optional(fc.integer()), file_path: words }).map(compact)],
  [
    'Edit',
    fc
      .record({ new_string: words, replace_all: optional(fc.boolean()), old_string: words, file_path: words })
      .map(compact),
  ],
  ['Now', fc.constant({})],
  [
    'mcp__shop__order-items',
    fc
      .record({
        items: fc.array(
          fc.record({ count: optional(fc.integer().map((each) => each / 4)), name: words }).map(compact),
          { maxLength: 3 },
        ),
        speed: optional(fc.constantFrom('fast', 'slow')),
        extra: optional(
          fc.dictionary(fc.string({ unit: fc.constantFrom(...'ab_ "') }), words, { maxKeys: 3 }),
        ),
        'customer id': fc.oneof(fc.integer(), fc.constant(null)),
      })
      .map(compact),
  ],
];

function compact(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as JsonObject;
}

const validCall = fc.oneof(...inputs.map(([name, input]) => input.map((value) => ({ name, input: value }))));

/** A call as a model writes it: bare keys, any quotes, spaces and commas at will. */
function loosely(value: JsonValue, quote: string): string {
  if (typeof value === 'string') {
    const escaped = value
      .replaceAll('\\', '\\\\')
      .replaceAll(quote, `\\${quote}`)
      .replaceAll('${', '\\${')
      .replaceAll('</#>', '<\\/#>');
    return quote + escaped + quote;
  }
  if (Array.isArray(value)) return `[ ${value.map((each) => `${loosely(each, quote)}, `).join('')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => {
    const bare = /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
    return `\n  ${bare}: ${loosely(each ?? null, quote)}`;
  });
  return `{${entries.join(',')}\n}`;
}

function block(...elements: readonly string[]): string {
  return ['!unquote_start', ...elements, '!unquote_end'].join('\n');
}

describe('callGrammar', () => {
  it('accepts every valid call, however it is written, and gives its fields back', () => {
    const quotes = fc.constantFrom('"', "'", '`');
    fc.assert(
      fc.property(validCall, quotes, words, (call, quote, before) => {
        const code = `${callNames.get(call.name)}(${loosely(call.input, quote)})`;
        const answer = `${before.replaceAll('!', '').trimStart()}\n${block(`<tool_call id="c1" #>\n${code}\n</#>`)}`;
        expect(grammar.accepts(answer)).toBe(true);
        expect(readAnswer(answer)).toEqual({ calls: [{ id: 'c1', ...call }], problems: [] });
      }),
    );
  });

  it('accepts calls as earlier turns show them', () => {
    fc.assert(
      fc.property(validCall, validCall, (one, other) => {
        const elements = [
          { id: 'c1', ...one },
          { id: 'c2', ...other },
        ].map(callElement);
        fc.pre(!elements.some((each) => each.includes('#text_')));
        expect(grammar.accepts(block(...elements))).toBe(true);
      }),
    );
  });

  it('accepts no call that cannot be used: every answer it can make is read whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 2 }), (seed) => {
        const random = randomFrom(seed);
        const text = grammar.sample(random, { budget: 50 });
        const calling = grammar.sample(random, { budget: 300, rule: 'calls' });
        const isOpen = /^\s*<think|`$|!quote_start/.test(text);
        const answer = `${isOpen ? '' : text}!unquote_start\n${calling}`;
        const { calls, problems } = readAnswer(answer);
        expect(problems).toEqual([]);
        expect(calls.length).toBeGreaterThan(0);
        for (const { name, input } of calls) expect(missingFields(name, input)).toEqual([]);
        expect([answer, grammar.accepts(answer)]).toEqual([answer, true]);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['an unknown tool', 'SysBuiltIn.Raed({ file_path: "a" })'],
    ['an unknown field', 'SysBuiltIn.Read({ path: "a" })'],
    ['a missing field', 'SysBuiltIn.Read({ limit: 3 })'],
    ['a field of another type', 'SysBuiltIn.Read({ file_path: 3 })'],
    ['something computed', 'SysBuiltIn.Read({ file_path: "a" + "b" })'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: such a text is what is tested here.
    ['a template that is filled in', 'SysBuiltIn.Read({ file_path: `${home}/a` })'],
    ['a text that ends the element', 'SysBuiltIn.Read({ file_path: "</#>" })'],
    [
      'another value than those of an enumeration',
      'Mcp.shop.order-items({ "customer id": 1, items: [], speed: "x" })',
    ],
    ['two calls in one element', 'Ext.Now() Ext.Now()'],
  ])('refuses %s', (_, code) => {
    expect(grammar.accepts(block(`<tool_call id="c1" #>\n${code}\n</#>`))).toBe(false);
  });

  it('leaves text alone, also text about the markers, and ends the answer behind the calls', () => {
    const call = '<tool_call id="c1" #>\nExt.Now()\n</#>';
    for (const answer of [
      '',
      'Hello! It is done.',
      'Write `!unquote_start` and !unquote_startle, ! and !u.',
      '!quote_start\n!unquote_start\n<oops>\n!quote_end\nThat is how it looks.',
      `I look.\n\n${block(call)}\n`,
    ])
      expect([answer, grammar.accepts(answer)]).toEqual([answer, true]);
    for (const answer of [
      '!unquote_start',
      'Look:\n!unquote_start\nExt.Now()\n!unquote_end',
      `${block(call)}\nThe result is 3.`,
      `${block()}`,
    ])
      expect([answer, grammar.accepts(answer)]).toEqual([answer, false]);
  });

  it('takes unlisted tools of servers where a tool calls them, and fixes the order of many required fields', () => {
    const many = ['a', 'b', 'c', 'd', 'e'];
    const input = {
      type: 'object',
      properties: Object.fromEntries(many.map((key) => [key, text])),
      required: many,
    };
    const wide = new Gbnf(
      callGrammar([
        { name: 'Wide', description: '', input },
        { name: 'McpCall', description: '', input: { type: 'object', properties: { tool: text } } },
      ]),
    );
    const answerOf = (code: string) => block(`<tool_call id="c1" #>\n${code}\n</#>`);
    expect(wide.accepts(answerOf('Mcp.shop.list({ anything: [1] })'))).toBe(true);
    const fields = (keys: readonly string[]) => keys.map((key) => `${key}: "x"`).join(', ');
    expect(wide.accepts(answerOf(`Ext.Wide({ ${fields(many)} })`))).toBe(true);
    expect(wide.accepts(answerOf(`Ext.Wide({ ${fields(many.slice(1))} })`))).toBe(false);
  });
});

/** Random numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const callNames = new Map([
  ['Read', 'SysBuiltIn.Read'],
  ['Edit', 'SysBuiltIn.Edit'],
  ['Now', 'Ext.Now'],
  ['mcp__shop__order-items', 'Mcp.shop.order-items'],
]);

function missingFields(name: string, input: JsonValue): readonly string[] {
  const required = tools.find((tool) => tool.name === name)?.input.required;
  const names = Array.isArray(required) ? required.map(String) : [];
  return names.filter((field) => input === null || !Object.hasOwn(Object(input), field));
}
