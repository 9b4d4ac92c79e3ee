import { join } from 'node:path';
import { accessTo, type SandboxPlan } from './sandbox-plan.ts';

/** Caches that programs need: the variable that moves them, and their path below the home directory. */
const caches: readonly (readonly [variable: string, usual: string])[] = [
  ['npm_config_cache', '.npm'],
  ['YARN_CACHE_FOLDER', '.cache/yarn'],
  ['GOCACHE', '.cache/go-build'],
];

export interface CacheOptions {
  readonly plan: SandboxPlan;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The temporary directory as the command sees it. */
  readonly temporary: string;
}

/** Moves read-only caches into the temporary directory: sharing one would be a way out of the sandbox. */
export function cacheEnvironment({ plan, home, env, temporary }: CacheOptions): Record<string, string> {
  const moved = caches.filter(
    ([variable, usual]) => env[variable] === undefined && accessTo(join(home, usual), plan) !== 'write',
  );
  return Object.fromEntries(moved.map(([variable, usual]) => [variable, join(temporary, usual)]));
}
