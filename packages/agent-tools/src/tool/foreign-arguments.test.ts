import { eidolonTools, type JsonObject, toOwnCall } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bashTool } from '../bash/bash-tool.ts';
import { editTool } from '../edit/edit-tool.ts';
import { readTool } from '../read/read-tool.ts';
import { todoWriteTool } from '../todo-write/todo-write-tool.ts';
import { writeTool } from '../write/write-tool.ts';

const tools = [bashTool, editTool, readTool, todoWriteTool, writeTool];
const parsed = (name: string, input: JsonObject) => {
  const call = toOwnCall(eidolonTools, name, input);
  const tool = tools.find((each) => each.name === call.name);
  const read = tool?.input.parse(call.input);
  return tool && read?.ok ? { name: tool.name, input: read.value } : undefined;
};

const path = fc.constantFrom('a.txt', 'src/b.ts');
const line = fc.integer({ min: 1, max: 500 });
const optional = <T extends JsonObject>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape, { requiredKeys: [] });
const with_ = <A extends object, B extends object>(first: fc.Arbitrary<A>, second: fc.Arbitrary<B>) =>
  fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));

/** The schemas of eidolon's tools, with the fields that only other actions of `edit_text` use. */
const schemas = {
  bash: with_(
    fc.record({ command: fc.string({ minLength: 1 }) }),
    optional({ timeoutMs: fc.integer({ min: 1000, max: 120_000 }) }),
  ),
  read_file: with_(
    fc.record({ path }),
    optional({
      startLine: line,
      endLine: fc.oneof(line, fc.constant(-1)),
      maxBytes: fc.integer({ min: 1, max: 1_000_000 }),
    }),
  ),
  write_file: with_(fc.record({ path, content: fc.string() }), optional({ mode: fc.constant('overwrite') })),
  edit_text: with_(
    fc.record({
      path,
      action: fc.constant('replace'),
      find: fc.string({ minLength: 1 }),
      replace: fc.string(),
    }),
    optional({
      insertAfter: fc.integer({ min: -1 }),
      newText: fc.string(),
      range: fc.constant([0, 1]),
    }),
  ),
  todo_write: fc.record({
    items: fc.array(
      with_(
        fc.record({
          content: fc.string({ minLength: 1 }),
          status: fc.constantFrom('pending', 'in_progress', 'completed'),
          activeForm: fc.string(),
        }),
        optional({ id: fc.string({ minLength: 1 }) }),
      ),
    ),
  }),
} satisfies Record<string, fc.Arbitrary<JsonObject>>;

describe("eidolon's tools", () => {
  it.each(Object.entries(schemas))('%s takes every argument of its schema', (name, schema) => {
    fc.assert(
      fc.property(schema, fc.constantFrom('', 'SysBuiltIn.'), (input, namespace) => {
        expect(parsed(`${namespace}${name}`, input)).toBeDefined();
      }),
    );
  });

  it('mean the same as ours', () => {
    expect(parsed('read_file', { path: 'a', startLine: 3, endLine: 5, maxBytes: 100 })).toEqual({
      name: 'Read',
      input: { file_path: 'a', offset: 3, limit: 3 },
    });
    expect(parsed('edit_text', { path: 'a', action: 'replace', find: 'B', replace: 'X' })).toEqual({
      name: 'Edit',
      input: { file_path: 'a', old_string: 'B', new_string: 'X' },
    });
    expect(parsed('bash', { command: 'ls', timeoutMs: 5000 })).toMatchObject({ input: { timeout: 5000 } });
  });

  it.each([
    ['edit_text', { path: 'a', action: 'insert', insertAfter: -1, newText: 'x' }],
    ['edit_text', { path: 'a', action: 'delete_range', range: [0, 2] }],
    ['write_file', { path: 'a', content: 'x', mode: 'append' }],
  ])('%s is no call of ours with %j', (name, input) => {
    expect(parsed(name, input)).toBeUndefined();
  });
});
