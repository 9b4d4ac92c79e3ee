import { dirname } from 'node:path';
import { homeDirectory } from '@robota-sdk/agent-core';
import type { SandboxAccess } from '@robota-sdk/agent-sdk/front-end';
import type { FleetHome, Workspace, WorkspaceRequest, Workspaces } from '../contract/workspace.ts';
import { GitWorkspace } from './git-workspace.ts';
import { findWorktree } from './tree/find-worktree.ts';
import { Mirror } from './tree/mirror.ts';
import type { SnapshotStore } from './tree/snapshot-store.ts';
import { workspacePaths } from './tree/workspace-paths.ts';

export interface WorkspacesOptions {
  readonly home: FleetHome;
  /** Keeps snapshots where other machines find them; they stay on this machine unless given. */
  readonly snapshots?: SnapshotStore;
  /** The access of commands in the sandbox; without network unless given. */
  readonly sandbox?: SandboxAccess;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Opens worktrees of mirrors below the directory of a fleet. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  return { open: (request) => openWorkspace(options, request) };
}

async function openWorkspace(options: WorkspacesOptions, request: WorkspaceRequest): Promise<Workspace> {
  const { home, snapshots, env = process.env } = options;
  const paths = workspacePaths(home);
  const mirror = Mirror.at({ paths, repo: request.repo, env });
  const found = await findWorktree({ request, mirror, paths, snapshots });
  const { mode, policy } = options.sandbox ?? strictAccess(home);
  const readable = [`${mirror.directory}/objects`];
  const workspace = new GitWorkspace({
    request,
    found,
    mirror,
    paths,
    snapshots,
    env,
    access: {
      mode: mode === 'off' ? 'required' : mode,
      policy: { ...policy, readable: [...policy.readable, ...readable] },
    },
    readable,
  });
  await workspace.start();
  return workspace;
}

/**
 * A task asks for the sandbox by default, so a missing one is no reason to run without. The directory around the fleet's holds
 * the user's keys and sessions.
 */
function strictAccess({ directory }: FleetHome): SandboxAccess {
  return {
    mode: 'required',
    policy: {
      network: 'off',
      writable: [],
      readable: [],
      hidden: [dirname(directory)],
      homes: [homeDirectory()],
    },
  };
}
