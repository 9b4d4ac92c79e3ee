import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, atomicWrite, makeDirectories } from '@robota-sdk/agent-core';
import type { FleetCommand } from '../contract/client.ts';
import { newTaskId } from '../task/task-id.ts';
import { type FleetFiles, privateFolderMode, privateMode } from './fleet-files.ts';

/** A file of the inbox: commands of one request, to be carried out together and once. */
export interface InboxFile {
  /** Recorded by the supervisor with the commands, so that a crash before the file is deleted repeats nothing. */
  readonly id: string;
  readonly path: string;
  readonly commands: readonly FleetCommand[];
}

const extension = '.jsonl';

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
  const names = await readdir(files.inbox).catch(() => []);
  const found = names.filter((name) => name.endsWith(extension) && !name.startsWith('.')).toSorted();
  const read = await Promise.all(found.map((name) => readInboxFile(join(files.inbox, name), name)));
  return read.filter((file) => file !== undefined);
}

async function readInboxFile(path: string, name: string): Promise<InboxFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
  const lines = text.split('\n').filter((line) => line !== '');
  return {
    id: name.slice(0, -extension.length),
    path,
    commands: lines.map((line) => commandIn(line, path)),
  };
}

const types: Readonly<Record<FleetCommand['type'], true>> = {
  add: true,
  stop: true,
  retry: true,
  answer: true,
  say: true,
  drain: true,
  schedule: true,
  unschedule: true,
  budget: true,
};

/** True for a command that this version knows: another one would be deleted without effect. */
function isCommand(value: FleetCommand): boolean {
  if (!Object.hasOwn(types, value.type)) return false;
  if (value.type !== 'add') return true;
  return typeof value.id === 'string' && isNamed(value.spec) && Array.isArray(value.spec.after);
}

function isNamed(spec: unknown): boolean {
  return typeof (Object(spec) as { readonly name?: unknown }).name === 'string';
}

/** Files get into the inbox whole, so a line that is no command was damaged by something else. */
function commandIn(line: string, path: string): FleetCommand {
  try {
    const value = JSON.parse(line) as FleetCommand | null;
    if (value !== null && isCommand(value)) return value;
  } catch {
    // Reported below.
  }
  throw new AgentError('config', 'The file holds no requests of a fleet.', {
    source: { file: path },
    hint: 'Remove it.',
  });
}
