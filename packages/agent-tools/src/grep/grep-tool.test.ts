import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import { type GrepInput, grepTool } from './grep-tool.ts';

function workspace(files: Readonly<Record<string, string | Buffer>>) {
  const context = toolContext();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(context.workspace.cwd, path)), { recursive: true });
    writeFileSync(join(context.workspace.cwd, path), text);
  }
  return context;
}

const grep = async (context: ReturnType<typeof toolContext>, input: GrepInput) =>
  textOfOutput(await grepTool.execute(input, context));

describe('Grep', () => {
  it('shows matching lines below their files', async () => {
    proves('R-31');
    const context = workspace({ 'src/b.ts': 'let a = 1;\nuse(a);\n', 'a.md': 'let it be\n', 'c.md': 'none' });
    expect(await grep(context, { pattern: '\\blet\\b' })).toBe(
      'a.md\n1: let it be\n\nsrc/b.ts\n1: let a = 1;',
    );
    expect(await grep(context, { pattern: 'LET', ignore_case: true, path: 'src' })).toBe(
      'src/b.ts\n1: let a = 1;',
    );
    expect(await grep(context, { pattern: 'use(a)', literal: true, path: 'src/b.ts' })).toBe(
      'src/b.ts\n2: use(a);',
    );
  });

  it('lists files, counts and context', async () => {
    proves('R-31');
    const context = workspace({ a: 'x\nx\n', b: '1\n2\nx\n4\n5\nx\n7\n' });
    expect(await grep(context, { pattern: 'x', output_mode: 'files' })).toBe('a\nb');
    expect(await grep(context, { pattern: 'x', output_mode: 'count' })).toBe(
      'a: 2\nb: 2\n[4 matches in 2 files]',
    );
    expect(await grep(context, { pattern: '1|5', context: 1, path: 'b' })).toBe(
      'b\n1: 1\n2- 2\n--\n4- 4\n5: 5\n6- x',
    );
  });

  it('restricts files by glob and type', async () => {
    proves('R-31');
    const context = workspace({
      'src/a.ts': 'x',
      'src/deep/a.ts': 'x',
      'lib/a.ts': 'x',
      'a.js': 'x',
      'gen.ts': 'x',
      '.gitignore': 'gen.ts',
    });
    const files = (input: Partial<GrepInput>) =>
      grep(context, { pattern: 'x', output_mode: 'files', ...input });
    expect(await files({ glob: '*.ts' })).toBe('lib/a.ts\nsrc/a.ts\nsrc/deep/a.ts');
    expect(await files({ glob: '*.{js,mjs}' })).toBe('a.js');
    expect(await files({ glob: 'src/*.ts' })).toBe('src/a.ts');
    expect(await files({ glob: 'src/' })).toBe('src/a.ts\nsrc/deep/a.ts');
    expect(await files({ glob: '{src,lib}/**/a.ts' })).toBe('lib/a.ts\nsrc/a.ts\nsrc/deep/a.ts');
    expect(await files({ type: 'js' })).toBe('a.js');
    expect(await files({ type: 'ts', glob: 'lib/**' })).toBe('lib/a.ts');
  });

  it('pages through many matches', async () => {
    proves('R-31');
    const context = workspace({ a: 'x\n'.repeat(30), b: 'x\n'.repeat(30) });
    const first = await grep(context, { pattern: 'x', head_limit: 2 });
    expect(first).toBe(
      'a\n1: x\n2: x\n[60 matching lines in 2 files; shown are lines 1-2, continue with offset 2, or narrow the search]',
    );
    const later = await grep(context, { pattern: 'x', head_limit: 2, offset: 29 });
    expect(later).toMatch(/^a\n30: x\n\nb\n1: x\n\[60 matching/);
    expect(await grep(context, { pattern: 'x', offset: 60 })).toContain('nothing is left after offset 60');
    expect(await grep(context, { pattern: 'x', output_mode: 'files', head_limit: 1, offset: 1 })).toMatch(
      /^b\n\[2 files;/,
    );
  });

  it('stays within the limit of a result', async () => {
    const context = workspace({ a: `${'x'.repeat(480)}\n`.repeat(500) });
    const text = await grep(context, { pattern: 'x', head_limit: 500 });
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(/500 matching lines in 1 files; shown are lines 1-\d+, continue with offset \d+/);
  });

  it('finds across lines', async () => {
    proves('R-31');
    const context = workspace({ a: 'begin {\n  middle\n}\n' });
    expect(await grep(context, { pattern: '\\{.*\\}', multiline: true })).toBe(
      'a\n1: begin {\n2:   middle\n3: }',
    );
    await expect(grep(context, { pattern: 'begin.*\\n' })).rejects.toThrow('multiline: true');
    expect(await grep(context, { pattern: 'mid[^\\n]*' })).toBe('a\n2:   middle');
  });

  it('says plainly that nothing was found, and explains bad input', async () => {
    const context = workspace({ a: 'x', bin: Buffer.from([1, 0, 2]) });
    expect(await grep(context, { pattern: 'y' })).toBe('No matches for "y" (2 files searched).');
    await expect(grep(context, { pattern: '' })).rejects.toThrow('empty');
    await expect(grep(context, { pattern: 'a(b' })).rejects.toThrow(/unclosed group[\s\S]*literal: true/);
    await expect(grep(context, { pattern: 'x', head_limit: -1 })).rejects.toThrow('head_limit');
    await expect(grep(context, { pattern: 'x', path: 'gone' })).rejects.toThrow(/^NotFound/);
    await expect(grep(context, { pattern: 'x', path: 'bin' })).rejects.toThrow('binary');
    await expect(grep(context, { pattern: 'x', type: 'zzz' })).rejects.toThrow('Unknown file type');
  });

  it('does not follow a link out of the workspace', async () => {
    const outside = workspace({ secret: 'x' });
    const context = workspace({ a: 'y' });
    symlinkSync(outside.workspace.cwd, join(context.workspace.cwd, 'evil'));
    symlinkSync(join(outside.workspace.cwd, 'secret'), join(context.workspace.cwd, 'evil-file'));
    await expect(grep(context, { pattern: 'x', path: 'evil' })).rejects.toThrow(/^OutsideWorkspace/);
    await expect(grep(context, { pattern: 'x', path: 'evil-file' })).rejects.toThrow(/^OutsideWorkspace/);
    expect(await grep(context, { pattern: 'x' })).toMatch(/^No matches/);
  });

  it('declares where it searches', async () => {
    const context = workspace({ 'src/a': '' });
    const path = join(context.workspace.cwd, 'src');
    expect(await grepTool.access({ pattern: 'x', path: 'src' }, context)).toEqual([
      { kind: 'search', path, real: path },
    ]);
  });

  it('has a small schema', () => {
    const { name, description, input } = grepTool;
    const size = JSON.stringify({ name, description, input_schema: input.json }).length;
    expect(size).toBeLessThanOrEqual(800);
  });
});
