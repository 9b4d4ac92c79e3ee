import { createHash } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { atomicWrite, flag, list, object, parseJson, type Shape, shape, text } from '@robota-sdk/agent-core';
import type { FleetCommand } from '../contract/client.ts';
import { newTaskId } from '../task/task-id.ts';
import { type FleetFiles, privateFolderMode, privateMode } from './fleet-files.ts';
import { writeInbox } from './inbox.ts';

/** The claim of a key. */
interface Claim {
  /** The submission that made it. */
  readonly owner?: string | undefined;
  /** The commands that are still to be put into the inbox, if any. */
  readonly commands?: readonly FleetCommand[];
  /** Claims that the submission needs as well before its commands may be put there. */
  readonly others?: readonly string[];
  readonly isSubmitted?: boolean;
}

/** Keys are remembered for so long. */
const keptMs = 30 * 86_400_000;

/**
 * Submits commands at most once for each of their keys, also after a crash at any point: a claim holds the commands until
 * they are in the inbox, and the supervisor ignores a task whose id it knows.
 */
export async function submitOnce(
  files: FleetFiles,
  keys: readonly string[],
  commands: readonly FleetCommand[],
): Promise<boolean> {
  const folder = claimsOf(files);
  await mkdir(folder, { recursive: true, mode: privateFolderMode });
  const [first = '', ...others] = keys.map(nameOf);
  const path = join(folder, first);
  const isFirst = await claim(path, { owner: newTaskId(), commands, others });
  const isSubmitted = await finish(files, path);
  return isFirst && isSubmitted;
}

/** Submits what a killed process had claimed only, and forgets old keys. */
export async function resumeClaims(files: FleetFiles): Promise<void> {
  const folder = claimsOf(files);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    await (Date.now() - mtimeMs > keptMs ? rm(path, { force: true }) : finish(files, path));
  }
}

function claimsOf({ directory }: FleetFiles): string {
  return join(directory, 'deliveries');
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Creates a file with its whole content, durably; false if it exists. */
async function claim(path: string, content: Claim): Promise<boolean> {
  const temporary = join(path, '..', `.${newTaskId()}.tmp`);
  const file = await open(temporary, 'wx', privateMode);
  try {
    await file.writeFile(JSON.stringify(content));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(temporary, path);
    await syncFolder(join(path, '..'));
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Puts the commands of a claim into the inbox, for the submission that made it or instead of it; true if they got there. If
 * another submission has one of the other keys, they never do.
 */
async function finish(files: FleetFiles, path: string): Promise<boolean> {
  const { owner, commands, others = [], isSubmitted = false } = await readClaim(path);
  if (!commands) return isSubmitted;
  for (const other of others.map((name) => join(path, '..', name))) {
    if ((await claim(other, { owner })) || (await readClaim(other)).owner === owner) continue;
    await settle(path, { owner });
    return false;
  }
  await writeInbox(files, commands);
  await settle(path, { owner, isSubmitted: true });
  return true;
}

async function settle(path: string, content: Claim): Promise<void> {
  await atomicWrite(path, Buffer.from(JSON.stringify(content)), { mode: privateMode });
}

async function readClaim(path: string): Promise<Claim> {
  return claimShape.parse(parseJson(await readFile(path, 'utf8').catch(() => ''))) ?? {};
}

/** The reader of the inbox judges the commands and reports those that it does not know. */
const claimShape: Shape<Claim> = object(
  {},
  {
    owner: text,
    commands: list(shape<FleetCommand>({ type: 'object' })),
    others: list(text),
    isSubmitted: flag,
  },
);

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  // Not every file system can sync a directory.
  await handle.sync().catch(() => {});
  await handle.close();
}
