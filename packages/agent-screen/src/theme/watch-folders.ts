import { type FSWatcher, watch } from 'node:fs';

/** Editors write a file in several steps; what is read in between would be half of it. */
const calmMs = 60;

/** Tells when something in some folders has changed and is calm again. Folders that don't exist are not watched. */
export function watchFolders(folders: readonly string[], onChange: () => void): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, calmMs);
  };
  const watchers = folders.flatMap((folder) => watched(folder, later));
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function watched(folder: string, listener: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, listener);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
