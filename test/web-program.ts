import { type ChildProcess, spawn } from 'node:child_process';
import { robotaBin, sharedCode } from '@robota-sdk/agent-testing';

/** `robota web` in a process of its own. */
export interface WebProgram {
  readonly child: ChildProcess;
  /** The address that it printed. */
  readonly address: string;
  readonly origin: string;
  readonly token: string;
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Ends it as Ctrl+C does, and resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

interface WebProgramOptions {
  readonly cwd: string;
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it and waits for its address. */
export async function startWeb({ cwd, home, args = [], env = {} }: WebProgramOptions): Promise<WebProgram> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [robotaBin, 'web', ...args], {
    cwd,
    env: { PATH, HOME: home, LANG: 'C.UTF-8', ...sharedCode(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [line, rest] = output.stdout.split('\n');
      if (line !== undefined && rest !== undefined) resolve(line);
    });
    child.once('close', () => reject(new Error(`robota web ended: ${output.stderr}`)));
  });
  const [origin = '', token = ''] = address.split('/#');
  return {
    child,
    address,
    origin,
    token,
    output: () => ({ ...output }),
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return exited;
    },
  };
}
