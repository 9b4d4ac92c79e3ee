import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { layerCandidates, type SettingsContext } from '@robota-sdk/agent-config';
import { isMissing } from '@robota-sdk/agent-core';

const settleMs = 100;

export type StopWatching = () => void;

/**
 * Calls back when a settings file was written, created or removed. Folders are watched, because files are replaced; if
 * a folder is missing, its parent is watched instead. The watchers do not keep the process alive.
 */
export function watchSettings(place: SettingsContext, onChange: () => void): StopWatching {
  const files = layerCandidates('settings', place).map(({ source }) => source);
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      arm();
      onChange();
    }, settleMs).unref();
  };
  const follow = (folder: string, names: ReadonlySet<string>) => {
    if (watchers.has(folder) || isMissing(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) settle();
      });
      // A deleted folder ends its watcher; it is looked for again with the next change.
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    } catch {
      // Without a watcher, settings are still read when the next session starts.
    }
  };
  const arm = () => {
    for (const folder of folders) {
      follow(folder, new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file))));
      follow(dirname(folder), new Set([basename(folder)]));
    }
  };
  arm();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}
