import { realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { repositoryOf } from '../context/repository-of.ts';
import type { TrustDraft } from './trust-item.ts';

/** Names for the directory in which commands begin. */
const projectNames = ['CLAUDE_PROJECT_DIR', 'ROBOTA_PROJECT_DIR', 'PROJECT_DIR', 'PWD'];

/**
 * The files of the repository around a directory that a command line names, such as the script it starts: also by a
 * variable that is known or that the line itself sets, and from a directory that it changes to. What those files run in
 * turn is not seen.
 */
export function referencedFiles(
  command: string,
  directory: string,
  variables: Readonly<Record<string, string>> = {},
): readonly string[] {
  const known = { ...Object.fromEntries(projectNames.map((name) => [name, directory])), ...variables };
  const text = filled(filled(command, { ...known, ...assignedIn(command) }), known);
  const start = realOf(directory) ?? directory;
  const root = `${repositoryOf(start) ?? start}${sep}`;
  const found = new Set<string>();
  for (const base of basesOf(text, directory))
    for (const word of wordsOf(text)) {
      const file = fileAt(resolve(base, word));
      if (file?.startsWith(root)) found.add(file);
    }
  return [...found];
}

/** Nobody reads a longer command, nor one that goes through more directories. */
const limits = { length: 20_000, directories: 40 };

/** What the scripts that a command line names mean for agreeing to it. */
export function scriptsOf(
  command: string,
  directory: string,
  variables?: Readonly<Record<string, string>>,
): Pick<TrustDraft, 'files' | 'refusal'> {
  const directories = [...command.matchAll(changing)].length;
  if (command.length > limits.length || directories > limits.directories)
    return { refusal: 'the command is too long to tell what it runs' };
  return { files: () => referencedFiles(command, directory, variables) };
}

function filled(command: string, variables: Readonly<Record<string, string>>): string {
  return command.replace(/\$(?:\{(\w+)\}|(\w+))/g, (all, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : all;
  });
}

/** A word of the shell, in quotes or without. */
const word = String.raw`"([^"]*)"|'([^']*)'|([^\s;|&<>()]*)`;

/** What a line sets itself, as in `D=tools; sh $D/run.sh`. */
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

function wordsOf(text: string): ReadonlySet<string> {
  const quoted = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, ...values]) => first(values));
  // A word in quotes may itself be a command line, as for `sh -c`.
  const words = [...quoted, ...withoutEscapes(text).split(/[\s;|&<>()`=,]+/)];
  return new Set(words.filter((each) => each !== '' && !each.includes('\0')));
}

function withoutEscapes(text: string): string {
  return text.replace(/["'\\]/g, '');
}

function first(values: readonly (string | undefined)[]): string {
  return values.find((value) => typeof value === 'string') ?? '';
}

function fileAt(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? realOf(path) : undefined;
  } catch {
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
