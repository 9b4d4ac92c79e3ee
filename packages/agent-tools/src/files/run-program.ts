import { spawn } from 'node:child_process';
import { groupOptions, signalTree } from '@robota-sdk/agent-core';
import type { CommandResult } from './workspace-files.ts';

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Runs a program in a new process group, and kills the whole group on timeout. */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, ...options }: ProgramOptions,
): Promise<CommandResult> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { ...options, ...groupOptions(), stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout.on('data', (piece: Buffer) => output.stdout.push(piece));
    child.stderr.on('data', (piece: Buffer) => output.stderr.push(piece));
    const timer = setTimeout(() => child.pid !== undefined && signalTree(child.pid, 'SIGKILL'), timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      failed(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      const text = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString('utf8');
      done({ stdout: text(output.stdout), stderr: text(output.stderr), exitCode: code ?? undefined });
    });
  });
}
