import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atomicWrite, makeDirectories, parseJson, type Shape } from '@robota-sdk/agent-core';

/** The files by which commands and the supervisor of one machine talk to each other. */
export interface FleetFiles {
  readonly directory: string;
  /** Requests that the supervisor has not carried out yet, one file each. */
  readonly inbox: string;
  /** Files of the inbox that hold something other than requests. */
  readonly damaged: string;
  /** All tasks, written by the supervisor. */
  readonly tasks: string;
  readonly workers: string;
  readonly schedules: string;
  readonly costs: string;
}

/** The files of a fleet in our home, `$ROBOTA_HOME`. */
export function fleetFiles(home: string): FleetFiles {
  const directory = join(home, 'fleet');
  return {
    directory,
    inbox: join(directory, 'inbox'),
    damaged: join(directory, 'damaged'),
    tasks: join(directory, 'tasks.jsonl'),
    workers: join(directory, 'workers.json'),
    schedules: join(directory, 'schedules.json'),
    costs: join(directory, 'costs.json'),
  };
}

/** Only the user reads prompts, questions and costs. */
export const privateMode = 0o600;
export const privateFolderMode = 0o700;

/** Replaces a small file of a fleet by a value, durably and in one step. */
export async function writeFleetFile(path: string, value: unknown): Promise<void> {
  makeDirectories(join(path, '..'), privateFolderMode);
  await atomicWrite(path, Buffer.from(`${JSON.stringify(value)}\n`), { mode: privateMode });
}

/** The value of a small file; undefined if the file is missing or damaged. */
export async function readFleetFile<T>(path: string, shape: Shape<T>): Promise<T | undefined> {
  return shape.parse(parseJson(await readFile(path, 'utf8').catch(() => '')));
}
