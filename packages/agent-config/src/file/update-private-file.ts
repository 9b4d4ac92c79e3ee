import { constants } from 'node:fs';
import { chmod, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  AgentError,
  acquireLock,
  atomicWrite,
  diskAdvice,
  endSentence,
  errorMessage,
  makeDirectories,
} from '@robota-sdk/agent-core';

const lockAttempts = 100;
const lockPauseMs = 50;

/**
 * Changes a private file of the user: atomically, under a lock, mode 0600 in a directory with mode 0700. A
 * link in its place is refused, since it would send the content elsewhere.
 */
export async function updatePrivateFile(
  path: string,
  change: (before: string | undefined) => string | Promise<string>,
): Promise<void> {
  await makePrivateDirectory(dirname(path));
  await changeLocked(path, change, { mode: 0o600 });
}

/** The same for a file shared by a project, with normal modes. */
export async function updateProjectFile(
  path: string,
  change: (before: string | undefined) => string | Promise<string>,
): Promise<void> {
  try {
    makeDirectories(dirname(path));
  } catch (thrown) {
    throw unwritable(dirname(path), thrown);
  }
  await changeLocked(path, change, {});
}

async function changeLocked(
  path: string,
  change: (before: string | undefined) => string | Promise<string>,
  options: { readonly mode?: number },
): Promise<void> {
  const release = await waitForLock(path);
  try {
    const before = await readWithoutLinks(path);
    const after = await change(before);
    await atomicWrite(path, Buffer.from(after), options);
  } finally {
    release();
  }
}

/** Our own directory may have been made by something that knows nothing of keys. */
async function makePrivateDirectory(directory: string): Promise<void> {
  try {
    makeDirectories(directory, 0o700);
    if (process.platform === 'win32') return;
    const { mode, uid } = await stat(directory);
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(directory, 0o700);
  } catch (thrown) {
    throw unwritable(directory, thrown);
  }
}

async function waitForLock(path: string): Promise<() => void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return acquireLock(path);
    } catch (thrown) {
      if (!AgentError.is(thrown)) throw unwritable(path, thrown);
      if (attempt === lockAttempts) {
        const advice = `Try again; if nothing is using it, delete ${path}.lock.`;
        throw new AgentError('config', `${path} is being changed by another process. ${advice}`);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
  }
}

async function readWithoutLinks(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await handle.readFile('utf8').finally(() => handle.close());
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'ELOOP') throw unwritable(path, thrown);
    const advice = 'Put a file in its place and try again.';
    throw new AgentError(
      'config',
      `${path} is a link, and nothing private is written through one. ${advice}`,
    );
  }
}

function unwritable(path: string, thrown: unknown): AgentError {
  const isReadOnly = (thrown as NodeJS.ErrnoException).code === 'EROFS';
  const why = isReadOnly ? '.' : `: ${endSentence(errorMessage(thrown))}`;
  return new AgentError('config', `${path} cannot be written${why} ${diskAdvice(thrown, path)}`, {
    cause: thrown,
  });
}
