import { dirname, join } from 'node:path';
import { isMissing } from './is-missing.ts';

/** The nearest directory, from this one upwards, that holds a git repository. */
export function repositoryOf(directory: string): string | undefined {
  if (!isMissing(join(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : repositoryOf(parent);
}
