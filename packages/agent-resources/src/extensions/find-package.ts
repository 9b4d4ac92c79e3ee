import { dirname, join } from 'node:path';
import { isMissing } from '@robota-sdk/agent-core';

/** The folder of an installed package, searched like Node does: in each base, then its parents. */
export function findPackage(name: string, bases: readonly string[]): string | undefined {
  if (!isPackageName(name)) return undefined;
  for (const base of bases)
    for (const directory of upwards(base)) {
      const folder = join(directory, 'node_modules', name);
      if (!isMissing(join(folder, 'package.json'))) return folder;
    }
  return undefined;
}

/** A name that is not a path in disguise. */
function isPackageName(name: string): boolean {
  return /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i.test(name);
}

function upwards(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...upwards(parent)];
}
