import type { JsonValue } from '@robota-sdk/agent-core';
import { AgentError } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseAgents } from './parse-agents.ts';

it('reads agents by their names, without fields that have no value', () => {
  const given = { description: 'd', prompt: 'p', tools: ['Read'], model: null, memory: '', maxTurns: 3 };
  expect(parseAgents({ reviewer: given })).toEqual([
    {
      name: 'reviewer',
      description: 'd',
      systemPrompt: 'p',
      tools: ['Read'],
      maxTurns: 3,
      source: 'the program',
    },
  ]);
});

it.each([
  [0, 'low'],
  [50, 'low'],
  [51, 'medium'],
  [85, 'medium'],
  [100, 'high'],
  [101, 'xhigh'],
  ['max', 'xhigh'],
])('reads the effort %j as %s, and keeps skills', (effort, level) => {
  const agent = { description: 'd', prompt: 'p', effort, skills: ['tidy'] };
  expect(parseAgents({ a: agent })).toMatchObject([{ effort: level, skills: ['tidy'] }]);
});

it.each([
  [7, 'Invalid agents: expected an object like {"name": {"prompt": "…"}}.'],
  [{ a: 'x' }, 'Invalid agents: a: expected an object, got a string'],
  [{ a: { prompt: 'p' } }, 'Invalid agents: a.description: expected a string, but it is missing'],
  [
    { a: { description: 'd', prompt: 'p', permissionMode: 'pln' } },
    /^Invalid agents: a\.permissionMode: expected one of .*, got the string "pln"\. Did you mean "plan"\?$/,
  ],
  [
    { a: { description: 'd', prompt: 'p', tool: ['Read'] } },
    'Invalid agents: Unknown field "a.tool". Did you mean "a.tools"?',
  ],
  [{ a: { description: 'd', prompt: 'p', tools: 'Read' } }, /a\.tools: expected a list, got a string/],
  [
    { a: { description: 'd', prompt: 'p', memory: 'user' } },
    'Invalid agents: "a.memory" is not supported. Robota has no memory of single agents.',
  ],
  [
    { a: { description: 'd', prompt: 'p', mcpServers: ['lab'] } },
    /"a\.mcpServers" is not supported\. .* Give them to the session/,
  ],
  [{ a: { description: 'd', prompt: 'p', effort: -1 } }, /a\.effort: /],
])('refuses %j', (given, message) => {
  expect(() => parseAgents(given as JsonValue)).toThrow(message);
});

it('reads any JSON, or refuses it with an error for users', () => {
  const agent = fc.record({ description: fc.jsonValue(), prompt: fc.string(), tools: fc.jsonValue() });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), agent)), (given) => {
      try {
        for (const { name, tools = [] } of parseAgents(given as JsonValue))
          expect([name, ...tools].every((each) => typeof each === 'string')).toBe(true);
      } catch (thrown) {
        expect(AgentError.is(thrown) && thrown.code).toBe('usage');
      }
    }),
  );
});
