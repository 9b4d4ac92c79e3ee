import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, makeDirectories } from '@robota-sdk/agent-core';
import { readCertificateFiles, trustedCertificates } from '@robota-sdk/agent-http';
import { type GitOptions, runGit } from '../process/run-git.ts';
import type { PluginSource } from './plugin-source.ts';

/** Fetches one commit of a repository into a new folder, without history, submodules or hooks; returns the commit. */
export async function fetchGit(
  source: PluginSource & { readonly kind: 'git' },
  directory: string,
  options: Omit<GitOptions, 'cwd'>,
): Promise<string> {
  makeDirectories(directory, 0o700);
  const own = { ...options, cwd: directory };
  const git = (...words: string[]) => runGit(words, own);
  const { url, ref, sha } = source;
  await git('init', '--quiet', '--template=');
  const variables = await trustVariables(own);
  const online = (...words: string[]) => runGit(words, { ...own, variables });
  await fetchCommit(online, { url, wanted: sha ?? ref ?? 'HEAD', isCommit: sha !== undefined });
  await git('checkout', '--quiet', '--force', '--detach', sha ?? 'FETCH_HEAD', '--');
  const commit = (await git('rev-parse', 'HEAD')).trim();
  if (sha !== undefined && commit !== sha)
    throw new AgentError('config', `${url} has no commit ${sha}; it gave ${commit} instead.`);
  return commit;
}

interface Wanted {
  readonly url: string;
  readonly wanted: string;
  readonly isCommit: boolean;
}

type Git = (...words: string[]) => Promise<string>;

/** Some servers return a single commit only by name: then all of their branches are fetched. */
async function fetchCommit(git: Git, { url, wanted, isCommit }: Wanted): Promise<void> {
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-commit-graph'];
  try {
    await git(...fetch, '--depth=1', '--', url, wanted);
  } catch (thrown) {
    if (!isCommit) throw thrown;
    await git(...fetch, '--', url, '+refs/heads/*:refs/remotes/origin/*');
  }
}

/**
 * Makes git trust the certificate authorities of the environment, like all other connections: git ignores these
 * variables and needs one file with every authority. The user's own git settings win.
 */
async function trustVariables(options: GitOptions): Promise<Record<string, string>> {
  const named = readCertificateFiles(options.env).some(({ certificates }) => certificates.length > 0);
  if (!named || options.env.GIT_SSL_CAINFO) return {};
  const configured = await runGit(['config', '--get', 'http.sslCAInfo'], { ...options, accepted: [1] });
  if (configured.trim() !== '') return {};
  const path = join(options.cwd, '.git', 'trusted.pem');
  await writeFile(path, trustedCertificates(options.env).join('\n'));
  return { GIT_SSL_CAINFO: path };
}
