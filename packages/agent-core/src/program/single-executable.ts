import { findProgram } from '../file/host-programs.ts';
import { AgentError } from '../problem/agent-error.ts';
import { orElse } from '../problem/or-else.ts';

/** Robota's own workers, in a process or thread each. The single executable contains them. */
export type EmbeddedWorker = 'plugin-worker' | 'transpile-worker' | 'html-worker' | 'proxy-forwarder';

/** True in the single executable, which contains Node: there `process.execPath` is Robota and runs no other file. */
export function isSingleExecutable(): boolean {
  return orElse(() => process.getBuiltinModule('node:sea')?.isSea() ?? false, false);
}

/** The source of a worker in the single executable; undefined elsewhere, where it is a file. */
export function embeddedWorker(name: EmbeddedWorker): string | undefined {
  if (!isSingleExecutable()) return undefined;
  return process.getBuiltinModule('node:sea').getAsset(name, 'latin1');
}

/** Arguments that start a worker of the single executable. */
export function embeddedWorkerWords(name: EmbeddedWorker): readonly string[] {
  return ['--internal-worker', name];
}

/** A Node that runs files: this one, or for the single executable the one on the PATH. */
export function nodeForFiles(reason: string): string {
  const file = isSingleExecutable() ? findProgram('node') : process.execPath;
  if (file !== undefined) return file;
  throw new AgentError('config', `${reason} needs node, which is not on the PATH.`, {
    hint: 'Install Node 20.19 or newer.',
  });
}
