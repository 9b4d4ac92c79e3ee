import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { groupOptions, type ProcessEnder, signalTree } from './end-process-tree.ts';

function ender(platform: NodeJS.Platform, isAlive = true) {
  const calls: unknown[] = [];
  const fake: ProcessEnder = {
    platform,
    kill: (pid, signal) => {
      calls.push([pid, signal]);
      return isAlive;
    },
    run: (file, words) => void calls.push([file, ...words]),
  };
  return { fake, calls };
}

describe('ending a process with all that it started', () => {
  it('signals the group on Linux and macOS', () => {
    const { fake, calls } = ender('darwin');
    expect(signalTree(12, 'SIGTERM', fake)).toBe(true);
    expect(calls).toEqual([[-12, 'SIGTERM']]);
    expect(groupOptions('darwin').detached).toBe(true);
  });

  it('uses taskkill on Windows, which has no groups, and only for a process that is there', () => {
    const { fake, calls } = ender('win32');
    expect(signalTree(12, 'SIGTERM', fake)).toBe(true);
    expect(calls).toEqual([
      [12, 0],
      ['C:\\Windows\\System32\\taskkill.exe', '/pid', '12', '/t', '/f'],
    ]);
    expect(signalTree(12, 'SIGKILL', ender('win32', false).fake)).toBe(false);
    expect(groupOptions('win32').detached).toBe(false);
  });

  it('ends a real group here', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore', ...groupOptions() });
    await once(child, 'spawn');
    const ended = once(child, 'exit');
    expect(signalTree(child.pid ?? 0, 'SIGKILL')).toBe(true);
    expect((await ended)[1]).toBe('SIGKILL');
    expect(signalTree(child.pid ?? 0, 'SIGKILL')).toBe(false);
  });
});
