import { realpath } from 'node:fs/promises';
import { type Config, type HostEnvironment, loadConfig } from '@robota-sdk/agent-sdk/front-end';
import type { LiveSessions } from '../live/live-sessions.ts';
import { Refusal } from '../server/refusal.ts';

/** A directory in which a page may start work, and its settings. Any other is refused. */
export async function trustedDirectory(
  path: string,
  { live, host }: { readonly live: LiveSessions; readonly host: HostEnvironment },
): Promise<{ readonly cwd: string; readonly config: Config }> {
  const cwd = await realpath(path).catch(() => '');
  const directories = await live.board.directories();
  const known = await Promise.all(directories.map((each) => realpath(each).catch(() => each)));
  if (!known.includes(cwd))
    throw new Refusal(403, 'untrusted', {
      message: 'Work begins where robota web was started, and in directories that you have used before.',
      hint: 'Run robota there once.',
    });
  const config = await loadConfig(cwd, { host });
  if (config.trust?.withheld.length !== 0)
    throw new Refusal(403, 'untrusted', {
      message: 'This directory has hooks, servers or rules that you have not looked at.',
      hint: 'Run robota there, and answer its question.',
    });
  return { cwd, config };
}
