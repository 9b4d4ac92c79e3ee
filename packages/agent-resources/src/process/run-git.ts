import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import {
  AgentError,
  endSentence,
  findProgram,
  groupOptions,
  orElse,
  signalTree,
  trustedSearchPath,
} from '@robota-sdk/agent-core';
import { findProxy } from '@robota-sdk/agent-http';

export interface GitOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Exit codes besides 0 that are not failures. */
  readonly accepted?: readonly number[];
  /** git's own variables, which are not taken from the environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

const defaultTimeoutMs = 120_000;
const maxOutput = 64 * 1024;

/** Nothing a repository brings may run or reach elsewhere while it is fetched. */
const safeSettings = (
  'core.hooksPath=/dev/null core.fsmonitor=false core.symlinks=true core.autocrlf=false ' +
  'protocol.ext.allow=never submodule.recurse=false fetch.recurseSubmodules=false ' +
  'fetch.fsckObjects=true advice.detachedHead=false gc.auto=0 maintenance.auto=false'
).split(' ');

/** Runs git with an argument list, never through a shell; returns its output. */
export async function runGit(words: readonly string[], options: GitOptions): Promise<string> {
  const settings = safeSettings.flatMap((setting) => ['-c', setting]);
  const program = findProgram('git', options);
  if (program === undefined) throw gitError('ENOENT', '');
  const child = spawn(program, [...settings, ...words], {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...groupOptions(),
    env: {
      ...withoutGit(options.env),
      PATH: trustedSearchPath(options).join(delimiter),
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_SSH_COMMAND: options.env.GIT_SSH_COMMAND ?? 'ssh -o BatchMode=yes',
      ...options.variables,
    },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      if (output[name].length < maxOutput) output[name] += text;
    });
  const stop = () => child.pid !== undefined && signalTree(child.pid, 'SIGKILL');
  const timer = setTimeout(stop, options.timeoutMs ?? defaultTimeoutMs);
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    if (options.signal?.aborted) stop();
    const code = await new Promise<number | string | null>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      child.once('close', (exit) => resolve(exit));
    });
    options.signal?.throwIfAborted();
    if (code === 0 || options.accepted?.some((each) => each === code)) return output.stdout;
    throw gitError(code, output.stderr);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', stop);
  }
}

function gitError(code: number | string | null, stderr: string): AgentError {
  if (code === 'ENOENT')
    return new AgentError(
      'config',
      'git is not installed, and this source needs it. Install git and try again.',
    );
  if (code === null) return new AgentError('config', 'git took too long and was stopped. Try again later.');
  const lines = stderr.split('\n').filter((line) => /^(?:fatal|error|remote):/.test(line));
  const said = (lines.join(' ') || stderr.trim() || `exit code ${code}`).slice(0, 500);
  const isFar = /Could not resolve|Failed to connect|unable to access/.test(said);
  const advice = isFar ? ` Check the address${proxyOf(said)} and the network.` : '';
  return new AgentError('config', `git says: ${isFar ? endSentence(said) : said}${advice}`);
}

/** The proxy that git uses for the address of its message. */
function proxyOf(said: string): string {
  const [, address = ''] = /unable to access '([^']+)'/.exec(said) ?? [];
  const proxy = URL.canParse(address) ? orElse(() => findProxy(new URL(address)), undefined) : undefined;
  return proxy ? `, the proxy ${proxy.label} (${proxy.variable})` : '';
}

/** Variables of a surrounding git command, such as a hook, would point to its repository. */
function withoutGit(env: GitOptions['env']): Record<string, string | undefined> {
  const kept = ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_ASKPASS', 'GIT_CONFIG_GLOBAL'];
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || kept.includes(name)),
  );
}
