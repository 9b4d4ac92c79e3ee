import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AgentError, nodeForFiles, signalTree } from '@robota-sdk/agent-core';
import { type GitEnd, type GitLaunch, startGit } from './start-git.ts';

export type ToStarter =
  | { readonly id: number; readonly launch: GitLaunch }
  | { readonly id: number; readonly signal: NodeJS.Signals };

export interface FromStarter {
  readonly id: number;
  readonly end: GitEnd;
}

interface GitLimits {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** Runs git; ends it when it is aborted or takes too long. */
export async function runGitProcess(
  launch: GitLaunch,
  { signal, timeoutMs }: GitLimits,
): Promise<Exclude<GitEnd, { readonly problem: string }>> {
  let killer: NodeJS.Timeout | undefined;
  let send = (_: NodeJS.Signals): void => undefined;
  // Asked to end, git removes its lock files.
  const stop = () => {
    send('SIGTERM');
    killer ??= setTimeout(() => send('SIGKILL'), killDelayMs);
  };
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  const end = await new Promise<GitEnd>((resolve) => {
    send = process.platform === 'win32' ? startHere(launch, resolve) : startAside(launch, resolve);
  });
  clearTimeout(timer);
  clearTimeout(killer);
  signal?.removeEventListener('abort', stop);
  if ('problem' in end) throw new AgentError('config', `git cannot be started: ${end.problem}.`);
  return end;
}

const killDelayMs = 2_000;

type Signaller = (signal: NodeJS.Signals) => void;

function startHere(launch: GitLaunch, ended: (end: GitEnd) => void): Signaller {
  const { pid } = startGit(launch, ended);
  return (signal) => void (pid !== undefined && signalTree(pid, signal));
}

/**
 * To start a process copies the page table of the one that does it, which waits meanwhile: with an embedded database this takes
 * longer than most calls of git. So a small process starts them.
 */
class GitStarter {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (end: GitEnd) => void>();
  #last = 0;

  constructor() {
    const program = fileURLToPath(new URL('../../../dist/workspace/git/git-main.js', import.meta.url));
    this.#child = fork(program, [], {
      execPath: nodeForFiles('A call of git'),
      execArgv: [],
      // No directory of a task stays in use.
      cwd: '/',
      // A signal of the terminal is for its parent, which decides.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.#child.on('message', ({ id, end }: FromStarter) => this.#end(id, end));
    this.#child.on('error', () => this.#lost());
    this.#child.once('exit', () => this.#lost());
    this.#child.once('disconnect', () => this.#lost());
    this.#hold();
  }

  start(launch: GitLaunch, ended: (end: GitEnd) => void): Signaller {
    const id = ++this.#last;
    this.#waiting.set(id, ended);
    this.#hold();
    this.#send({ id, launch });
    return (signal) => this.#send({ id, signal });
  }

  #send(message: ToStarter): void {
    if (this.#child.connected) this.#child.send(message, (error) => error && this.#lost());
    else this.#lost();
  }

  #end(id: number, end: GitEnd): void {
    const ended = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#hold();
    ended?.(end);
  }

  #lost(): void {
    if (starter === this) starter = undefined;
    for (const id of [...this.#waiting.keys()])
      this.#end(id, { problem: 'the process that starts it ended' });
  }

  /** Keeps this process alive only while a call is under way. */
  #hold(): void {
    const { channel } = this.#child;
    if (this.#waiting.size > 0) channel?.ref();
    else channel?.unref();
    this.#child.unref();
  }
}

let starter: GitStarter | undefined;

function startAside(launch: GitLaunch, ended: (end: GitEnd) => void): Signaller {
  starter ??= new GitStarter();
  return starter.start(launch, ended);
}
