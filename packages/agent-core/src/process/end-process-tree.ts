import { spawn } from 'node:child_process';
import path from 'node:path';
import { sendSignal } from './send-signal.ts';

/** System calls that end processes; tests replace them. */
export interface ProcessEnder {
  readonly platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals | 0): boolean;
  /** Starts a program without waiting. */
  run(file: string, words: readonly string[]): void;
}

/**
 * Signals a group leader and its group. Windows has no groups or catchable signals: there the process tree is killed,
 * whatever the signal. False if there is no such process.
 */
export function signalTree(pid: number, signal: NodeJS.Signals, ender: ProcessEnder = ownEnder): boolean {
  if (ender.platform !== 'win32') return ender.kill(-pid, signal);
  if (!ender.kill(pid, 0)) return false;
  ender.run(path.win32.join(systemFolder(), 'taskkill.exe'), ['/pid', String(pid), '/t', '/f']);
  return true;
}

/** Options that make a child a group leader; on Windows they would open a console. */
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
  kill: sendSignal,
  run: (file, words) => {
    spawn(file, words, { stdio: 'ignore', windowsHide: true })
      .on('error', () => {})
      .unref();
  },
};
