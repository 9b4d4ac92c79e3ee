import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AgentError,
  atExit,
  describeExit,
  guarded,
  signalGroup,
  startGroupWatchdog,
} from '@robota-sdk/agent-core';
import { httpFetch } from '@robota-sdk/agent-http';

/** How a model server is started, and how a session reaches it. */
export interface ServerPlan {
  readonly program: 'ollama' | 'llama-server';
  /** The words behind the program. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Answers with a success once the model can be used. */
  readonly readyUrl: string;
  /** Variables with which a session finds the server. */
  readonly sessionEnv: Readonly<Record<string, string>>;
  /** The model as sessions name it. */
  readonly model: string;
}

interface PlanOptions {
  readonly program: ServerPlan['program'];
  /** A name of Ollama, a GGUF file, or a repository of Hugging Face. */
  readonly model: string;
  readonly port: number;
  /** Tokens of the window. */
  readonly window: number;
  readonly keepAlive: string;
}

/** The command line and the environment with which a server fits a session. */
export function planServer({ program, model, port, window, keepAlive }: PlanOptions): ServerPlan {
  const host = `127.0.0.1:${port}`;
  if (program === 'ollama')
    return {
      program,
      words: ['serve'],
      env: {
        OLLAMA_HOST: host,
        OLLAMA_CONTEXT_LENGTH: String(window),
        OLLAMA_KEEP_ALIVE: keepAlive,
        OLLAMA_NUM_PARALLEL: '1',
      },
      readyUrl: `http://${host}/api/version`,
      sessionEnv: { OLLAMA_HOST: host },
      model: `ollama/${model}`,
    };
  const isFile = model.toLowerCase().endsWith('.gguf');
  return {
    program,
    // Without --jinja the template of the model, and with it its tools, would not be used.
    words: [
      ...(isFile ? ['-m', model] : ['-hf', model]),
      ...['-c', String(window), '--parallel', '1', '--jinja', '--host', '127.0.0.1', '--port', String(port)],
    ],
    env: {},
    readyUrl: `http://${host}/health`,
    sessionEnv: { LLAMA_CPP_BASE_URL: `http://${host}/v1` },
    model: `llama.cpp/${isFile ? nameOfFile(model) : model}`,
  };
}

function nameOfFile(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.gguf$/i, '');
}

/** A server that this process started. */
interface RunningServer {
  readonly pid: number;
  /** Ends it; the error says that it had ended before. */
  stop(): Promise<AgentError | undefined>;
}

interface StartOptions {
  /** The file of the program. */
  readonly file: string;
  /** Its environment, without keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of lines that the server prints while it starts. */
  onLine?(line: string): void;
}

/** A model may have to be downloaded or read from a slow disk. */
const patienceMs = 30 * 60_000;
const pollMs = 100;
const keptLines = 12;

/**
 * Starts a server and waits until it is ready. It ends with `stop`, with this process, and also where this process is
 * killed: a watchdog ends its group then.
 */
export async function startLocalServer(plan: ServerPlan, options: StartOptions): Promise<RunningServer> {
  const { env, onLine } = options;
  const watchdog = await startGroupWatchdog();
  const line = [options.file, ...plan.words] as const;
  const [file, ...words] = watchdog ? guarded(line) : line;
  const child = spawn(file, words, {
    env: { ...env, ...plan.env },
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(watchdog ? [watchdog.channel] : [])],
  });
  const { pid } = child;
  if (pid === undefined)
    throw notStarted(plan, await new Promise<Error>((resolve) => child.once('error', resolve)));
  const letGo = watchdog?.guard(pid);
  const leader = {
    pid,
    startedAt: performance.now(),
    get isReaped() {
      return hasEnded(child);
    },
  };
  const forget = atExit(() => signalGroup(leader, 'SIGKILL'));
  const lines = followLines(child, onLine);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    const failure = hasEnded(child)
      ? failed(plan, `ended during the session${exitOf(child)}`, lines)
      : undefined;
    forget();
    signalGroup(leader, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(leader, 'SIGKILL'), 3_000);
    await ended;
    clearTimeout(timer);
    // The processes that it started may end later than it, or ignore the signal.
    signalGroup(leader, 'SIGKILL');
    letGo?.();
    return failure;
  };
  await untilReady(child, plan, lines).catch(async (thrown: unknown) => {
    await stop();
    throw thrown;
  });
  return { pid, stop };
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The last lines that a server printed; they are read on while it runs, so that its pipe never fills. */
function followLines(child: ChildProcess, onLine: StartOptions['onLine']): readonly string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      // Downloads tell their progress by carriage returns.
      const parts = (rest + piece).split(/[\r\n]/);
      rest = (parts.pop() ?? '').slice(-2_000);
      for (const part of parts) onLine?.(part);
      lines.push(...parts.map((part) => part.trimEnd()).filter((part) => part !== ''));
      lines.splice(0, Math.max(0, lines.length - keptLines));
    });
  }
  return lines;
}

async function untilReady(child: ChildProcess, plan: ServerPlan, lines: readonly string[]): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    if (hasEnded(child)) break;
    const response = await httpFetch(plan.readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    );
    if (response?.ok) return;
    await sleep(pollMs);
  }
  throw failed(plan, `did not start${exitOf(child)}`, lines);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function exitOf(child: ChildProcess): string {
  const { exitCode: code, signalCode: signal } = child;
  return hasEnded(child) ? ` (${describeExit({ code, signal })})` : '';
}

function failed({ program, words }: ServerPlan, how: string, lines: readonly string[]): AgentError {
  return new AgentError('config', `${program} ${how}.`, {
    details: [[program, ...words].join(' '), ...lines],
  });
}

function notStarted({ program }: ServerPlan, error: Error): AgentError {
  return new AgentError('config', `${program} cannot be started: ${error.message}.`);
}
