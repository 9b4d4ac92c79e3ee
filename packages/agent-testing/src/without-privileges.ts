import { execFileSync } from 'node:child_process';

const nobody = 65534;

/**
 * Runs work as a user who is subject to file permissions. Root may read and write everything, so a root process
 * temporarily becomes another user, who owns the directory.
 */
export async function withoutPrivileges<T>(directory: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  execFileSync('chown', ['-R', `${nobody}:${nobody}`, directory]);
  process.setegid?.(nobody);
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
