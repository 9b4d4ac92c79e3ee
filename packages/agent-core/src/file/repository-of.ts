import { dirname } from 'node:path';
import { isMissing } from './is-missing.ts';
import { childPath } from './walk-path.ts';

/** The nearest directory, from this one upwards, that holds a git repository. */
export function repositoryOf(directory: string): string | undefined {
  if (!isMissing(childPath(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : repositoryOf(parent);
}
