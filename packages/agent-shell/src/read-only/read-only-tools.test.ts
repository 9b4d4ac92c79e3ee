import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOnlyCommands } from './read-only-commands.ts';
import { readOnlyGit } from './read-only-git.ts';
import type { ReadOnlySpec } from './read-only-spec.ts';

/** How tools complain about an option that stands last although it takes the next word. */
const complaint =
  /requires? (?:an? |one )?(?:argument|value|parameter)|(?:lacks|missing|needs an|no) argument|missing .*argument|Invalid level/i;
/** How they complain about an option they do not have at all, as another version of the tool may. */
const unknown =
  /unrecognized|unknown|invalid option|illegal option|wasn't expected|not an option|unexpected argument/i;

/** Tools whose options are words, or that are built into the shell. */
const other = new Set(['[', 'find', 'jq', 'npm', 'ps', 'xxd', 'test']);

const single = Object.entries(readOnlyCommands)
  .filter(([name]) => !other.has(name))
  .map(([name, spec]) => ({ title: name, words: name === 'rg' ? ['rg', 'a', '.'] : [name], spec }));
const subcommands = Object.entries(readOnlyGit).map(([name, spec]) => ({
  title: `git ${name}`,
  words: ['git', ...name.split(' ')],
  spec,
}));
const tools = [...single, ...subcommands].filter(({ spec }) => swallowing(spec).length > 0);

describe('options that take the next word', () => {
  let directory = '';

  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'robota-options-'));
    const run = (...words: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: directory });
    run('init', '-q');
    writeFileSync(path.join(directory, 'a'), 'a\n');
    run('add', 'a');
    run('commit', '-qm', 'a');
    writeFileSync(path.join(directory, 'a'), 'b\n');
    run('stash', '-q');
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(tools)('$title takes it as the table says', ({ words, spec }) => {
    proves('E-39', 'R-11');
    const [program = '', ...before] = words;
    if (spawnSync(program, ['--version'], { input: '' }).error !== undefined) return;
    const wrong = swallowing(spec).filter((option) => {
      const run = spawnSync(program, [...before, option], { cwd: directory, input: '', encoding: 'utf8' });
      const said = run.stderr;
      return run.status === 0 || !(complaint.test(said) || unknown.test(said));
    });
    expect(wrong).toEqual([]);
  });
});

function swallowing({ values = '', numbers = '', long = [] }: ReadOnlySpec): string[] {
  return [
    ...[...values, ...numbers].map((letter) => `-${letter}`),
    ...long.filter((name) => /[^[]=$/.test(name)).map((name) => name.slice(0, -1)),
  ];
}
