import { join } from 'node:path';
import { checkArguments, homeDirectory, pathShape, robotaDirectories } from '@robota-sdk/agent-core';
import { type HostEnvironment, hostShape } from './dialects.ts';

/** Our files in a project. */
export function projectPaths(cwd: string) {
  checkArguments('projectPaths', { cwd: [cwd, pathShape] });
  const root = join(cwd, '.robota');
  return {
    root,
    settings: join(root, 'settings.json'),
    localSettings: join(root, 'settings.local.json'),
    ...resourcePaths(root),
    systemPrompt: join(root, 'SYSTEM.md'),
    appendSystemPrompt: join(root, 'APPEND_SYSTEM.md'),
  };
}

/** Our files in the user's home; those of this process unless a host is given. */
export function userPaths(host: HostEnvironment = { env: process.env, home: homeDirectory() }): UserPaths {
  checkArguments('userPaths', { host: [host, hostShape] });
  const directories = robotaDirectories(host);
  const key = Object.values(directories).join('\0');
  if (latest?.key !== key) latest = { key, paths: pathsIn(directories) };
  return latest.paths;
}

type UserPaths = Readonly<ReturnType<typeof pathsIn>>;

/** A start asks many times. Joining two dozen paths each time would make V8 load its strongest compiler, which takes 5 MB. */
let latest: { readonly key: string; readonly paths: UserPaths } | undefined;

function pathsIn({ config: root, data, state, cache }: ReturnType<typeof robotaDirectories>) {
  return {
    root,
    /** Sessions, worktrees and fleets. */
    data,
    settings: join(root, 'settings.json'),
    ...resourcePaths(root),
    sessions: join(data, 'sessions'),
    auth: join(root, 'auth.json'),
    models: join(root, 'models.json'),
    keybindings: join(root, 'keybindings.json'),
    /** Hides files from the agent in every project. */
    ignore: join(root, '.agentignore'),
    trust: join(state, 'trust.json'),
    warnings: join(state, 'warnings.json'),
    approvals: join(state, 'approvals.jsonl'),
    /** Entered prompts, for later sessions. */
    history: join(state, 'history'),
    /** Devices that `robota web` let in. */
    web: join(state, 'web'),
    /** Sockets and secrets of processes that hold a session. */
    links: join(state, 'links'),
    /** Models that servers listed. */
    servedModels: join(cache, 'served-models.json'),
    /** Images that were pasted. */
    images: join(cache, 'images'),
    systemPrompt: join(root, 'SYSTEM.md'),
    appendSystemPrompt: join(root, 'APPEND_SYSTEM.md'),
  };
}

/** The folders that add something to a session. */
function resourcePaths(root: string) {
  return {
    agents: join(root, 'agents'),
    commands: join(root, 'commands'),
    skills: join(root, 'skills'),
    extensions: join(root, 'extensions'),
    plugins: join(root, 'plugins'),
  };
}
