import { dirname } from 'node:path';
import type { SandboxAccess } from '@robota-sdk/agent-sdk/front-end';
import { secretVariables } from '../attempt/attempt-environment.ts';
import type {
  AttemptWorkspace,
  FleetHome,
  WorkspaceRequest,
  Workspaces,
} from '../contract/attempt-workspace.ts';
import { GitWorkspace } from './git-workspace.ts';
import { findWorktree } from './tree/find-worktree.ts';
import { Mirror } from './tree/mirror.ts';
import type { SnapshotStore } from './tree/snapshot-store.ts';
import { workspacePaths } from './tree/workspace-paths.ts';

export interface WorkspacesOptions {
  readonly home: FleetHome;
  /** Keeps snapshots where other machines find them; they stay on this machine unless given. */
  readonly snapshots?: SnapshotStore;
  /** The access of commands in the sandbox; that of the user's settings unless given. */
  readonly sandbox?: SandboxAccess;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Opens worktrees of mirrors below the directory of a fleet. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  return { open: (request) => openWorkspace(options, request) };
}

async function openWorkspace(
  options: WorkspacesOptions,
  request: WorkspaceRequest,
): Promise<AttemptWorkspace> {
  const { home, snapshots, env = process.env } = options;
  const paths = workspacePaths(home);
  const mirror = Mirror.at({ paths, repo: request.repo, env });
  const found = await findWorktree({ request, mirror, paths, snapshots });
  const readable = [`${mirror.directory}/objects`];
  const access = () => sandboxAccess(options, readable);
  // Commands inherit the variables of this process.
  const secrets = secretVariables(process.env, dirname(home.directory));
  const files = { request, found, mirror, paths, snapshots, env, secrets, access, readable };
  const workspace = new GitWorkspace(files);
  await workspace.start();
  return workspace;
}

/**
 * The access of commands: as the user's settings say for sessions. A task asks for the sandbox by default, so a missing one is
 * no reason to run without. The directory around the fleet's holds the user's keys and sessions.
 */
async function sandboxAccess(
  { home, sandbox }: WorkspacesOptions,
  readable: readonly string[],
): Promise<SandboxAccess> {
  const { policy } = sandbox ?? (await userAccess(home));
  const hidden = [...policy.hidden, dirname(home.directory)];
  return { mode: 'required', policy: { ...policy, hidden, readable: [...policy.readable, ...readable] } };
}

/** Settings of a repository do not count: what it grants itself is for the trust gate of its sessions to judge. */
async function userAccess({ directory }: FleetHome): Promise<SandboxAccess> {
  const { chooseSandbox, loadConfig } = await import('@robota-sdk/agent-sdk/front-end');
  return chooseSandbox(await loadConfig(directory));
}
