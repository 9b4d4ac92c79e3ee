import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promptRows } from '@robota-sdk/agent-sdk/front-end';
import { extractCommands, literalOf } from '@robota-sdk/agent-shell';
import * as parser from 'unbash';
import { expect, it } from 'vitest';
import { parseArguments } from '../packages/agent-cli/src/arguments/args.ts';
import { completionTable } from '../packages/agent-cli/src/completion/completion-table.ts';
import { readExec } from '../packages/agent-cli/src/exec/exec-options.ts';
import { llmsText } from '../site/sections.mjs';
import { type Block, documentBlocks } from './docs-blocks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const blocks = documentBlocks();
const { commands } = completionTable();

/** How blocks of commands are run; those from `repository` on only have their calls checked here. */
const marks = new Map([
  ['', 'docs-commands.test.ts runs it with the offline model'],
  ['key', 'docs-commands.test.ts runs it with a model server of its own'],
  ['fleet', 'docs-commands.test.ts runs it around one task'],
  ['task', 'docs-commands.test.ts runs it around a task that failed'],
  ['terminal', 'docs-commands.test.ts runs it in a terminal'],
  ['tour', 'tour.test.ts runs it'],
  ['attach', 'docs-commands.test.ts runs it in a terminal, around one task'],
  ['marketplace', 'docs-commands.test.ts runs it with a repository instead of GitHub'],
  ['install', 'pack.test.ts runs it with a registry on this machine'],
  ['update', 'update.test.ts runs it with a registry on this machine'],
  ['repository', 'it builds or tests this repository, as CI does'],
  [
    'server',
    'it stays until it is stopped; fleet-commands.test.ts and web-command.test.ts start and stop it',
  ],
  ['database', 'it needs a Postgres; the tests of the fleet run such commands'],
  ['network', 'it logs in to a cloud'],
  ['local', 'it needs Ollama or llama.cpp; local-models.test.ts runs it with programs in their place'],
]);
const languages = new Set(
  'sh text ts js json jsonc yaml markdown lua ini sql xnl html css toml dockerfile'.split(' '),
);

it('labels every block, and runs each block of commands or says why it does not', () => {
  expect(where(blocks.filter(({ language }) => !languages.has(language)))).toEqual([]);
  const shell = blocks.filter(({ language }) => language === 'sh');
  expect(where(shell.filter(({ mark }) => !marks.has(mark)))).toEqual([]);
  // Commands in another block would not be found.
  const hidden = blocks.filter(
    ({ language, code }) => language === 'text' && /^(?:robota|npm|npx) /m.test(code),
  );
  expect(where(hidden)).toEqual([]);
  const isChecked = ({ mark }: Block) =>
    ['repository', 'server', 'database', 'network', 'local'].includes(mark);
  expect(shell.filter((block) => !isChecked(block)).length).toBeGreaterThan(60);
});

it('calls only commands and options of the tables, and scripts, packages and files that exist', () => {
  const problems = blocks.flatMap((block) =>
    scriptsOf(block).flatMap((code) =>
      callsOf(code).flatMap((words) =>
        problemsOf(words).map((problem) => `${block.page}:${block.line}: ${words.join(' ')}: ${problem}`),
      ),
    ),
  );
  expect(problems).toEqual([]);
});

it('begins every page with a sentence, which is its summary in llms.txt', () => {
  const names = [...new Set(blocks.map(({ page }) => page))].filter((page) => page.startsWith('docs/'));
  const texts = names.map(
    (page) => [page.slice('docs/'.length), readFileSync(join(root, page), 'utf8')] as const,
  );
  const lines = llmsText(new Map(texts)).match(/^- .*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.filter((line) => !/\.md\): \S/.test(line))).toEqual([]);
});

it('types only slash commands that exist', () => {
  const known = new Set(promptRows.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  // Skills of the page's example.
  known.add('release').add('skill');
  const typed = blocks
    .filter(({ language }) => language === 'text')
    .flatMap(({ page, code }) =>
      [...code.matchAll(/^(?:> )?\/([a-z][\w-]*)/gm)].map(([, name = '']) => ({ page, name })),
    );
  expect(typed.length).toBeGreaterThan(15);
  expect(typed.filter(({ name }) => !known.has(name))).toEqual([]);
});

const where = (found: readonly Block[]) =>
  found.map(({ page, line, language, mark }) => `${page}:${line} ${language} ${mark}`);

/** Commands of a block: all of it, or what stands behind a prompt in a block of text. */
function scriptsOf({ language, code }: Block): readonly string[] {
  if (language === 'sh') return [code];
  return language === 'text' ? [...code.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line) : [];
}

function callsOf(code: string): readonly (readonly string[])[] {
  return extractCommands(code.replaceAll('…', ''), parser).commands.map(({ words }) =>
    words.map((word) => literalOf(word) ?? '…'),
  );
}

function problemsOf([program = '', ...words]: readonly string[]): readonly string[] {
  switch (program) {
    case 'robota':
      return problemsOfCall(words);
    case 'npm':
      return problemsOfNpm(words);
    case 'npx':
    case 'node':
      return words
        .filter((word) => /^(?:packages|test|examples|scripts)\//.test(word) && !existsSync(join(root, word)))
        .map((word) => `${word} does not exist`);
    default:
      return [];
  }
}

function problemsOfCall(words: readonly string[]): readonly string[] {
  const command = commands.find(({ name }) => name === words[0]);
  if (!command) {
    try {
      // `exec` has the options of another program.
      if (readExec(words)) return [];
      parseArguments(words);
      return /^[a-z]+$/.test(words[0] ?? '') ? [`${words[0]} is no command`] : [];
    } catch (thrown) {
      return [String(thrown)];
    }
  }
  const own = words.slice(1, words.includes('--') ? words.indexOf('--') : undefined);
  const { subcommands, options } = command;
  const subcommand = subcommands.find(({ name }) => name === own[0]);
  const isUnknown =
    subcommands.length > 0 && !subcommand && /^[a-z]+$/.test(own[0] ?? '') && command.name !== 'help';
  return [
    ...(isUnknown ? [`${command.name} has no ${own[0]}`] : []),
    ...own
      .filter((word) => /^--?[a-z]/.test(word))
      .map((word) => word.replace(/=.*/, ''))
      .filter(
        (word) =>
          !options.some(
            ({ names, of }) =>
              names.includes(word) && (of === undefined || of.includes(subcommand?.name ?? of[0] ?? '')),
          ),
      )
      .map((word) => `${word} is no option of it`),
  ];
}

function problemsOfNpm([verb = '', ...words]: readonly string[]): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const script = verb === 'run' ? words[0] : ['start', 'test'].includes(verb) ? verb : undefined;
  if (script !== undefined && !(script in scripts)) return [`there is no script ${script}`];
  return words
    .filter((word) => word.startsWith('@robota-sdk/'))
    .filter((name) => !existsSync(join(root, name.replace('@robota-sdk', 'packages'), 'package.json')))
    .map((name) => `${name} is no package`);
}
