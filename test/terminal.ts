import { spawn } from '@lydell/node-pty';
import { robotaBin } from '@robota-sdk/agent-testing';
import xterm from '@xterm/headless';

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** The emulator answers questions about itself, as most terminals do. */
  readonly hasAnswers?: boolean;
}

/** The command in a real pseudo-terminal, its output read by a real terminal emulator. */
export interface Terminal {
  /** Every byte that reached the terminal. */
  readonly raw: string;
  /** What a person sees, scrollback included, without trailing blanks. */
  screen(): Promise<string>;
  /** The rows that are in sight, without trailing blanks. */
  viewport(): Promise<readonly string[]>;
  /** Where the cursor is in sight, counted from 0. */
  cursor(): Promise<{ readonly column: number; readonly row: number }>;
  /** Gives the window another size. */
  resize(columns: number, rows: number): void;
  /** Whether every character of a text on the screen is dim. */
  isDim(text: string): Promise<boolean>;
  /** Waits until the screen shows a text. */
  shows(text: string | RegExp): Promise<string>;
  /** Types as a person does, who reads a question before answering it. */
  type(keys: string): void;
  /** Sends keys at once, whatever the screen shows. */
  send(keys: string): void;
  /** Closes the window: the terminal is gone for the process. */
  hangUp(): void;
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<number>;
}

const patienceMs = 10_000;
/** Longer than what arrives counts as typed before a question was seen. */
const readingMs = 250;
/** A question at the end of the screen: with its ways out, or a title behind an empty line. */
const question = /\(Enter[^)]*\):?$|(?:^|\n)\n[^\n]+(?:\n {2}[^\n]*)*\n>$/;

/** Starts `robota` with the given words in a terminal. */
export function openTerminal(args: readonly string[], options: TerminalOptions): Terminal {
  const { columns: cols = 100, rows = 40 } = options;
  const emulator = new xterm.Terminal({ cols, rows, scrollback: 5000, allowProposedApi: true });
  const child = spawn(process.execPath, [robotaBin, ...args], {
    cols,
    rows,
    cwd: options.cwd,
    name: options.env?.['TERM'] ?? 'xterm-256color',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: options.home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...options.env,
    },
  });
  if (options.hasAnswers) emulator.onData((answer) => child.write(answer));
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
  const screen = async () => {
    await new Promise<void>((resolve) => emulator.write('', resolve));
    const { active } = emulator.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  };
  const viewport = async () => {
    const lines = (await screen()).split('\n');
    const { baseY } = emulator.buffer.active;
    return lines.slice(baseY, baseY + emulator.rows);
  };
  const cursor = async () => {
    await screen();
    const { cursorX, cursorY } = emulator.buffer.active;
    return { column: cursorX, row: cursorY };
  };
  const isDim = async (text: string) => {
    await screen();
    const { active } = emulator.buffer;
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row);
      const column = line?.translateToString(true).indexOf(text) ?? -1;
      if (!line || column < 0) continue;
      return Array.from(text).every((_, index) => line.getCell(column + index)?.isDim());
    }
    throw new Error(`The terminal does not show ${text}.`);
  };
  const shows = async (text: string | RegExp) => {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const shown = await screen();
      if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return shown;
      if (exited || performance.now() > deadline)
        throw new Error(`The terminal never showed ${text}:\n${shown}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    get raw() {
      return raw;
    },
    screen,
    viewport,
    cursor,
    resize: (columns, height) => {
      child.resize(columns, height);
      emulator.resize(columns, height);
    },
    isDim,
    shows,
    type: typist({ screen, paintedAt: () => paintedAt, write: (keys) => exited || child.write(keys) }),
    send: (keys) => child.write(keys),
    // The declarations leave it out.
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    kill: (signal) => child.kill(signal),
    exit,
  };
}

interface TypistOptions {
  screen(): Promise<string>;
  /** When something last reached the terminal. */
  paintedAt(): number;
  write(keys: string): void;
}

function typist({ screen, paintedAt, write }: TypistOptions): (keys: string) => void {
  let typedAt = 0;
  let typing = Promise.resolve();
  const quietFor = async (milliseconds: number) => {
    const deadline = performance.now() + 2 * readingMs;
    while (performance.now() < Math.min(deadline, Math.max(typedAt, paintedAt()) + milliseconds))
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return (keys) => {
    typing = typing.then(async () => {
      await quietFor(30);
      if (question.test(await screen())) await quietFor(readingMs);
      write(keys);
      typedAt = performance.now();
    });
  };
}
