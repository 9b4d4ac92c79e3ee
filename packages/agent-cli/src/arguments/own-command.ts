import { isSingleExecutable, type ProgramInfo } from '@robota-sdk/agent-sdk/front-end';
import { version } from './version.ts';

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
