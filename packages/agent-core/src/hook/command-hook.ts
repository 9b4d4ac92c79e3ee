import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { guarded, startGroupWatchdog } from '../process/group-watchdog.ts';
import { type HookAnswer, parseHookOutput } from './hook-answer.ts';
import type { HookCall, HookExecutor } from './hook-executor.ts';

/** A hook may print this much on each of its outputs; the rest is dropped. */
const maxOutputBytes = 1024 * 1024;
/** How long output may still come from what the command left running. */
const outputGraceMs = 250;
/** The shell could not run the command at all. */
const notRunnable = [126, 127];

/**
 * Runs a hook as a shell command with the payload on stdin. Exit code 0 is an answer (stdout), 2 is a refusal (stderr),
 * any other one a warning. A command that does not exist or is killed has failed.
 */
export const commandHook: HookExecutor = {
  timeout: 600,
  run: async (call) => {
    const running = start(await spawnShell(call), call);
    if (call.definition.async !== true) return answerOf(await running);
    running.catch(() => {});
    return {};
  },
};

interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

function answerOf({ code, signal, stdout, stderr }: Finished): HookAnswer {
  if (code === 0) return parseHookOutput(stdout);
  const said = stderr.trim();
  if (code === 2) return { block: said === '' ? 'it gave no reason' : said };
  if (code === null) throw new Error(`it was ended by ${signal}`);
  const problem = `it ended with exit code ${code}${said === '' ? '' : `: ${said.slice(0, 500)}`}`;
  if (notRunnable.includes(code) || code > 128) throw new Error(problem);
  return { warning: problem };
}

type Started = ChildProcess & {
  readonly pid: number;
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

/** A started hook and how to tell the watchdog that nothing of it runs any more. */
interface Guarded {
  readonly child: Started;
  readonly letGo: () => void;
}

async function spawnShell({ definition, cwd, env }: HookCall): Promise<Guarded> {
  const command = definition.command;
  if (typeof command !== 'string' || command.trim() === '') throw new Error('it has no "command"');
  const [{ spawn }, watchdog] = await Promise.all([import('node:child_process'), startGroupWatchdog()]);
  const { file: shell, args: words } = shellFor(command);
  const [file = '', ...args] = watchdog ? guarded([shell, ...words]) : [shell, ...words];
  const child = spawn(file, args, {
    cwd,
    env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(watchdog ? [watchdog.channel] : [])],
  });
  if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
  return { child: child as Started, letGo: watchdog?.guard(child.pid) ?? (() => {}) };
}

function shellFor(command: string): { readonly file: string; readonly args: readonly string[] } {
  if (process.platform === 'win32') return { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`] };
  if (existsSync('/bin/bash')) return { file: '/bin/bash', args: ['--noprofile', '--norc', '-c', command] };
  return { file: '/bin/sh', args: ['-c', command] };
}

async function start({ child, letGo }: Guarded, { payload, processes, signal }: HookCall): Promise<Finished> {
  const tracked = processes.track(child, letGo);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  // A hook that does not read its input is none the worse for it.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(payload)}\n`);
  let terminated: Promise<void> | undefined;
  const onAbort = () => {
    terminated = tracked.terminate();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const exit = await tracked.exited;
    await terminated;
    signal.throwIfAborted();
    await Promise.race([Promise.all([stdout.closed, stderr.closed]), pause(outputGraceMs)]);
    return { ...exit, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    signal.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
    processes.release(tracked);
  }
}

function collect(stream: Readable): { readonly closed: Promise<void>; text(): string } {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < maxOutputBytes) chunks.push(chunk.subarray(0, maxOutputBytes - size));
    size += chunk.length;
  });
  const closed = new Promise<void>((resolve) => {
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
  return { closed, text: () => Buffer.concat(chunks).toString('utf8') };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
