import { type ChildProcess, spawn } from 'node:child_process';

/** A call of git. */
export interface GitLaunch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | Uint8Array;
}

/** The end of a call: its output, or the reason why there is none. */
export type GitEnd =
  | { readonly code: number | null; readonly stdout: Uint8Array; readonly stderr: string }
  | { readonly problem: string };

const mostErrorText = 64 * 1024;

/** Starts git in a group of its own: a fetch has helpers, such as ssh, which have to end with it. */
export function startGit(
  { program, args, cwd, env, input }: GitLaunch,
  ended: (end: GitEnd) => void,
): ChildProcess {
  const detached = process.platform !== 'win32';
  const child = spawn(program, args, { cwd, env, stdio: 'pipe', detached, windowsHide: true });
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < mostErrorText) stderr += text;
  });
  child.once('error', (error) => ended({ problem: error.message }));
  child.once('close', (code) => ended({ code, stdout: Buffer.concat(chunks), stderr }));
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return child;
}
