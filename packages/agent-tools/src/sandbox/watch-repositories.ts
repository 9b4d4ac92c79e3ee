import { type KnownRepositories, plantedBehindLinks, plantedRepositories } from './planted-repositories.ts';

/** Milliseconds between searches. */
const pause = 250;
/** Slow searches run less often: they may use one part in this many of the time. */
const share = 20;

/** `links`: repositories that an index names; `all`: every repository, in the whole workspace. */
export type WatchedRepositories = 'links' | 'all';

/** Searches for planted repositories repeatedly and reports them; returns a function to stop. */
export function watchRepositories(
  before: KnownRepositories,
  watched: WatchedRepositories,
  onPlanted: (paths: readonly string[]) => void,
): () => void {
  const search = watched === 'all' ? plantedRepositories : plantedBehindLinks;
  const look = () => {
    const start = performance.now();
    const planted = search(before);
    if (planted.length > 0) onPlanted(planted);
    if (!isStopped) timer = next(performance.now() - start);
  };
  const next = (cost: number) => setTimeout(look, Math.max(pause, cost * share)).unref();
  let timer = next(0);
  let isStopped = false;
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
