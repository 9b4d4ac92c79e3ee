import { execFile } from 'node:child_process';
import { constants, lstatSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, helperEnvironment } from '@robota-sdk/agent-core';

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** Relative paths of files and directories. */
  readonly entries: readonly string[];
  /** `make`: also makes directories above an entry. `require`: leaves out entries whose directory is missing or a link. */
  readonly parents: 'make' | 'require';
  readonly signal: AbortSignal;
}

/**
 * Copies entries with times, modes and links. Blocks are shared where the file system can (copy on write), but never files:
 * with a hard link, a change of one copy would change all others.
 */
export async function copyEntries({ from, to, entries, parents, signal }: CopyRequest): Promise<void> {
  for (const entry of entries) {
    signal.throwIfAborted();
    const target = join(to, entry);
    if (parents === 'make') await mkdir(dirname(target), { recursive: true });
    else if (!isPlainDirectory(to, dirname(entry))) continue;
    await copyOne(join(from, entry), target, signal);
  }
}

/** True if every directory on the way is one, and no link that leads elsewhere. */
function isPlainDirectory(root: string, path: string): boolean {
  if (path === '.') return true;
  const parts = path.split('/');
  return parts.every((_, index) => {
    const stat = lstatSync(join(root, ...parts.slice(0, index + 1)), { throwIfNoEntry: false });
    return stat?.isDirectory() === true;
  });
}

const run = promisify(execFile);

async function copyOne(source: string, target: string, signal: AbortSignal): Promise<void> {
  const program =
    process.platform === 'linux' ? findProgram('cp', { before: ['/usr/bin', '/bin'] }) : undefined;
  if (program !== undefined) {
    try {
      await run(program, ['-a', '--reflink=auto', '-T', '--', source, target], {
        signal,
        env: helperEnvironment(),
      });
      return;
    } catch (thrown) {
      signal.throwIfAborted();
      // Small systems have a `cp` without these options.
      if (!/unrecognized option|invalid option/.test(String((thrown as { stderr?: unknown }).stderr)))
        throw thrown;
    }
  }
  const mode = constants.COPYFILE_FICLONE;
  await cp(source, target, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode });
}
