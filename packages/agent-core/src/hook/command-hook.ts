import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { powershellWords, userShellWords } from '../platform/shells.ts';
import { groupOptions } from '../process/end-process-tree.ts';
import { guarded, startGroupWatchdog } from '../process/group-watchdog.ts';
import { startTimer } from '../process/start-timer.ts';
import {
  backgroundLimit,
  type HookAnswer,
  noReason,
  parseHookOutput,
  parseLateOutput,
} from './hook-answer.ts';
import type { HookCall, HookExecutor } from './hook-executor.ts';

/** Output limit per stream; the rest is dropped. */
const maxOutputBytes = 1024 * 1024;
/** How long to wait for output of processes the command left running. */
const outputGraceMs = 250;
/** The shell could not run the command at all. */
const notRunnable = [126, 127];

/** Default time limit of a hook in seconds. */
const usualLimit = 600;
/** Maximum length of the line that announces a background hook. */
const maxFirstLine = 4096;

/**
 * Runs a hook as a shell command, or as a program if it has `args`, with the payload on stdin. Exit code 0 is an answer
 * (stdout), 2 is a refusal (stderr), any other code a warning. A command that is missing or killed has failed. The output
 * of a `statusLine` is always text. A hook with `async` or `asyncRewake`, or that prints `{"async": true}` first, continues
 * in the background.
 */
export const commandHook: HookExecutor = {
  timeout: usualLimit,
  run: async (call) => {
    const { definition, signal } = call;
    const limit = typeof definition.timeout === 'number' ? definition.timeout : usualLimit;
    const stop = new AbortController();
    const forward = () => stop.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    try {
      const started = await spawnHook(call);
      if (signal.aborted) forward();
      const running = follow(started, { call, signal: stop.signal });
      const isBackground = definition.async === true || definition.asyncRewake === true;
      const isText = definition.type === 'statusLine';
      const wait = () =>
        isText ? running.finished : Promise.race([running.finished, running.announced(limit)]);
      const first = isBackground ? limit : await wait();
      if (typeof first !== 'number')
        return isText && first.code === 0 ? { text: first.stdout } : answerOf(first);
      const later = lateAnswer(running.finished, { stop, seconds: first });
      // The caller may ignore it.
      later.catch(() => {});
      return { later };
    } finally {
      signal.removeEventListener('abort', forward);
    }
  },
};

/** The answer of a background hook; the hook is stopped after its time limit. */
async function lateAnswer(
  finished: Promise<Finished>,
  { stop, seconds }: { readonly stop: AbortController; readonly seconds: number },
): Promise<HookAnswer> {
  const expire = () => stop.abort(new Error(`it took longer than ${seconds} s in the background`));
  const timer = startTimer(seconds * 1000, expire);
  try {
    const { stdout, ...rest } = await finished;
    const said = rest.stderr.trim() === '' ? stdout : rest.stderr;
    if (rest.code !== 0) return answerOf({ ...rest, stdout, stderr: said });
    const [head = ''] = stdout.split('\n', 1);
    const isAnnounced = backgroundLimit(head, seconds) !== undefined;
    return parseLateOutput(isAnnounced ? stdout.slice(head.length) : stdout);
  } finally {
    timer.cancel();
  }
}

interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

function answerOf({ code, signal, stdout, stderr }: Finished): HookAnswer {
  if (code === 0) return parseHookOutput(stdout);
  const said = stderr.trim();
  if (code === 2) return { block: said === '' ? noReason : said };
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

/** A running hook, and how to tell the watchdog that all its processes have ended. */
interface Guarded {
  readonly child: Started;
  readonly letGo: () => void;
}

async function spawnHook({
  definition,
  cwd,
  env,
  enclose = (argv) => [...argv],
}: HookCall): Promise<Guarded> {
  const words = enclose(wordsOf(definition, env));
  const [{ spawn }, watchdog] = await Promise.all([import('node:child_process'), startGroupWatchdog()]);
  const [file = '', ...args] = watchdog ? guarded(words) : words;
  const child = spawn(file, args, {
    cwd,
    env,
    ...groupOptions(),
    windowsVerbatimArguments: definition.args === undefined,
    stdio: ['pipe', 'pipe', 'pipe', ...(watchdog ? [watchdog.channel] : [])],
  });
  if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
  return { child: child as Started, letGo: watchdog?.guard(child.pid) ?? (() => {}) };
}

/** The program and its arguments: the hook's own if it has `args`, otherwise a shell's. */
function wordsOf({ command, args, shell }: HookCall['definition'], env: HookCall['env']): readonly string[] {
  if (typeof command !== 'string' || command.trim() === '') throw new Error('it has no "command"');
  if (args === undefined) return shell === 'powershell' ? powershellWords(command) : userShellWords(command);
  const isList = Array.isArray(args) && args.every((each) => typeof each === 'string');
  if (!isList) throw new Error('its "args" must be a list of strings');
  return [command, ...(args as readonly string[])].map((word) => withFolders(word, env));
}

/** Without a shell, folder variables must be expanded here. */
function withFolders(word: string, env: HookCall['env']): string {
  return word.replace(
    /\$\{((?:CLAUDE|ROBOTA)_(?:PROJECT_DIR|PLUGIN_\w+))\}/g,
    (all, name: string) => env[name] ?? all,
  );
}

function follow(
  { child, letGo }: Guarded,
  { call, signal }: { readonly call: HookCall; readonly signal: AbortSignal },
) {
  const tracked = call.processes.track(child, letGo);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  // A hook may ignore its input.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(call.payload)}\n`);
  const finish = async (): Promise<Finished> => {
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
      call.processes.release(tracked);
    }
  };
  return { finished: finish(), announced: (usual: number) => announcement(child.stdout, stdout.text, usual) };
}

/** Waits for a first line that announces a background hook; never resolves otherwise. */
function announcement(stream: Readable, printed: () => string, usual: number): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const text = printed();
      const end = text.indexOf('\n');
      if (end === -1 && text.length < maxFirstLine) return;
      stream.off('data', look);
      const seconds = end === -1 ? undefined : backgroundLimit(text.slice(0, end), usual);
      if (seconds !== undefined) resolve(seconds);
    };
    stream.on('data', look);
  });
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
