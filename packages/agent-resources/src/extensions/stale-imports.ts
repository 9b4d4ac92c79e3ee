import { stat } from 'node:fs/promises';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import type { LoadedConfig } from '../source/loaded-config.ts';
import { extensionFiles } from './extension-files.ts';
import { findExtensions } from './find-extensions.ts';

/** Names the files that extensions import and that changed since a time: Node reads such a file once and keeps it. */
export async function staleImports(
  { cwd, host, config }: { cwd: string; host: HostEnvironment; config: LoadedConfig },
  since: Date,
): Promise<string[]> {
  const places = { cwd, host, plugins: config.plugins };
  const { extensions } = await findExtensions(places, config.extensionPackages);
  const entries = new Set(extensions.map(({ path }) => path));
  const files = extensions.flatMap((found) => extensionFiles(found).files);
  const imported = [...new Set(files)].filter((file) => /\.m?[jt]s$/.test(file) && !entries.has(file));
  const changed = await Promise.all(
    imported.map(async (file) => ((await changedAt(file)) > since.getTime() ? [file] : [])),
  );
  return changed
    .flat()
    .map(
      (file) => `${file} changed, but a module that another one imports is read once: start again to use it.`,
    );
}

async function changedAt(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return Math.floor(found?.mtimeMs ?? 0);
}
