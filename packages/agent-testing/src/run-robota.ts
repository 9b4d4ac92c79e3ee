import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RobotaOptions {
  readonly cwd: string;
  /** The home directory; an empty one unless given. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; closed if absent. */
  readonly input?: string | Uint8Array;
  /** Called with all of standard output so far; may send signals. */
  readonly onOutput?: (stdout: string, process: { kill(signal: NodeJS.Signals): void; pid: number }) => void;
  readonly onError?: (stderr: string, process: { kill(signal: NodeJS.Signals): void; pid: number }) => void;
}

export interface RobotaResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The version of the command, as its package names it. */
export const robotaVersion = (
  JSON.parse(readFileSync(new URL('../../agent-cli/package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  }
).version;

/** The built command. */
export const robotaBin = fileURLToPath(new URL('../../agent-cli/dist/bin.js', import.meta.url));

/**
 * Environment that lets every start of the command in a test run share its compiled code. Each has a new home, so each
 * would compile everything again.
 */
export function sharedCode(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return folder ? { NODE_COMPILE_CACHE: folder } : {};
}

/** A fresh directory with its symlinks resolved. */
export async function temporaryDirectory(name = 'robota-test'): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
}

/** Runs the built command like a user, in a process that inherits only the PATH. */
export async function runRobota(args: readonly string[], options: RobotaOptions): Promise<RobotaResult> {
  const home = options.home ?? (await temporaryDirectory('robota-home'));
  const child = spawn(process.execPath, [robotaBin, ...args], {
    cwd: options.cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      ...(hasOwnHome(options) ? {} : sharedCode()),
      ...options.env,
    },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const handle = { kill: (signal: NodeJS.Signals) => void child.kill(signal), pid: child.pid ?? 0 };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    options.onOutput?.(stdout, handle);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    options.onError?.(stderr, handle);
  });
  child.stdin?.on('error', () => {});
  if (options.input !== undefined) child.stdin?.end(options.input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Tests about unusual homes also test how compiled code is kept there. */
function hasOwnHome({ env = {} }: RobotaOptions): boolean {
  return 'HOME' in env || 'ROBOTA_HOME' in env;
}
