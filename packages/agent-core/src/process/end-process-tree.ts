import { spawn } from 'node:child_process';
import path from 'node:path';

/** The calls of the system that end processes; tests take them down instead. */
export interface ProcessEnder {
  readonly platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals | 0): boolean;
  /** Runs a program and waits for nothing. */
  run(file: string, words: readonly string[]): void;
}

/**
 * Sends a signal to a process that leads a group, and to its group. Windows has neither groups nor signals that ask:
 * there the process ends with all that it started, whatever the signal. False if there is no such process.
 */
export function signalTree(pid: number, signal: NodeJS.Signals, ender: ProcessEnder = ownEnder): boolean {
  if (ender.platform !== 'win32') return ender.kill(-pid, signal);
  if (!ender.kill(pid, 0)) return false;
  ender.run(path.win32.join(systemFolder(), 'taskkill.exe'), ['/pid', String(pid), '/t', '/f']);
  return true;
}

/** Options that let a child lead a group; on Windows they would open a console for it. */
export function groupOptions(platform: NodeJS.Platform = process.platform): {
  readonly detached: boolean;
  readonly windowsHide: true;
} {
  return { detached: platform !== 'win32', windowsHide: true };
}

function systemFolder(): string {
  return path.win32.join(process.env.SystemRoot ?? process.env.SYSTEMROOT ?? 'C:\\Windows', 'System32');
}

/** This machine. */
const ownEnder: ProcessEnder = {
  platform: process.platform,
  kill: (pid, signal) => {
    try {
      return process.kill(pid, signal);
    } catch (thrown) {
      return (thrown as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
  run: (file, words) => {
    spawn(file, words, { stdio: 'ignore', windowsHide: true })
      .on('error', () => {})
      .unref();
  },
};
