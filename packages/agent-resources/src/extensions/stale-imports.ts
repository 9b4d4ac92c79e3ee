import { stat } from 'node:fs/promises';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { type Problem, warning } from '@robota-sdk/agent-core';
import type { LoadedConfig } from '../source/loaded-config.ts';
import { extensionFiles } from './extension-files.ts';
import { findExtensions } from './find-extensions.ts';

/** Reports imported files of extensions that changed since a time: Node reads such a file only once. */
export async function staleImports(
  { cwd, host, config }: { cwd: string; host: HostEnvironment; config: LoadedConfig },
  since: Date,
): Promise<Problem[]> {
  const places = { cwd, host, plugins: config.plugins };
  const { extensions } = await findExtensions(places, config.extensionPackages);
  const entries = new Set(extensions.map(({ path }) => path));
  const files = extensions.flatMap((found) => extensionFiles(found).files);
  const imported = [...new Set(files)].filter((file) => /\.m?[jt]s$/.test(file) && !entries.has(file));
  const changed = await Promise.all(
    imported.map(async (file) => ((await changedAt(file)) > since.getTime() ? [file] : [])),
  );
  const message = 'The file changed, but an imported module is read only once.';
  const hint = 'Restart to use it.';
  return changed
    .flat()
    .map((file) => warning('extension.stale-import', message, { source: { file }, hint, isInactive: true }));
}

async function changedAt(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return Math.floor(found?.mtimeMs ?? 0);
}
