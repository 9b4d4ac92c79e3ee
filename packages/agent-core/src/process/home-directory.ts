import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { AgentError } from '../problem/agent-error.ts';
import { orElse } from '../problem/or-else.ts';

/**
 * The user's home directory, always absolute. An empty or relative `HOME` counts as unset: otherwise the working
 * directory, and with it any repository, would become the user's home.
 */
export function homeDirectory(): string {
  const found = [homedir, () => userInfo().homedir].map(attempt).find((path) => path && isAbsolute(path));
  if (found) return found;
  throw new AgentError(
    'config',
    'The home directory is unknown: HOME is not an absolute path, and this user has no home directory on the system. Set HOME.',
  );
}

function attempt(find: () => string): string | undefined {
  return orElse(() => find(), undefined);
}
