import type { Mirror } from '../tree/mirror.ts';

/** A repository on a server, by the parts of its URL. */
export interface RemoteRepository {
  readonly url: string;
  readonly host: string;
  /** Such as `owner/name`; groups of GitLab may nest. */
  readonly path: string;
}

/** The server that pull requests for a mirror's source go to; undefined where its remote is no server. */
export async function remoteOf(mirror: Mirror, signal: AbortSignal): Promise<RemoteRepository | undefined> {
  if (!mirror.isLocal) return parseRemote(mirror.source);
  const git = mirror.userGit();
  const remotes = (await git.text(['remote'], { signal })).split('\n').filter(Boolean);
  const name = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  if (name === undefined) return undefined;
  return parseRemote(await git.text(['remote', 'get-url', '--push', name], { signal }));
}

/** Reads `https://host/owner/name.git`, `ssh://git@host:22/owner/name` and `git@host:owner/name`. */
export function parseRemote(url: string): RemoteRepository | undefined {
  const short = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/)(\S+)$/.exec(url);
  const parsed = short ? { host: short[1] ?? '', path: short[2] ?? '' } : fromUrl(url);
  if (parsed === undefined) return undefined;
  const path = parsed.path
    .split('/')
    .filter(Boolean)
    .join('/')
    .replace(/\.git$/, '');
  return path.includes('/') && parsed.host !== ''
    ? { url, host: parsed.host.toLowerCase(), path }
    : undefined;
}

function fromUrl(url: string): { host: string; path: string } | undefined {
  if (!/^(?:https?|ssh|git):\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  return { host: hostname, path: decodeURIComponent(pathname) };
}
