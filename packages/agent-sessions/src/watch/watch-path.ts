import { type FSWatcher, statfsSync, statSync, watch } from 'node:fs';

/** Polling interval if the system may not report changes. */
const lookMs = 1000;
/**
 * Linux reports every change in ext2 to ext4, btrfs, xfs, tmpfs, overlayfs, zfs and f2fs: no other machine writes to
 * them.
 */
const localSystems: ReadonlySet<number> = new Set([
  0xef53, 0x9123683e, 0x58465342, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
]);

/**
 * Calls back after changes of a file, or in a folder, until the returned function is called. A replaced file is
 * followed too. Polls only if the system may not report changes, such as on a network file system or while the file is
 * missing. `persistent` keeps the process running.
 */
export function watchPath(path: string, onChange: () => void, { persistent = false } = {}): () => void {
  let stop = () => {};
  const begin = () => {
    const inode = inodeOf(path);
    stop = watchInode(path, { persistent, changed });
    function changed() {
      onChange();
      if (inodeOf(path) === inode) return;
      // The system reports only changes of the original file.
      stop();
      begin();
    }
  };
  begin();
  return () => stop();
}

function watchInode(
  path: string,
  { persistent, changed }: { readonly persistent: boolean; readonly changed: () => void },
): () => void {
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(path, { persistent }, changed);
    watcher.on('error', () => watcher?.close());
  } catch {
    // The system may have no watches left, and some file systems support none.
  }
  const timer = watcher && tellsAll(path) ? undefined : startLooks(path, changed);
  if (!persistent) timer?.unref();
  return () => {
    watcher?.close();
    clearInterval(timer);
  };
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** True if the system reports every change at a path. */
export function tellsAll(path: string): boolean {
  try {
    return process.platform === 'linux' && localSystems.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

function startLooks(path: string, onChange: () => void): NodeJS.Timeout {
  const look = () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  };
  let seen = look();
  return setInterval(() => {
    const now = look();
    const isChanged = now !== seen;
    seen = now;
    if (isChanged) onChange();
  }, lookMs);
}
