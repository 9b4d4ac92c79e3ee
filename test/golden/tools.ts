import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type ModelServer,
  type Reply,
  robotaBin,
  robotaVersion,
  startModelServer,
} from '@robota-sdk/agent-testing';
import { createNormaliser, type NormaliseOptions } from './normalise.ts';

/** A language that the corpus is recorded in. */
export type Language = 'en' | 'de';

/** A part of the corpus: what it records, as texts by file name. */
export interface Section {
  /** The folder of its files below `recorded/<language>/`. */
  readonly name: string;
  record(language: Language, tools: GoldenTools): Promise<Readonly<Record<string, string>>>;
}

/** Files of a home or project by relative path; values that are not texts are written as JSON. */
export type Files = Readonly<Record<string, string | Uint8Array | object>>;

/** How the program is started. */
export interface RunOptions {
  /** The home directory; a new one if absent. */
  readonly home?: string;
  /** The directory it works in; the home if absent. */
  readonly cwd?: string;
  /** Standard input; closed if absent. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Output of a run of the program, and how it ended. */
interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string;
}

/** The means that sections record with. */
export interface GoldenTools {
  /** The folder with the fixtures of the corpus. */
  readonly fixtures: string;
  /** Environment of every process: the language, the time zone and the search path, without a home. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a temporary home. */
  home(files?: Files): Promise<string>;
  /** Makes a temporary project. */
  folder(files?: Files): Promise<string>;
  /** Runs the built program; a few at a time, however many are asked for. */
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Does other work that keeps a core busy, counted with the runs. */
  limited<T>(work: () => Promise<T>): Promise<T>;
  /** Starts a model server that gives these answers in order. It ends with the recording. */
  modelServer(replies: readonly Reply[]): Promise<ModelServer>;
  /** Replaces what differs from run to run by stable tokens, numbered in order of first appearance. */
  normalise(text: string, options?: NormaliseOptions): string;
  /** One text of an outcome, normalised. */
  transcript(outcome: Outcome, options?: NormaliseOptions): string;
}

/** Opens the tools for one language; `close` ends the servers. */
export async function openTools(
  language: Language,
  folder: string,
): Promise<{ readonly tools: GoldenTools; close(): Promise<void> }> {
  const servers: ModelServer[] = [];
  const { learn, learnFolder, normalise } = createNormaliser({
    version: robotaVersion,
    root: dirname(dirname(folder)),
    temporary: tmpdir(),
  });
  const limited = limiter(2);
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const locale = language === 'de' ? 'de_DE.UTF-8' : 'en_US.UTF-8';
  const env = { PATH, NODE_COMPILE_CACHE, LANG: locale, LC_ALL: locale, TZ: 'UTC' };
  const make = async (kind: 'home' | 'folder', files: Files) => {
    const path = await realpath(await mkdtemp(join(tmpdir(), `${kind}-`)));
    learnFolder(kind, path);
    for (const [name, content] of Object.entries(files)) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      const isRaw = typeof content === 'string' || content instanceof Uint8Array;
      const bytes = isRaw ? content : JSON.stringify(content, null, 2);
      learn(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8'));
      await writeFile(file, bytes);
    }
    return path;
  };
  const home = (files: Files = {}) => make('home', files);
  const tools: GoldenTools = {
    fixtures: join(folder, 'fixtures'),
    env,
    home,
    folder: (files = {}) => make('folder', files),
    run: async (args, options = {}) => {
      const given = options.home ?? (await home());
      return limited(() => runProgram(args, { ...options, home: given, env: { ...env, ...options.env } }));
    },
    limited,
    modelServer: async (replies) => {
      const server = await startModelServer();
      servers.push(server);
      server.reply(...replies);
      return server;
    },
    normalise,
    transcript: (outcome, options) => normalise(describeOutcome(outcome), options),
  };
  return {
    tools,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function runProgram(
  args: readonly string[],
  { home, cwd = home, input, env }: RunOptions & { readonly home: string },
): Promise<Outcome> {
  const child = spawn(process.execPath, [robotaBin, ...args], {
    cwd,
    env: { HOME: home, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr?.on('data', (bytes: Buffer) => stderr.push(bytes));
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const text = (parts: readonly Buffer[]) => Buffer.concat(parts).toString('utf8');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ stdout: text(stdout), stderr: text(stderr), code: code ?? signal ?? 'lost' }),
    );
  });
}

function describeOutcome({ stdout, stderr, code }: Outcome): string {
  return `${part('standard output', stdout)}${part('standard error', stderr)}── exit ${code}\n`;
}

function part(name: string, text: string): string {
  if (text === '') return `── ${name}: empty\n`;
  return `── ${name}\n${text}${text.endsWith('\n') ? '' : '\n── (without a line end)\n'}`;
}

/** Lets that many works run at the same time. */
function limiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
