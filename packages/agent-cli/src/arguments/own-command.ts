import type { ProgramInfo } from '@robota-sdk/agent-sdk/front-end';
import { version } from './version.ts';

/** True in the single executable, which carries its own Node. */
export function isSingleExecutable(): boolean {
  try {
    return process.getBuiltinModule('node:sea')?.isSea() ?? false;
  } catch {
    return false;
  }
}

/** The words that start this program again, of the same version. */
export function ownCommand(): readonly string[] {
  if (isSingleExecutable()) return [process.execPath];
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}

/** This program, for questions about its installation. */
export function ownProgram(): ProgramInfo {
  const isExecutable = isSingleExecutable();
  const file = isExecutable ? process.execPath : (process.argv[1] ?? '');
  return { version, file, isExecutable, command: ownCommand() };
}
