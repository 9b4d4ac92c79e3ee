import { realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { repositoryOf } from '../context/repository-of.ts';

const projectDirectory =
  /\$(?:\{(?:CLAUDE_PROJECT_DIR|ROBOTA_PROJECT_DIR|PWD)\}|(?:CLAUDE_PROJECT_DIR|ROBOTA_PROJECT_DIR|PWD)\b)/g;

/** More files than this are no list of scripts. */
const maximum = 64;

/**
 * The files of the repository around a directory that a command line names, such as the script it starts. What those
 * files run in turn is not seen.
 */
export function referencedFiles(command: string, directory: string): readonly string[] {
  const text = command.replace(projectDirectory, () => directory);
  const quoted = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(
    ([, double, single]) => double ?? single ?? '',
  );
  const words = text.replace(/["'\\]/g, '').split(/[\s;|&<>()`=,]+/);
  const start = realOf(directory) ?? directory;
  const root = `${repositoryOf(start) ?? start}${sep}`;
  const found = new Set<string>();
  for (const word of [...quoted, ...words]) {
    const file = word === '' || word.includes('\0') ? undefined : fileAt(resolve(directory, word));
    if (file?.startsWith(root) && found.size < maximum) found.add(file);
  }
  return [...found];
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
