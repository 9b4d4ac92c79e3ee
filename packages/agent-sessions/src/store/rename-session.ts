import { closeSync, constants, openSync, statSync, utimesSync } from 'node:fs';
import { AgentError, diskAdvice, endSentence, errorMessage } from '@robota-sdk/agent-core';
import type { SessionStorePort } from './session-store.ts';

/** Names a session that is not open. The time of its last use stays, and so does the session that `-c` continues. */
export async function renameSession(path: string, wanted: string, store: SessionStorePort): Promise<string> {
  const times = statSync(path, { throwIfNoEntry: false });
  if (times) assertWritable(path);
  const handle = await store.open(path);
  let isSaved = false;
  try {
    isSaved = await handle.setName(wanted);
    await handle.flush();
  } finally {
    await handle.close();
  }
  if (!isSaved) throw new AgentError('session', `The name is not saved: ${path} cannot be written.`);
  try {
    if (times) utimesSync(path, times.atime, times.mtime);
  } catch {
    // If times cannot be set, the session counts as used now.
  }
  return handle.name ?? '';
}

/** An open session would continue in memory; here a name that cannot be saved is an error. */
function assertWritable(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_APPEND));
  } catch (thrown) {
    const advice = diskAdvice(thrown, path);
    throw new AgentError('session', `The name is not saved: ${endSentence(errorMessage(thrown))} ${advice}`);
  }
}
