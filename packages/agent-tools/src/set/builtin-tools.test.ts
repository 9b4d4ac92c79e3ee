import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import * as tools from '../index.ts';
import { builtinTools } from './builtin-tools.ts';

interface Step {
  readonly name: string;
  readonly required: readonly string[];
  readonly input: JsonObject;
}

/** A call of each tool with all that it needs. */
const complete: Readonly<Record<string, JsonObject>> = {
  Write: { file_path: 'a', content: '' },
  Edit: { file_path: 'a', old_string: 'a', new_string: 'b' },
  Bash: { command: 'true' },
  Read: { file_path: 'a' },
  Grep: { pattern: 'x' },
  Glob: { pattern: '*' },
};

describe('builtinTools', () => {
  it('lists the tools in their order', () => {
    const exported = [
      tools.readTool,
      tools.writeTool,
      tools.editTool,
      tools.bashTool,
      tools.globTool,
      tools.grepTool,
      tools.webFetchTool,
      tools.webSearchTool,
      tools.todoWriteTool,
      tools.askUserTool,
      tools.exitPlanTool,
    ];
    expect(builtinTools()).toEqual(exported);
    expect(exported.map(({ name }) => name)).toEqual([
      'Read',
      'Write',
      'Edit',
      'Bash',
      'Glob',
      'Grep',
      'WebFetch',
      'WebSearch',
      'TodoWrite',
      'AskUser',
      'ExitPlanMode',
    ]);
  });

  it.each([
    ['Write', { append: true }, 'Write replaces the whole file; add to the end of one with Edit.'],
    ['Write', { mode: 'append' }, 'Write replaces the whole file'],
    ['Write', { encoding: 'latin1' }, 'Known: file_path, content.'],
    ['Edit', { replaceAll: true }, 'Did you mean replace_all?'],
    [
      'Edit',
      { edits: [{ old_string: 'a', new_string: 'b', replaceAll: true }] },
      'Did you mean replace_all?',
    ],
    ['Edit', { expected_replacements: 2 }, 'Known: file_path, old_string, new_string, replace_all, edits.'],
    ['Bash', { cwd: 'sub' }, 'Write cd DIRECTORY && before the command.'],
    ['Bash', { timeoutMs: 5 }, 'Did you mean timeout?'],
    ['Read', { limits: 5 }, 'Did you mean limit?'],
    ['Grep', { '-A': 3 }, 'Use context, for lines before and after.'],
    ['Glob', { paths: ['src'] }, 'Did you mean path?'],
  ])('%s refuses what it does not know: %j', (name, extra, hint) => {
    proves('E-5');
    const tool = builtinTools().find((one) => one.name === name);
    const parsed = tool?.input.parse({ ...complete[name], ...extra });
    expect(parsed).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Unknown argument .*Nothing was done\.$/),
    });
    expect(parsed).toHaveProperty('error', expect.stringContaining(hint));
  });

  it('takes remarks of the model, and what is not asked for, with every tool', () => {
    for (const [name, input] of Object.entries(complete)) {
      const tool = builtinTools().find((one) => one.name === name);
      const extra = { description: 'Look', explanation: 'Why', append: false, mode: null };
      expect(tool?.input.parse({ ...input, ...extra }).ok, name).toBe(true);
    }
  });

  it('takes the switches of grep as names of arguments', () => {
    const grep = builtinTools().find((one) => one.name === 'Grep');
    expect(
      grep?.input.parse({ pattern: 'x', '-i': true, '-n': true, '-C': 2, output_mode: 'files_with_matches' }),
    ).toEqual({
      ok: true,
      value: { pattern: 'x', ignore_case: true, context: 2, output_mode: 'files' },
    });
  });

  it('has tools for commands, reading, writing, editing and todos, with schemas, that work', async () => {
    proves('E-5');
    const context = toolContext();
    const steps: readonly Step[] = [
      { name: 'Write', required: ['file_path', 'content'], input: { file_path: 'a.txt', content: 'one\n' } },
      { name: 'Read', required: ['file_path'], input: { file_path: 'a.txt' } },
      {
        name: 'Edit',
        required: ['file_path'],
        input: { file_path: 'a.txt', old_string: 'one', new_string: 'two' },
      },
      { name: 'Bash', required: [], input: { command: 'cat a.txt' } },
      {
        name: 'TodoWrite',
        required: ['todos'],
        input: { todos: [{ content: 'test', status: 'in_progress' }] },
      },
    ];
    const results: string[] = [];
    for (const { name, required, input } of steps) {
      const tool = builtinTools().find((one) => one.name === name);
      if (!tool) throw new Error(`Unknown tool ${name}.`);
      const { json } = tool.input;
      expect(json, name).toMatchObject({
        type: 'object',
        properties: Object.fromEntries(Object.keys(input).map((key) => [key, expect.any(Object)])),
      });
      expect(json.required ?? [], name).toEqual(expect.arrayContaining([...required]));
      expect(tool.input.parse({ [Object.keys(input)[0] ?? '']: 7 }).ok, name).toBe(false);
      const parsed = tool.input.parse(input);
      if (!parsed.ok) throw new Error(parsed.error);
      results.push(textOfOutput(await tool.execute(parsed.value, context)));
    }
    expect(results[1]).toMatch(/1\s+one/);
    expect(results[3]).toBe('two');
    expect(JSON.parse(results[4] ?? '')).toEqual({ total: 1, completed: 0, inProgress: 1 });
    expect(readFileSync(join(context.workspace.cwd, 'a.txt'), 'utf8')).toBe('two\n');
  });

  it('every tool gives back the one type of result', async () => {
    proves('R-35');
    const context = toolContext();
    writeFileSync(join(context.workspace.cwd, 'a.txt'), 'one\n');
    const inputs: Readonly<Record<string, JsonValue>> = {
      Read: { file_path: 'a.txt' },
      Write: { file_path: 'b.txt', content: 'x' },
      Edit: { file_path: 'a.txt', old_string: 'one', new_string: 'two' },
      Bash: { command: 'exit 1' },
      Glob: { pattern: '*' },
      Grep: { pattern: 'x' },
      TodoWrite: { todos: [] },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const tool = builtinTools().find((one) => one.name === name);
      const parsed = tool?.input.parse(input);
      if (!tool || !parsed?.ok) throw new Error(`${name} does not take ${JSON.stringify(input)}.`);
      const result: tools.TToolResult = await tool.execute(parsed.value, context);
      expect(
        Object.keys(result).filter((key) => !['content', 'isError', 'display', 'exitCode'].includes(key)),
      ).toEqual([]);
      expect(result.content[0], name).toEqual({ type: 'text', text: expect.any(String) });
      expect(result.isError ?? false, name).toBe(name === 'Bash');
    }
    expectTypeOf(tools.bashTool.execute).returns.resolves.toEqualTypeOf<tools.TToolResult>();
  });

  it('describes every tool as an object, in few bytes', () => {
    const sizes = builtinTools().map(({ name, description, input }) => {
      expect(input.json).toMatchObject({ type: 'object' });
      return Buffer.byteLength(JSON.stringify({ name, description, input_schema: input.json }));
    });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000);
  });
});
