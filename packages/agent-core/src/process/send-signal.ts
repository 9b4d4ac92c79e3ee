/**
 * Signals a process, or a group by its negative id; false if there is none. A process of another user counts as
 * existing.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True if a process with this id exists, even if it belongs to another user. */
export function isProcessAlive(pid: number): boolean {
  return sendSignal(pid, 0);
}
