import { type ChildProcess, spawn } from 'node:child_process';
import { robotaBin, sharedCode } from '@robota-sdk/agent-testing';

/** `robota web` in a process of its own. */
export interface WebProgram {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
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
    exited,
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

/** Lets a program in as a browser would be, and gives back the headers of its requests. */
export async function enterWeb({ origin, token }: WebProgram): Promise<Readonly<Record<string, string>>> {
  const reply = await fetch(`${origin}/api/enter`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json', 'User-Agent': 'X Chrome/1 Linux' },
    body: JSON.stringify({ token }),
  });
  if (reply.status !== 200) throw new Error(`robota web did not let us in: ${await reply.text()}`);
  const { key } = (await reply.json()) as { key: string };
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { Cookie: cookie, 'Robota-Key': key, 'Sec-Fetch-Site': 'same-origin' };
}
