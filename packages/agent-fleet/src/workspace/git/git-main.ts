import type { ChildProcess } from 'node:child_process';
import type { FromStarter, ToStarter } from './git-process.ts';
import { startGit } from './start-git.ts';

/** The program of the process that starts git for a larger one. It ends with it. */
const running = new Map<number, ChildProcess>();
process.on('message', (message: ToStarter) => {
  const { id } = message;
  if ('signal' in message) return signal(running.get(id), message.signal);
  const child = startGit(message.launch, (end) => {
    // An error of the start may be followed by an end.
    if (running.delete(id) && process.connected) process.send?.({ id, end } satisfies FromStarter);
  });
  running.set(id, child);
});
process.once('disconnect', () => {
  // Asked to end, git removes its lock files.
  for (const child of running.values()) signal(child, 'SIGTERM');
});

function signal(child: ChildProcess | undefined, name: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  try {
    // Windows has no groups of processes.
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // It has ended by itself.
  }
}
