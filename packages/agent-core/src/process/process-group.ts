import { signalTree } from './end-process-tree.ts';
import { type SessionLeader, sessionMembers } from './process-sessions.ts';

/** The shell that leads a process group; `isReaped` once its exit was noticed. */
export interface GroupLeader extends SessionLeader {
  readonly isReaped: boolean;
  /** It only encloses the shell and takes everything with it when it ends, so it is never asked to end first. */
  readonly isEnclosure?: boolean;
}

/**
 * Sends a signal to everything the shell started: its process group and, on Linux, also processes that moved to
 * another group of the same terminal session, as `timeout` and job control do. A process that called `setsid` has left for good.
 */
export function signalGroup(leader: GroupLeader, signal: NodeJS.Signals): void {
  if (isReused(leader)) return;
  const members = sessionMembers(leader);
  if (leader.isEnclosure && signal !== 'SIGKILL' && members.length > 1) {
    for (const pid of members) if (pid !== leader.pid) send(pid, signal);
    return;
  }
  signalTree(leader.pid, signal);
  for (const pid of members) send(pid, signal);
}

/** True if anything the shell started is still running. */
export function isGroupAlive(leader: GroupLeader): boolean {
  if (!leader.isReaped) return true;
  // `/proc` also reveals zombies, which answer signals but do not run.
  if (process.platform === 'linux') return sessionMembers(leader).length > 0 && !isReused(leader);
  return process.platform !== 'win32' && !isReused(leader) && send(-leader.pid, 0);
}

/** A process id that exists after its process was reaped belongs to a stranger: its group must not be touched. */
function isReused(leader: GroupLeader): boolean {
  return leader.isReaped && send(leader.pid, 0);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
