import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorMessage, type HostEnvironment, userPaths } from '@robota-sdk/agent-sdk/front-end';
import type { Finding } from './finding.ts';

const megabyte = 1024 * 1024;
const littleBytes = 500 * megabyte;
const fewBytes = 20 * megabyte;

/** Checks that sessions can be stored: the folder is writable, and the disk has space. */
export async function checkStorage(host: HostEnvironment): Promise<readonly Finding[]> {
  const { sessions } = userPaths(host);
  const folder = await nearestFolder(sessions);
  return [await writableFinding(sessions, folder), ...(await spaceFindings(folder))];
}

async function writableFinding(sessions: string, folder: string): Promise<Finding> {
  const problem = await problemOf(folder);
  if (problem === undefined) return { status: 'ok', what: `sessions are stored in ${sessions}` };
  return {
    status: 'broken',
    what: `sessions cannot be stored in ${sessions}`,
    why: problem,
    advice: 'Make the folder writable, or set ROBOTA_HOME to another one.',
  };
}

async function spaceFindings(folder: string): Promise<Finding[]> {
  const system = await statfs(folder).catch(() => undefined);
  if (!system) return [];
  const free = system.bavail * system.bsize;
  const what = `${free >= megabyte * 1024 ? `${Math.floor(free / megabyte / 1024)} GB` : `${Math.floor(free / megabyte)} MB`} free`;
  if (free >= littleBytes) return [{ status: 'ok', what }];
  const advice = 'Free some space, for example with robota sessions delete.';
  return [{ status: free < fewBytes ? 'broken' : 'warning', what: `only ${what}`, advice }];
}

async function problemOf(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is a file.`;
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}

/** The folder itself, or the one it would be made in. */
async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  const parent = dirname(path);
  return isThere || parent === path ? path : nearestFolder(parent);
}
