import { spawn } from 'node:child_process';
import { ownCommand } from '../arguments/own-command.ts';

/** Runs the tour in a process of its own, on this terminal: it has another home, and nothing of it stays here. */
export function startTour(): Promise<void> {
  return new Promise((resolve) => {
    const [program = process.execPath, ...words] = ownCommand();
    const child = spawn(program, [...words, 'demo'], { stdio: 'inherit' });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}
