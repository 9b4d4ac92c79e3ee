import type { Socket } from 'node:net';
import { type IPty, spawn } from '@lydell/node-pty';
import { robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import { parseArguments } from '../packages/agent-cli/src/arguments/args.ts';
import { type CellStyle, Emulator } from './emulator.ts';

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** The emulator answers questions about itself, as most terminals do. */
  readonly hasAnswers?: boolean;
  /** Rows stay what they are when the width changes. */
  readonly keepsRows?: boolean;
  /** Another program, such as a shell that starts the command; it finds what to run in `$NODE` and `$ROBOTA`. */
  readonly program?: string;
}

/** The command in a real pseudo-terminal, its output read by a real terminal emulator. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** Every byte that reached the terminal. */
  readonly raw: string;
  /** The visible text, scrollback included, without trailing blanks. */
  screen(): Promise<string>;
  /** The rows that are in sight, without trailing blanks. */
  viewport(): Promise<readonly string[]>;
  /** The position of the visible cursor, counted from 0. */
  cursor(): Promise<{ readonly column: number; readonly row: number }>;
  /** Gives the window another size. */
  resize(columns: number, rows: number): void;
  /** The text that a mouse selection copies, from the first character of one text to the last of another. */
  copied(first: string, last: string): Promise<string>;
  /** True if every character of a text on the screen is dim. */
  isDim(text: string): Promise<boolean>;
  /** How a text on the screen is shown, by its first character; the last such text where there are several. */
  styleOf(text: string): Promise<CellStyle>;
  /** Waits until the screen shows a text. */
  shows(text: string | RegExp): Promise<string>;
  /** Types like a user who reads a question before answering it. */
  type(keys: string): void;
  /** Sends keys at once, whatever the screen shows. */
  send(keys: string): void;
  /** Stops reading the process's output until resumed. */
  pause(): void;
  goOn(): void;
  /** Closes the window: the terminal is gone for the process. */
  hangUp(): void;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<number>;
}

const patienceMs = 30_000;
/** Longer than what arrives counts as typed before a question was seen. */
const readingMs = 400;
/** A question at the end of the screen: with its ways out, or a title behind an empty line. */
const question = /\(Enter[^)]*\):?$|(?:^|\n)\n[^\n]+(?:\n {2}[^\n]*)*\n>$/;
/** The same on a screen, where it takes the place of the editor. */
const screenQuestion =
  /\n(?:enter (?:select|answer|deny|show more)|1-\d jump|You were typing)[^\n]*\n(?:[^\n]*\n){0,6}[^\n]*$/;
const screenReadingMs = 600;
/** After this a lone escape is no beginning of anything. */
const escapeMs = 120;

/** Starts `robota` with the given words in a terminal. */
export function openTerminal(args: readonly string[], options: TerminalOptions): Terminal {
  const { columns = 100, rows = 40 } = options;
  const emulator = new Emulator(columns, rows, options);
  const child = start(args, { ...options, columns, rows });
  const closeAtOnce = readBeforeClosing(child);
  if (options.hasAnswers) emulator.onAnswer((answer) => child.write(answer));
  let raw = '';
  let exited = false;
  let paintedAt = performance.now();
  child.onData((data) => {
    paintedAt = performance.now();
    raw += data;
    emulator.write(data);
  });
  const exit = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      exited = true;
      resolve(exitCode);
    });
  });
  const screen = () => emulator.screen();
  return {
    columns,
    rows,
    get raw() {
      return raw;
    },
    screen,
    viewport: () => emulator.viewport(),
    cursor: () => emulator.cursor(),
    resize: (width, height) => {
      // A terminal has changed before its program hears of it.
      emulator.resize(width, height);
      child.resize(width, height);
    },
    copied: (first, last) => emulator.copied(first, last),
    isDim: async (text) => (await emulator.stylesOf(text)).every(({ isDim }) => isDim),
    styleOf: async (text) => (await emulator.stylesOf(text))[0] as CellStyle,
    shows: (text) => waitFor(text, { screen, isOver: () => exited }),
    type: typist({ screen, paintedAt: () => paintedAt, write: (keys) => exited || child.write(keys) }),
    send: (keys) => child.write(keys),
    pause: () => child.pause(),
    goOn: () => child.resume(),
    hangUp: () => {
      closeAtOnce();
      // The declarations leave it out.
      (child as unknown as { destroy(): void }).destroy();
    },
    pid: child.pid,
    kill: (signal) => child.kill(signal),
    exit,
  };
}

/** How long output may take to arrive after the end of the process; longer if others hold the terminal open. */
const lastOutputMs = 3_000;

/**
 * Lets the output end by itself: node-pty closes the terminal 200 ms after the process ended, and drops what a busy
 * system has not passed on by then. Returns how to close it at once again.
 */
function readBeforeClosing(child: IPty): () => void {
  // The declarations leave it out.
  const { _socket: socket } = child as unknown as { readonly _socket: Socket };
  const close = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (error || socket.readableEnded) return close(error);
    setTimeout(close, lastOutputMs).unref();
    return socket;
  };
  return () => {
    socket.destroy = close;
  };
}

/** A prompt of a single word counts only behind `--`. */
function asPrompt(args: readonly string[]): readonly string[] {
  const isCommand = commands.has(args[0] ?? '');
  const [word = '', ...more] = isCommand ? [] : parseArguments(args).words;
  if (more.length > 0 || !/^[a-z]+$/.test(word) || args.includes('--')) return args;
  return [...args.toSpliced(args.lastIndexOf(word), 1), '--', word];
}

const commands: ReadonlySet<string> = new Set([
  'doctor',
  'fleet',
  'login',
  'logout',
  'sessions',
  'permissions',
  'config',
  'plugin',
  'mcp',
  'schema',
  'acp',
  'demo',
  'help',
]);

function start(args: readonly string[], options: TerminalOptions & { columns: number; rows: number }) {
  const { program, columns: cols, rows, cwd, home, env } = options;
  const [file, words] =
    program === undefined ? [process.execPath, [robotaBin, ...asPrompt(args)]] : [program, args];
  return spawn(file, [...words], {
    cols,
    rows,
    cwd,
    name: env?.['TERM'] ?? 'xterm-256color',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...sharedCode(),
      ...(program === undefined ? {} : { NODE: process.execPath, ROBOTA: robotaBin }),
      ...env,
    },
  });
}

async function waitFor(
  text: string | RegExp,
  { screen, isOver }: { screen(): Promise<string>; isOver(): boolean },
): Promise<string> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const wasOver = isOver();
    const shown = await screen();
    if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return shown;
    if (wasOver || performance.now() > deadline)
      throw new Error(`The terminal never showed ${text}:\n${shown}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface TypistOptions {
  screen(): Promise<string>;
  /** When something last reached the terminal. */
  paintedAt(): number;
  write(keys: string): void;
}

function typist({ screen, paintedAt, write }: TypistOptions): (keys: string) => void {
  let typedAt = 0;
  let isEscape = false;
  let typing = Promise.resolve();
  const quietFor = async (milliseconds: number) => {
    const deadline = performance.now() + 2 * readingMs;
    while (performance.now() < Math.min(deadline, Math.max(typedAt, paintedAt()) + milliseconds))
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return (keys) => {
    typing = typing.then(async () => {
      await quietFor(isEscape ? escapeMs : 30);
      const shown = await screen();
      if (question.test(shown)) await quietFor(readingMs);
      else if (screenQuestion.test(shown)) await quietFor(screenReadingMs);
      write(keys);
      isEscape = keys.endsWith('\u001b');
      typedAt = performance.now();
    });
  };
}
