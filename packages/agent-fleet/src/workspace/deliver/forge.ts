import { isJsonObject, type JsonValue } from '@robota-sdk/agent-core';
import type { RemoteRepository } from './remote-repository.ts';
import type { ForgeProgram } from './run-forge.ts';

export interface PullRequest {
  readonly remote: RemoteRepository;
  readonly branch: string;
  /** The branch to merge into; the repository's default unless given. */
  readonly base?: string | undefined;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

/** A command-line program for the pull requests of a server. */
export interface Forge {
  readonly name: 'gh' | 'glab' | 'tea';
  /** The names it is installed under, the one that tells most first. */
  readonly programs: readonly string[];
  readonly install: string;
  /** True if the host is known to be one of its servers; otherwise its logins decide. */
  serves(host: string): boolean;
  /** The command that logs in. */
  readonly login: string;
  /** True if the user is logged in anywhere with this program. */
  hasLogin(run: ForgeProgram): Promise<boolean>;
  /** True if the user is logged in there with this program. */
  knows(host: string, run: ForgeProgram): Promise<boolean>;
  /** The URL of the pull request with this head, in whatever state; undefined if there is none. */
  find(request: PullRequest, run: ForgeProgram): Promise<string | undefined>;
  create(request: PullRequest, run: ForgeProgram): Promise<void>;
}

const gh: Forge = {
  name: 'gh',
  programs: ['gh'],
  install: 'https://cli.github.com',
  login: 'gh auth login',
  hasLogin: async (run) => (await run(['auth', 'status'])).isOk,
  serves: (host) => host === 'github.com' || host.startsWith('github.') || host.endsWith('.ghe.com'),
  knows: async (host, run) => (await run(['auth', 'status', '--hostname', host])).isOk,
  find: async ({ remote, branch }, run) => {
    const fields = 'url,headRefName,isCrossRepository';
    const words = ['pr', 'list', '--repo', ghRepository(remote), '--head', branch, '--state', 'all'];
    const rows = await run.json([...words, '--json', fields, '--limit', '20']);
    const own = rows.find((row) => row['headRefName'] === branch && row['isCrossRepository'] !== true);
    return textOf(own?.['url']);
  },
  create: async ({ remote, branch, base, title, body, isDraft }, run) => {
    const words = ['pr', 'create', '--repo', ghRepository(remote), '--head', branch, '--title', title];
    const more = [...(base === undefined ? [] : ['--base', base]), ...(isDraft ? ['--draft'] : [])];
    await run.orFail([...words, ...more, '--body-file', '-'], body);
  },
};

function ghRepository({ host, path }: RemoteRepository): string {
  return host === 'github.com' ? path : `${host}/${path}`;
}

const glab: Forge = {
  name: 'glab',
  programs: ['glab'],
  install: 'https://gitlab.com/gitlab-org/cli',
  login: 'glab auth login',
  hasLogin: async (run) => (await run(['auth', 'status'])).isOk,
  serves: (host) => host === 'gitlab.com' || host.startsWith('gitlab.'),
  knows: async (host, run) => (await run(['auth', 'status', '--hostname', host])).isOk,
  find: async ({ remote, branch }, run) => {
    const words = [
      'mr',
      'list',
      '--repo',
      webUrl(remote),
      '--source-branch',
      branch,
      '--all',
      '--output',
      'json',
    ];
    const own = (await run.json(words)).find(
      // A fork may have a branch of the same name.
      (row) => row['source_branch'] === branch && row['source_project_id'] === row['target_project_id'],
    );
    return textOf(own?.['web_url']);
  },
  create: async ({ remote, branch, base, title, body, isDraft }, run) => {
    const words = ['mr', 'create', '--repo', webUrl(remote), '--source-branch', branch, '--title', title];
    const more = [...(base === undefined ? [] : ['--target-branch', base]), ...(isDraft ? ['--draft'] : [])];
    // A lone dash would open an editor.
    const text = body.trim() === '-' ? `${body} ` : body;
    await run.orFail([...words, ...more, '--description', text, '--yes']);
  },
};

const tea: Forge = {
  name: 'tea',
  // Debian and Ubuntu have an editor of the name tea.
  programs: ['tea-cli', 'tea'],
  install: 'https://gitea.com/gitea/tea',
  login: 'tea login add',
  hasLogin: async (run) => (await run.json(['logins', 'list', '--output', 'json'])).length > 0,
  serves: (host) => /^(?:gitea|forgejo|codeberg)\./.test(host),
  knows: async (host, run) => (await teaLogin(host, run)) !== undefined,
  find: async ({ remote, branch }, run) => {
    const login = await teaLogin(remote.host, run);
    const words = [
      'pulls',
      'list',
      '--repo',
      remote.path,
      ...loginWords(login),
      '--state',
      'all',
      '--output',
      'json',
    ];
    for (let page = 1; page <= mostPages; page += 1) {
      const rows = await run.json([
        ...words,
        '--fields',
        'index,head,url',
        '--limit',
        '50',
        '--page',
        String(page),
      ]);
      // The head of a fork has its owner before it.
      const own = rows.find((row) => row['head'] === branch);
      if (own !== undefined || rows.length === 0) return textOf(own?.['url']);
    }
    return undefined;
  },
  create: async ({ remote, branch, base, title, body, isDraft }, run) => {
    const login = await teaLogin(remote.host, run);
    const words = ['pulls', 'create', '--repo', remote.path, ...loginWords(login), '--head', branch];
    // It has no drafts of its own; servers take this beginning of a title for one.
    const named = ['--title', isDraft ? `WIP: ${title}` : title, '--description', body];
    await run.orFail([...words, ...(base === undefined ? [] : ['--base', base]), ...named]);
  },
};

const mostPages = 20;

async function teaLogin(host: string, run: ForgeProgram): Promise<string | undefined> {
  const rows = await run.json(['logins', 'list', '--output', 'json']);
  const own = rows.find(
    (row) => hostOf(textOf(row['url'])) === host || [row['ssh_host'], row['sshhost']].includes(host),
  );
  return textOf(own?.['name']);
}

function loginWords(login: string | undefined): string[] {
  return login === undefined ? [] : ['--login', login];
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}

function webUrl({ host, path }: RemoteRepository): string {
  return `https://${host}/${path}`;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The rows of a list in JSON; programs print nothing, or `null`, for an empty one. */
export function jsonRows(value: JsonValue): Readonly<Record<string, JsonValue>>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export const forges: readonly Forge[] = [gh, glab, tea];
