import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';

/** A glob, split into the directory to search and the pattern below it. */
export interface GlobPlan {
  /** As requested: absolute, or relative to the working directory. */
  readonly directory: string;
  /** The glob for paths relative to the directory. */
  readonly rest: string;
  /** The part of `rest` that every matching file name must match, if there is one. */
  readonly nameGlob?: string;
  /** Maximum depth of files, if the glob limits it; 1 is the directory itself. */
  readonly maxDepth?: number;
  /** True if `nameGlob` and the directory are sufficient, so that paths need not be compared with `rest`. */
  readonly isNameOnly: boolean;
}

export interface GlobQuestion {
  readonly pattern: string;
  /** The directory the pattern starts from. */
  readonly path: string | undefined;
  readonly cwd: string;
}

/**
 * Finds the directory that a glob names before its first wildcard. Names such as `[id]` are literal if they exist. A
 * pattern without wildcards that names a directory means everything in it.
 */
export async function planGlob({ pattern, path = '.', cwd }: GlobQuestion): Promise<GlobPlan> {
  const names = splitGlob(pattern.endsWith('/') && pattern !== '/' ? `${pattern}**` : pattern);
  let directory = isAbsolute(pattern) ? '/' : path;
  let index = 0;
  for (; index < names.length - 1; index += 1) {
    const name = names[index] ?? '';
    if (!isPlain(name) && !(await isLiteralName(name, resolve(cwd, directory)))) break;
    directory = join(directory, name);
  }
  const rest = names.slice(index);
  const [last = ''] = rest;
  const isFile = rest.length === 1 && (isPlain(last) || (await isLiteralName(last, resolve(cwd, directory))));
  if (!isFile) return { directory, ...describeRest(rest) };
  const found = await stat(resolve(cwd, directory, last)).catch(() => undefined);
  if (found?.isDirectory()) return { directory: join(directory, last), ...describeRest(['**']) };
  return { directory, ...describeRest([quoteGlob(last)]) };
}

function describeRest(names: readonly string[]): Omit<GlobPlan, 'directory'> {
  const rest = names.join('/');
  const last = names.at(-1) ?? '**';
  const isSimple = names.every((name) => !name.includes('/'));
  const isDeep = !isSimple || names.some((name) => name.includes('**'));
  const nameGlob = isSimple && !last.includes('**') ? last : undefined;
  return {
    rest,
    ...(nameGlob === undefined ? {} : { nameGlob }),
    ...(isDeep ? {} : { maxDepth: names.length }),
    isNameOnly: rest === '**' || (names.length === 2 && names[0] === '**' && nameGlob !== undefined),
  };
}

/** Splits a glob at slashes, except between braces or after a backslash. */
export function splitGlob(pattern: string): string[] {
  const names: string[] = [''];
  let depth = 0;
  for (const [part] of pattern.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (part === '{') depth += 1;
    if (part === '}') depth -= 1;
    if (part === '/' && depth <= 0) names.push('');
    else names[names.length - 1] += part;
  }
  return names.filter((name) => name !== '' && name !== '.');
}

function isPlain(name: string): boolean {
  return !/[*?[\]{}\\]/.test(name);
}

async function isLiteralName(name: string, directory: string): Promise<boolean> {
  if (/[*?\\]/.test(name)) return false;
  return stat(join(directory, name)).then(
    () => true,
    () => false,
  );
}

function quoteGlob(name: string): string {
  return name.replace(/[*?[\]{}\\]/g, '\\$&');
}
