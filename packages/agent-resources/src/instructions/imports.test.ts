import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProblems } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadContext } from './load-context.ts';

async function textsOf(cwd: string, host: Parameters<typeof loadContext>[1]) {
  const { instructions, problems } = await loadContext(cwd, host);
  const warnings = describeProblems(problems ?? []);
  return { texts: instructions.map(({ text }) => text.split('\n')[0]), warnings };
}

describe('files that instructions import', () => {
  it('stand behind the file that imports them, with paths of their own, each once', async () => {
    proves('R-44');
    const { cwd, host, put } = await makeTestProject();
    await put('CLAUDE.md', 'main\n@docs/style.md\nand @docs/style.md again, see @docs/more.md.');
    await put('docs/style.md', 'style\n@more.md\n@../CLAUDE.md');
    await put('docs/more.md', 'more');
    const { instructions, problems } = await loadContext(cwd, { host });
    const warnings = describeProblems(problems ?? []);
    expect(instructions.map(({ path }) => path)).toEqual(
      ['CLAUDE.md', 'docs/style.md', 'docs/more.md'].map((name) => join(cwd, name)),
    );
    expect(warnings).toEqual([]);
  });

  it('go five files deep, and the sixth is named', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('AGENTS.md', 'zero\n@1.md');
    for (let depth = 1; depth <= 7; depth++) await put(`${depth}.md`, `depth ${depth}\n@${depth + 1}.md`);
    const { texts, warnings } = await textsOf(cwd, { host });
    expect(texts).toEqual(['zero', 'depth 1', 'depth 2', 'depth 3', 'depth 4', 'depth 5']);
    expect(warnings).toEqual([expect.stringContaining('5 files deep')]);
  });

  it('of a repository never leave it, nor hold secrets; the user may import from anywhere', async () => {
    const { cwd, home, host, put } = await makeTestProject();
    await put('.git/HEAD', '');
    await put('~/outside.md', 'outside');
    await put('.env', 'KEY=1');
    await put('sub/deploy.key', 'KEY=2');
    await symlink(join(home, 'outside.md'), join(cwd, 'link.md'));
    await put('inside.md', 'inside');
    await put(
      'sub/CLAUDE.md',
      'main\n@~/outside.md\n@../link.md\n@../../home/outside.md\n@../.env\n@deploy.key\n@../inside.md',
    );
    const refused = await textsOf(join(cwd, 'sub'), { host });
    expect(refused.texts).toEqual(['main', 'inside']);
    expect(refused.warnings).toHaveLength(5);
    expect(refused.warnings.filter((warning) => warning.includes('its own files only'))).toHaveLength(3);
    expect(refused.warnings.filter((warning) => warning.includes('may hold secrets'))).toHaveLength(2);
    await put('~/.claude/CLAUDE.md', 'mine\n@~/outside.md');
    expect((await textsOf(join(cwd, 'sub'), { host })).texts).toEqual(['mine', 'outside', 'main', 'inside']);
  });

  it('that are not there are named where nothing else can have been meant', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('AGENTS.md', 'hello @ann, use @types/node\n@gone.md');
    const { texts, warnings } = await textsOf(cwd, { host });
    expect(texts).toEqual(['hello @ann, use @types/node']);
    expect(warnings).toEqual([expect.stringMatching(/AGENTS\.md: The import gone\.md is missing/)]);
  });
});

describe('the names of instruction files', () => {
  it('those of each dialect stand in one order in every directory', async () => {
    proves('R-44', 'P-43');
    const { cwd, host, put } = await makeTestProject();
    for (const name of ['CLAUDE.local.md', '.claude/CLAUDE.md', 'CLAUDE.md', 'AGENTS.md'])
      await put(name, name);
    expect((await textsOf(cwd, { host })).texts).toEqual([
      'AGENTS.md',
      'CLAUDE.md',
      '.claude/CLAUDE.md',
      'CLAUDE.local.md',
    ]);
  });

  it('AGENTS.override.md replaces the AGENTS.md beside it only', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('AGENTS.md', 'above');
    await put('sub/AGENTS.md', 'replaced');
    await put('sub/AGENTS.override.md', 'override');
    expect((await textsOf(join(cwd, 'sub'), { host })).texts).toEqual(['above', 'override']);
  });

  it('rules join at once, except those for certain files', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('.claude/rules/style.md', 'Use tabs.');
    await put(
      '.claude/rules/deep/api.md',
      '---\npaths: "src/api/**/*.{ts,tsx}, *.sql"\n---\nValidate input.',
    );
    await put('~/.claude/rules/mine.md', '---\npaths:\n  - "**/*.md"\n---\nShort lines.');
    const { instructions, rules } = await loadContext(cwd, { host });
    expect(instructions.map(({ text }) => text)).toEqual(['Use tabs.']);
    const matching = (path: string) => rules?.filter((rule) => rule.matches(path)).map(({ text }) => text);
    expect(matching('src/api/v1/users.ts')).toEqual(['Validate input.']);
    expect(matching('db/schema.sql')).toEqual(['Validate input.']);
    expect(matching('README.md')).toEqual(['Short lines.']);
    expect(matching('src/index.ts')).toEqual([]);
  });

  it('rules with a field that cannot be used apply to all files, with a warning', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('.claude/rules/a.md', '---\npaths: 5\n---\nUse tabs.');
    await put('.claude/rules/b.md', '---\npath: "*.ts"\ndescription: x\n---\nUse semicolons.');
    const { instructions, problems } = await loadContext(cwd, { host });
    expect(instructions.map(({ text }) => text)).toEqual(['Use tabs.', 'Use semicolons.']);
    expect(describeProblems(problems ?? [])).toEqual([
      expect.stringMatching(/a\.md:2: .*"?paths"?.* expected a list or a string, got 5/),
      expect.stringMatching(/b\.md:2: .*"path".*Did you mean "paths"\?/),
    ]);
  });
});
