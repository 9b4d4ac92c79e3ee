import type { HostEnvironment } from './dialects.ts';

/** The environment of this process. */
export async function processHost(): Promise<HostEnvironment> {
  const { homedir } = await import('node:os');
  return { env: process.env, home: homedir() };
}
