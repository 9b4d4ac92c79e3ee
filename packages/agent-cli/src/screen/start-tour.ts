import { spawn } from 'node:child_process';

/** Runs the tour in a process of its own, on this terminal: it has another home, and nothing of it stays here. */
export function startTour(): Promise<void> {
  return new Promise((resolve) => {
    const command = [
      ...process.execArgv,
      ...(process.argv[1] === undefined ? [] : [process.argv[1]]),
      'demo',
    ];
    const child = spawn(process.execPath, command, { stdio: 'inherit' });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}
