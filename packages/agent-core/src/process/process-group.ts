import { signalTree } from './end-process-tree.ts';
import { type SessionLeader, sessionMembers } from './process-sessions.ts';
import { sendSignal } from './send-signal.ts';

/** The shell that leads a process group; `isReaped` is set once its exit was noticed. */
export interface GroupLeader extends SessionLeader {
  readonly isReaped: boolean;
  /** True for a wrapper such as a sandbox, whose end kills everything inside: it is never signalled first. */
  readonly isEnclosure?: boolean;
}

/**
 * Signals everything the shell started: its process group and, on Linux, processes that moved to another group of the
 * same terminal session, as `timeout` and job control do. A process that called `setsid` cannot be reached.
 */
export function signalGroup(leader: GroupLeader, signal: NodeJS.Signals): void {
  if (isReused(leader)) return;
  const members = sessionMembers(leader);
  if (leader.isEnclosure && signal !== 'SIGKILL' && members.length > 1) {
    for (const pid of members) if (pid !== leader.pid) sendSignal(pid, signal);
    return;
  }
  signalTree(leader.pid, signal);
  for (const pid of members) sendSignal(pid, signal);
}

/** True if anything the shell started is still running. */
export function isGroupAlive(leader: GroupLeader): boolean {
  if (!leader.isReaped) return true;
  // `/proc` distinguishes zombies, which accept signals but do not run.
  if (process.platform === 'linux') return sessionMembers(leader).length > 0 && !isReused(leader);
  return process.platform !== 'win32' && !isReused(leader) && sendSignal(-leader.pid, 0);
}

/** If the id exists after its process was reaped, it belongs to another process: its group must not be signalled. */
function isReused(leader: GroupLeader): boolean {
  return leader.isReaped && sendSignal(leader.pid, 0);
}
