import { AgentError } from '@robota-sdk/agent-core';
import { type GitOptions, runGit } from '@robota-sdk/agent-resources';

const mostFilters = 200;

/**
 * Git variables that disable the filters of a repository's configuration: a checkout would run their
 * untrusted programs. Filters of the user's configuration, such as git-lfs, stay.
 */
export async function withoutLocalFilters(options: GitOptions): Promise<Record<string, string>> {
  const words = ['config', '--show-scope', '--name-only', '-z', '--get-regexp', '^filter\\.'];
  // Git ends with 1 where there is none.
  const listed = await runGit(words, { ...options, accepted: [1] });
  const parts = listed.split('\0');
  const drivers = new Set<string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [scope, key = ''] = [parts[index], parts[index + 1]];
    if (scope === 'local' || scope === 'worktree') drivers.add(key.slice(0, key.lastIndexOf('.')));
  }
  if (drivers.size > mostFilters || listed.length >= longestList)
    throw new AgentError('config', `The git configuration in ${options.cwd} defines too many filters.`);
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.process`, ''],
    [`${driver}.smudge`, ''],
    [`${driver}.clean`, ''],
    [`${driver}.required`, 'false'],
  ]);
  return {
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key = '', value = ''], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/** Longer lists would be cut. */
const longestList = 60 * 1024;
