import { delimiter } from 'node:path';
import { helperEnvironment, keyVariables, loadCatalogue, trustedSearchPath } from '@robota-sdk/agent-core';

/** `files`: other repositories on this machine. `network`: servers too, with the logins of the user. */
export type GitReach = 'nothing' | 'files' | 'network';

export interface GitEnvironmentOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly reach: GitReach;
}

/** Variables of git that say how the user reaches a server; all others would lead git elsewhere. */
const keptVariables = new Set([
  'GIT_ASKPASS',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSH_VARIANT',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
]);

/** The environment of git: never with keys of models, and with logins only where it talks to a server. */
export function gitEnvironment({ env, cwd, reach }: GitEnvironmentOptions): Record<string, string> {
  const always = {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Large files stay pointers until a command of the task fetches them.
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
  if (reach !== 'network')
    return {
      ...helperEnvironment({ env, cwd }),
      ...kept(env, isConfiguration),
      ...always,
      GIT_ALLOW_PROTOCOL: reach === 'files' ? 'file' : 'none',
    };
  return {
    ...remoteEnvironment({ env, cwd }),
    GIT_SSH_COMMAND: env['GIT_SSH_COMMAND'] ?? 'ssh -o BatchMode=yes',
    ...always,
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
  };
}

/** The environment of programs that use logins of the user, such as `gh`: without keys of models. */
export function remoteEnvironment({
  env,
  cwd,
}: Omit<GitEnvironmentOptions, 'reach'>): Record<string, string> {
  const keys = modelKeys(env);
  return {
    ...kept(
      env,
      (name) => (!name.startsWith('GIT_') || keptVariables.has(name)) && !keys.has(env[name] ?? ''),
    ),
    PATH: trustedSearchPath({ env, cwd }).join(delimiter),
  };
}

function isConfiguration(name: string): boolean {
  return name.startsWith('GIT_CONFIG_') && keptVariables.has(name);
}

function modelKeys(env: GitEnvironmentOptions['env']): ReadonlySet<string> {
  return new Set(keyVariables(loadCatalogue().vendors).flatMap((name) => env[name] || []));
}

function kept(env: GitEnvironmentOptions['env'], isKept: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isKept(entry[0]),
    ),
  );
}
