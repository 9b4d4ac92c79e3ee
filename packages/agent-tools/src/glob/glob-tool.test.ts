import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import { globTool } from './glob-tool.ts';

function workspace(...paths: string[]) {
  const context = toolContext();
  for (const path of paths) {
    mkdirSync(dirname(join(context.workspace.cwd, path)), { recursive: true });
    writeFileSync(join(context.workspace.cwd, path), '');
  }
  return context;
}

const glob = async (context: ReturnType<typeof toolContext>, pattern: string, path?: string) => {
  const output = await globTool.execute(path === undefined ? { pattern } : { pattern, path }, context);
  return textOfOutput(output);
};

describe('Glob', () => {
  it('matches stars, braces and directories, sorted by path', async () => {
    proves('R-30');
    const context = workspace('src/b.ts', 'src/a.tsx', 'src/deep/er/c.ts', 'top.ts', 'src/d.js');
    expect(await glob(context, '**/*.ts')).toBe('src/b.ts\nsrc/deep/er/c.ts\ntop.ts');
    expect(await glob(context, 'src/*.{ts,tsx}')).toBe('src/a.tsx\nsrc/b.ts');
    expect(await glob(context, '*.ts')).toBe('top.ts');
    expect(await glob(context, 'src/**/c.ts')).toBe('src/deep/er/c.ts');
    expect(await glob(context, '{src/deep,nowhere}/**')).toBe('src/deep/er/c.ts');
    expect(await glob(context, '*.ts', 'src')).toBe('src/b.ts');
    expect(await glob(context, join(context.workspace.cwd, 'src/*.js'))).toBe('src/d.js');
    expect(await glob(context, '../*.ts', 'src')).toBe('top.ts');
  });

  it('takes a plain name for itself and a directory for all it holds', async () => {
    proves('R-30');
    const context = workspace('src/a.ts', 'src/app/[id]/page.tsx', 'top.ts');
    expect(await glob(context, 'top.ts')).toBe('top.ts');
    expect(await glob(context, 'src')).toBe('src/a.ts\nsrc/app/[id]/page.tsx');
    expect(await glob(context, 'src/app/[id]/*')).toBe('src/app/[id]/page.tsx');
    expect(await glob(context, 'src/app/[id]/page.tsx')).toBe('src/app/[id]/page.tsx');
  });

  it('leaves out ignored files unless their directory is named', async () => {
    const context = workspace('node_modules/m/i.js', 'src/i.js', '.env', '.git/config');
    writeFileSync(join(context.workspace.cwd, '.gitignore'), 'node_modules\n');
    expect(await glob(context, '**')).toBe('.env\n.gitignore\nsrc/i.js');
    expect(await glob(context, '**/*.js')).toBe('src/i.js');
    expect(await glob(context, 'node_modules/m/*.js')).toBe('node_modules/m/i.js');
  });

  it('lists at most 1,000 entries and says how many there are', async () => {
    proves('C-79');
    const context = workspace(...Array.from({ length: 1203 }, (_, index) => `f${index}`));
    const lines = (await glob(context, '**')).split('\n');
    expect(lines).toHaveLength(1001);
    expect(lines[0]).toBe('f0');
    expect(lines.at(-1)).toBe('[1000 of 1203 files; narrow the pattern to see others]');
  });

  it('says that nothing matches and what else to try', async () => {
    const context = workspace('src/a.ts');
    expect(await glob(context, '*.ts')).toBe(
      'No files match "*.ts". Use "**/*.ts" to look in all directories below. Ignored files are not listed.',
    );
    await expect(glob(context, 'gone/**')).rejects.toThrow(/^NotFound: "gone"/);
    await expect(glob(context, '*.ts', 'src/a.ts')).rejects.toThrow();
    await expect(glob(context, 'a[')).rejects.toThrow('"[" without "]"');
    await expect(glob(context, '')).rejects.toThrow('empty');
  });

  it('does not follow a link out of the workspace', async () => {
    const outside = workspace('secret.txt');
    const context = workspace('src/a.ts');
    symlinkSync(outside.workspace.cwd, join(context.workspace.cwd, 'evil'));
    await expect(glob(context, 'evil/**')).rejects.toThrow(/^OutsideWorkspace/);
    expect(await glob(context, '**/*.txt')).toMatch(/^No files match/);
    expect(await globTool.access({ pattern: 'evil/**' }, context)).toEqual([
      { kind: 'search', path: join(context.workspace.cwd, 'evil'), real: outside.workspace.cwd },
    ]);
  });

  it('has a small schema', () => {
    const { name, description, input } = globTool;
    expect(JSON.stringify({ name, description, input_schema: input.json }).length).toBeLessThanOrEqual(400);
  });
});
