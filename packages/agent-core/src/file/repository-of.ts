import { dirname } from 'node:path';
import { isMissing } from './is-missing.ts';
import { childPath } from './walk-path.ts';

/** Finds the nearest directory with a git repository, from this one upwards. */
export function repositoryOf(directory: string): string | undefined {
  if (!isMissing(childPath(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : repositoryOf(parent);
}
