import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError } from '@robota-sdk/agent-sdk/front-end';

/** The directory a subcommand is about: that of `--cwd`, which must be there, or the one here. */
export function givenDirectory(given: string | undefined): string {
  if (given === undefined) return process.cwd();
  const path = resolve(given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return path;
  const why = found ? 'it is a file' : 'no such directory';
  throw new AgentError('usage', `--cwd ${path}: ${why}.`);
}
