import { isAbsolute } from 'node:path';
import { homeDirectory } from '@robota-sdk/agent-core';
import type { HostEnvironment } from './dialects.ts';

/** The environment of this process. */
export async function processHost(): Promise<HostEnvironment> {
  const home = homeDirectory();
  const { HOME = '' } = process.env;
  // Commands must find the home directory that their permissions were judged by.
  const isNamed = isAbsolute(HOME) || process.platform === 'win32';
  return { env: isNamed ? process.env : { ...process.env, HOME: home }, home };
}
