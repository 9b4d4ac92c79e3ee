import { readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  atomicWrite,
  makeDirectories,
  type Problem,
  parseJson,
  readRegularFile,
  warning,
} from '@robota-sdk/agent-core';
import type { FleetCommand } from '../contract/client.ts';
import { newTaskId } from '../task/task-id.ts';
import { type FleetFiles, privateFolderMode, privateMode } from './fleet-files.ts';
import { isCommand } from './is-command.ts';

/** A file of the inbox: commands of one request, to be carried out together and once. */
export interface InboxFile {
  /** Recorded by the supervisor with the commands, so that a crash before the file is deleted repeats nothing. */
  readonly id: string;
  readonly path: string;
  /** None if the file is damaged. */
  readonly commands: readonly FleetCommand[];
  /** The damage, if the file holds anything but requests. */
  readonly problem?: Problem;
}

const extension = '.jsonl';
/** A thousand large task files are less. */
const largestFile = 256 * 1024 * 1024;

/** Puts commands into the inbox; they are on disk when it returns. */
export async function writeInbox(files: FleetFiles, commands: readonly FleetCommand[]): Promise<string> {
  makeDirectories(files.inbox, privateFolderMode);
  const id = newTaskId();
  const text = commands.map((command) => `${JSON.stringify(command)}\n`).join('');
  await atomicWrite(join(files.inbox, `${id}${extension}`), Buffer.from(text), { mode: privateMode });
  return id;
}

/** The requests in the inbox, oldest first. A file that vanishes meanwhile was carried out. */
export async function readInbox(files: Pick<FleetFiles, 'inbox'>): Promise<readonly InboxFile[]> {
  const found = await requestFilesIn(files.inbox);
  const read = await Promise.all(found.map((name) => readInboxFile(join(files.inbox, name), name)));
  return read.filter((file) => file !== undefined);
}

/** Moves a file out of the inbox that cannot be carried out, so that the others can; gives the problem with its new path. */
export async function moveOutOfInbox(
  files: Pick<FleetFiles, 'damaged'>,
  { path, problem }: Pick<InboxFile, 'path' | 'problem'>,
): Promise<Problem> {
  makeDirectories(files.damaged, privateFolderMode);
  const kept = join(files.damaged, basename(path));
  await rename(path, kept);
  return { ...(problem ?? damage(kept, 'It cannot be carried out.')), source: { file: kept } };
}

/** Requests that are damaged: those of the inbox as it was read, and those that a supervisor has set aside. */
export async function damagedRequests(
  files: Pick<FleetFiles, 'damaged'>,
  inbox: readonly InboxFile[],
): Promise<readonly Problem[]> {
  const waiting = inbox.flatMap(({ problem }) => problem ?? []);
  const aside = await requestFilesIn(files.damaged);
  return [...waiting, ...aside.map((name) => damage(join(files.damaged, name), 'It was set aside.'))];
}

async function requestFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(extension) && !name.startsWith('.')).toSorted();
}

async function readInboxFile(path: string, name: string): Promise<InboxFile | undefined> {
  const id = name.slice(0, -extension.length);
  let text: string;
  try {
    text = (await readRegularFile(path, { largest: largestFile })).toString('utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return { id, path, commands: [], problem: damage(path, 'It cannot be read.') };
  }
  const commands = commandsIn(text);
  if (commands) return { id, path, commands };
  return { id, path, commands: [], problem: damage(path, 'It holds something other than requests.') };
}

/** The commands of a file; undefined if a line is none. Files get into the inbox whole, so something else damaged it. */
function commandsIn(text: string): readonly FleetCommand[] | undefined {
  const values: readonly unknown[] = text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson);
  return values.every(isCommand) ? values : undefined;
}

function damage(file: string, reason: string): Problem {
  return warning('fleet.damaged-request', `The request to the fleet is ignored. ${reason}`, {
    source: { file },
    hint: 'Repeat the command, then remove the file.',
  });
}
