import { join } from 'node:path';
import { addSentence, isMissing, type Problem, problemOf } from '@robota-sdk/agent-core';
import { dialects, type HostEnvironment, userFolder } from '../host/dialects.ts';
import { type KeptKeys, loadStoredKeys, type StoredKeys } from './credentials.ts';

/** Reads the files with keys of all tools; an unusable one of another tool is reported and skipped. */
export async function loadKeys(host: HostEnvironment, problems: Problem[]): Promise<KeptKeys> {
  const files = userFiles('credentials', host);
  const read = await Promise.all(
    files.map(({ path, isOurs }) => (isOurs ? loadStoredKeys(path, problems) : foreignKeys(path, problems))),
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

async function foreignKeys(path: string, problems: Problem[]): Promise<StoredKeys> {
  return loadStoredKeys(path).catch((thrown: unknown) => {
    const unreadable = { code: 'key.unreadable', severity: 'warning', isInactive: true } as const;
    problems.push(addSentence({ ...problemOf(thrown), ...unreadable }, 'Its keys are not used.'));
    return {};
  });
}
