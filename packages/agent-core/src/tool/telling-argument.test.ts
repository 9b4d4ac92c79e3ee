import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tellingArgument } from './telling-argument.ts';

const calls = [
  ['Read', { file_path: 'src/cart.ts', limit: 5, offset: 2 }, 'src/cart.ts'],
  ['Bash', { command: 'ls src', description: 'List the files', timeout: 5000 }, 'ls src'],
  ['bash', { command: 'ls', cwd: '/shop' }, 'ls'],
  ['SysBuiltIn.Bash', { command: 'ls', description: 'List' }, 'ls'],
  ['Grep', { pattern: 'total', path: 'src', output_mode: 'content', '-n': true }, 'total'],
  ['Glob', { pattern: '**/*.ts', path: 'src' }, '**/*.ts'],
  ['LS', { path: '/shop', ignore: ['a'] }, '/shop'],
  ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y', replace_all: false }, 'a.ts'],
  ['MultiEdit', { file_path: 'a.ts', edits: [] }, 'a.ts'],
  ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x' }, 'a.ipynb'],
  ['Write', { file_path: 'a.ts', content: 'x' }, 'a.ts'],
  ['Agent', { description: 'Find the total', prompt: 'Look', subagent_type: 'Explore' }, 'Find the total'],
  ['Task', { description: 'Find it', prompt: 'Look', subagent_type: 'Explore' }, 'Find it'],
  ['WebFetch', { url: 'https://a.example', prompt: 'Sum up' }, 'https://a.example'],
  ['WebSearch', { query: 'vat', allowed_domains: [] }, 'vat'],
  ['mcp__shell__run', { command: 'rm -rf dist', description: 'Tidy up', title: 'Tidy' }, 'rm -rf dist'],
] as const;

describe('the argument that tells what a call does', () => {
  it.each(calls)('is the same in every order of %s', (name, input, telling) => {
    proves('C-17', 'C-22');
    fc.assert(
      fc.property(
        fc.shuffledSubarray(Object.entries(input), { minLength: Object.keys(input).length }),
        (entries) => {
          expect(tellingArgument({ name, input: Object.fromEntries(entries) as never })).toBe(telling);
        },
      ),
    );
  });

  it('is the first one where no name is known, and words for background jobs', () => {
    proves('C-22');
    expect(tellingArgument({ name: 'Count', input: { to: 3, by: 1 } })).toBe('3');
    expect(
      tellingArgument({ name: 'mcp__tracker__create', input: { title: 'Bug', description: 'Long' } }),
    ).toBe('Bug');
    expect(tellingArgument({ name: 'Bash', input: { job: { action: 'read', id: 2 } } })).toBe('read bash-2');
    expect(tellingArgument({ name: 'Bash', input: { job: { action: 'list' } } })).toBe('list');
    expect(tellingArgument({ name: 'Bash', input: {} })).toBe('');
    expect(tellingArgument({ name: 'toString', input: { a: 'x' } })).toBe('x');
  });
});
