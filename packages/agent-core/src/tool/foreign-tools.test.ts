import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeTools, eidolonTools, piTools, toOwnCall } from './foreign-tools.ts';

describe('toOwnCall', () => {
  it('translates the arguments of pi', () => {
    const call = (name: string, input: Record<string, string | boolean | number>) =>
      toOwnCall(piTools, name, input);
    expect(call('read', { path: 'a', offset: 3 })).toEqual({
      name: 'Read',
      input: { file_path: 'a', offset: 3 },
    });
    expect(call('edit', { path: 'a', oldText: 'x', newText: 'y' })).toEqual({
      name: 'Edit',
      input: { file_path: 'a', old_string: 'x', new_string: 'y' },
    });
    expect(toOwnCall(piTools, 'edit', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] })).toEqual(
      call('edit', { path: 'a', oldText: 'x', newText: 'y' }),
    );
    expect(call('grep', { pattern: 'x', ignoreCase: true, limit: 5 })).toEqual({
      name: 'Grep',
      input: { pattern: 'x', ignore_case: true, head_limit: 5 },
    });
    expect(call('find', { pattern: '*.ts' })).toEqual({ name: 'Glob', input: { pattern: '*.ts' } });
  });

  it('translates what Claude Code and eidolon call otherwise', () => {
    expect(
      toOwnCall(claudeTools, 'Grep', {
        pattern: 'x',
        '-i': true,
        '-C': 2,
        output_mode: 'files_with_matches',
      }),
    ).toEqual({
      name: 'Grep',
      input: { pattern: 'x', ignore_case: true, context: 2, output_mode: 'files' },
    });
    expect(
      toOwnCall(eidolonTools, 'SysBuiltIn.read_file', { path: 'a', start_line: 5, end_line: -1 }),
    ).toEqual({
      name: 'Read',
      input: { file_path: 'a', offset: 5 },
    });
    expect(toOwnCall(eidolonTools, 'todo_write', { items: [] })).toEqual({
      name: 'TodoWrite',
      input: { todos: [] },
    });
  });

  it('leaves unknown tools, and calls that ours could not make, as they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (name, input) => {
        fc.pre(!Object.hasOwn(eidolonTools, name.replace(/^SysBuiltIn\./, '')));
        const stored = JSON.parse(JSON.stringify(input));
        expect(toOwnCall(eidolonTools, name, stored)).toEqual({ name, input: stored });
      }),
    );
    const insertion = { path: 'a', action: 'insert', insertAfter: 3, newText: 'x' };
    expect(toOwnCall(eidolonTools, 'edit_text', insertion)).toEqual({ name: 'edit_text', input: insertion });
  });
});
