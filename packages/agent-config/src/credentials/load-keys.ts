import { join } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import { isMissing } from '../file/is-missing.ts';
import { dialects, type HostEnvironment, userFolder } from '../host/dialects.ts';
import { loadStoredKeys, type StoredKeys } from './credentials.ts';

/** The keys that are kept in files, ours before those of other tools, and the file of each. */
export interface KeptKeys {
  readonly storedKeys: StoredKeys;
  readonly keyFiles: Readonly<Record<string, string>>;
}

/** Reads the files with keys of all tools; one of another tool that can't be used is said and costs only itself. */
export async function loadKeys(host: HostEnvironment, warnings: string[]): Promise<KeptKeys> {
  const files = userFiles('credentials', host);
  const read = await Promise.all(
    files.map(({ path, isOurs }) => (isOurs ? loadStoredKeys(path, warnings) : foreignKeys(path, warnings))),
  );
  const weakestFirst = read.map((keys, index) => ({ keys, path: files[index]?.path ?? '' })).reverse();
  return {
    storedKeys: Object.assign({}, ...weakestFirst.map(({ keys }) => keys)),
    keyFiles: Object.assign(
      {},
      ...weakestFirst.map(({ keys, path }) =>
        Object.fromEntries(Object.keys(keys).map((vendor) => [vendor, path])),
      ),
    ),
  };
}

/** The files of one kind in the user's folders that are there, the strongest first. */
export function userFiles(
  kind: 'credentials' | 'models',
  host: HostEnvironment,
): { readonly path: string; readonly isOurs: boolean }[] {
  return dialects.flatMap((dialect) => {
    const file = dialect[kind];
    const path = file === undefined ? undefined : join(userFolder(dialect, host), file);
    if (path === undefined || isMissing(path)) return [];
    return [{ path, isOurs: dialect.name === 'robota' }];
  });
}

async function foreignKeys(path: string, warnings: string[]): Promise<StoredKeys> {
  return loadStoredKeys(path).catch((thrown: unknown) => {
    warnings.push(`${errorMessage(thrown)} Its keys are not used.`);
    return {};
  });
}
