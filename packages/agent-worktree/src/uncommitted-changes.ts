import { runGit } from '@robota-sdk/agent-resources';
import { withoutLocalFilters } from './local-filters.ts';

const patienceMs = 2_000;

/**
 * True if the repository of a directory has changed, staged or new files. False where that is not known: outside of a
 * repository, without git, or where git takes too long. Nothing that the repository brings is run.
 */
export async function hasUncommittedChanges(
  cwd: string,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  const options = { cwd, env, signal, timeoutMs: patienceMs };
  try {
    const variables = { ...(await withoutLocalFilters(options)), GIT_OPTIONAL_LOCKS: '0' };
    const words = [
      'status',
      '--porcelain',
      '--no-renames',
      '--ignore-submodules=all',
      '--untracked-files=normal',
    ];
    return (await runGit(words, { ...options, variables })) !== '';
  } catch {
    return false;
  }
}
