import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { orElse, repositoryOf } from '@robota-sdk/agent-core';
import { expandBraces, expandPattern, isPattern } from './expand-word.ts';
import {
  hasPackageRunner,
  installedFiles,
  moduleFiles,
  programFiles,
  recipeFiles,
  runsListed,
} from './program-files.ts';
import type { TrustDraft } from './trust-item.ts';

/** Names for the directory in which commands begin. */
const projectNames = ['CLAUDE_PROJECT_DIR', 'ROBOTA_PROJECT_DIR', 'PROJECT_DIR', 'PWD'];

/**
 * The files of the repository around a directory that a command line names, such as the script it starts: also without
 * its ending, as a folder, module or pattern, by a variable that is known or that the line itself sets, and from a directory
 * that it changes to; and the files in which the programs it starts look up what to run. What those run in turn is not seen.
 */
export function referencedFiles(
  command: string,
  directory: string,
  variables: Readonly<Record<string, string>> = {},
): readonly string[] {
  return followed(command, directory, variables).files;
}

interface Followed {
  readonly files: readonly string[];
  /** Something of the line can only be told by the shell. */
  readonly isPartial: boolean;
}

function followed(
  command: string,
  directory: string,
  variables: Readonly<Record<string, string>> = {},
): Followed {
  const known = { ...Object.fromEntries(projectNames.map((name) => [name, directory])), ...variables };
  const text = filled(filled(command, { ...known, ...assignedIn(command) }), known);
  const start = realOf(directory) ?? directory;
  const root = `${repositoryOf(start) ?? start}${sep}`;
  const words = wordsOf(text);
  const found = new Set<string>();
  const filesOf = hasPackageRunner(words.all) ? filesOrInstalled : filesFor;
  let isPartial = words.isPartial || [...words.all].some(runsListed) || /\$[\w{(@*#?!]|`/.test(text);
  for (const base of basesOf(text, directory))
    for (const word of words.all) {
      const files = filesOf(word, base);
      if (files === undefined) isPartial = true;
      for (const file of files ?? []) {
        const real = realOf(file);
        if (real?.startsWith(root)) found.add(real);
      }
    }
  return { files: [...found], isPartial };
}

/** The files that a word may stand for in a directory; nothing where they are too many to tell. */
function filesFor(word: string, base: string): readonly string[] | undefined {
  const attached = /^-\w/.test(word) && /[./]/.test(word.slice(2)) ? word.slice(2) : undefined;
  const names = attached === undefined ? [word] : [word, attached];
  const paths = names.map((name) => (isPattern(name) ? expandPattern(name, base) : [resolve(base, name)]));
  if (paths.some((each) => each === undefined)) return undefined;
  return [
    ...paths.flatMap((each) => each ?? []).flatMap(programFiles),
    ...moduleFiles(word, base),
    ...recipeFiles(word, base),
  ];
}

function filesOrInstalled(word: string, base: string): readonly string[] | undefined {
  const files = filesFor(word, base);
  return files && [...files, ...installedFiles(word, base)];
}

/** A user cannot judge a longer command, nor one that goes through more directories. */
const limits = { length: 20_000, directories: 40, lookups: 4_000 };

/** The scripts that a command line names, for its trust item. */
export function scriptsOf(
  command: string,
  directory: string,
  variables?: Readonly<Record<string, string>>,
): Pick<TrustDraft, 'files' | 'refusal' | 'isPartlyFollowed'> {
  const directories = [...command.matchAll(changing)].length;
  const words = command.split(/\s+/).length;
  if (
    command.length > limits.length ||
    directories > limits.directories ||
    words * (directories * 2 + 1) > limits.lookups
  )
    return { refusal: 'the command is too long to tell what it runs' };
  return {
    files: () => referencedFiles(command, directory, variables),
    isPartlyFollowed: () => followed(command, directory, variables).isPartial,
  };
}

function filled(command: string, variables: Readonly<Record<string, string>>): string {
  return command.replace(/\$(?:\{(\w+)\}|(\w+))/g, (all, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : all;
  });
}

/** A word of the shell, in quotes or without. */
const word = String.raw`"([^"]*)"|'([^']*)'|([^\s;|&<>()]*)`;

/** Variables that a line sets itself, as in `D=tools; sh $D/run.sh`. */
function assignedIn(command: string): Record<string, string> {
  const found = command.matchAll(new RegExp(String.raw`(?<![\w$])([A-Za-z_]\w*)=(?:${word})`, 'g'));
  return Object.fromEntries([...found].map(([, name = '', ...values]) => [name, first(values)]));
}

const changing = new RegExp(
  String.raw`(?<![\w./-])(?:(?:cd|pushd)\s+(?:-\S*\s+)*|(?:-C|--prefix|--cwd|--directory)[\s=]+)(?:${word})`,
  'g',
);

/** The directories in which parts of a line may run, each taken from the one before it and from the start. */
function basesOf(text: string, directory: string): ReadonlySet<string> {
  const bases = new Set([directory]);
  let current = directory;
  for (const [, ...values] of text.matchAll(changing)) {
    const target = withoutEscapes(first(values));
    if (target.includes('\0')) continue;
    bases.add(resolve(directory, target));
    current = resolve(current, target);
    bases.add(current);
  }
  return bases;
}

function wordsOf(text: string): { readonly all: ReadonlySet<string>; readonly isPartial: boolean } {
  const quoted = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, ...values]) => first(values));
  const plain = withoutEscapes(text);
  // Braces hold commas, which otherwise part the words of an option.
  const braced = plain
    .split(/[\s;|&<>()`=]+/)
    .filter((each) => each.indexOf('}', each.indexOf('{')) > each.indexOf('{') && each.includes('{'));
  const expanded = braced.map(expandBraces);
  // A word in quotes may itself be a command line, as for `sh -c`.
  const words = [...quoted, ...expanded.flatMap((each) => each ?? []), ...plain.split(/[\s;|&<>()`=,]+/)];
  return {
    all: new Set(words.filter((each) => each !== '' && !each.includes('\0'))),
    isPartial: expanded.includes(undefined),
  };
}

function withoutEscapes(text: string): string {
  return text.replace(/["'\\]/g, '');
}

function first(values: readonly (string | undefined)[]): string {
  return values.find((value) => typeof value === 'string') ?? '';
}

function realOf(path: string): string | undefined {
  return orElse(() => realpathSync(path), undefined);
}
