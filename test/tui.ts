import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anthropicChunks,
  eventStream,
  type Reply,
  robotaVersion,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, expect } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** Keys as terminals send them. */
export const keys = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageUp: '\u001b[5~',
  tab: '\t',
  shiftTab: '\u001b[Z',
  backspace: '\u007f',
  ctrlB: '\u0002',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlG: '\u0007',
  ctrlO: '\u000f',
  ctrlP: '\u0010',
  ctrlT: '\u0014',
  ctrlU: '\u0015',
  ctrlZ: '\u001a',
  altEnter: '\u001b\r',
  altUp: '\u001b[1;3A',
} as const;

/** A text as it is pasted. */
export function pasted(text: string): string {
  return `\u001b[200~${text}\u001b[201~`;
}

/** An empty editor above the line at the foot. */
export const prompt = /\n>(?: (?:Try "|Ask for a )[^\n]*)?\n[─-]+\n[^\n]+$/;

/** The sizes that screens are kept for. */
export const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;

/** How long the path of a project is, so that lines with it break alike everywhere. */
const pathLength = 64;

/** A stage whose project is called `shop`, wherever temporary files are. */
export async function openShop(): Promise<Stage> {
  const filling = pathLength - tmpdir().length - '/-xxxxxx/shop'.length;
  const parent = await temporaryDirectory('x'.repeat(Math.max(1, filling)));
  return openStage(join(parent, 'shop'));
}

/** The same with `view: classic` in the user's settings, whatever else is written there. */
export async function openClassicShop(): Promise<Stage> {
  const stage = await openShop();
  const settings = (value: unknown) =>
    stage.settings(typeof value === 'object' ? { view: 'classic', ...value } : value);
  await settings({});
  return { ...stage, settings };
}

/** The line that closes a run in the compact view. */
export const runEnd = /\n {2}(?:\d+ calls? · )?[\dms.]+ · \S+ in, \S+ out/;

/** Opens the terminal UI with a key and the server for Anthropic, and waits for its prompt. */
async function openTui(
  stage: Stage,
  args: readonly string[] = [],
  options: Partial<TerminalOptions> = {},
): Promise<Terminal> {
  const terminal = startTui(stage, args, options);
  await terminal.shows(/\n[^\n]*(?:Claude|Offline|default)[^\n]*$/);
  return terminal;
}

/** The same without waiting. */
function startTui(
  stage: Stage,
  args: readonly string[] = [],
  options: Partial<TerminalOptions> = {},
): Terminal {
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url, ...options.env };
  const hasModel = options.program === undefined && env.ANTHROPIC_API_KEY !== '';
  const words = hasModel ? ['--model', 'claude-sonnet-4-6', ...args] : args;
  return openTerminal(words, { cwd: stage.cwd, home: stage.home, ...sizes[0], ...options, env });
}

/** The tools of a TUI test file. */
export interface TuiHarness {
  readonly stage: Stage;
  /** The terminal that was opened last. */
  terminal: Terminal | undefined;
  /** Opens the terminal UI on the stage, and waits for its prompt. */
  open(args?: readonly string[], options?: Partial<TerminalOptions>): Promise<Terminal>;
  /** The same without waiting. */
  start(args?: readonly string[], options?: Partial<TerminalOptions>): Terminal;
}

/** Gives each test of a file a new stage and closes what it opened; `after` inspects its terminal before. */
export function tuiHarness(
  openStageFor: () => Promise<Stage>,
  after: (terminal: Terminal) => void = () => {},
): TuiHarness {
  let stage: Stage | undefined;
  const desk: TuiHarness = {
    get stage() {
      if (!stage) throw new Error('There is a stage in tests only.');
      return stage;
    },
    terminal: undefined,
    open: async (args, options) => {
      desk.terminal = await openTui(desk.stage, args, options);
      return desk.terminal;
    },
    start: (args, options) => {
      desk.terminal = startTui(desk.stage, args, options);
      return desk.terminal;
    },
  };
  beforeEach(async () => {
    stage = await openStageFor();
  });
  afterEach(async () => {
    const { terminal } = desk;
    desk.terminal = undefined;
    try {
      if (terminal) after(terminal);
    } finally {
      terminal?.kill('SIGKILL');
      await terminal?.exit;
      await desk.stage.server.close();
    }
  });
  return desk;
}

/** An answer of which so many pieces come, and then nothing more. */
export function hangingAnswer(pieces: readonly string[]): Reply {
  const chunks = anthropicChunks({ text: [...pieces, '<end>'] });
  return eventStream([
    ...chunks.slice(
      0,
      chunks.findIndex((chunk) => chunk.includes('<end>')),
    ),
    { hang: true },
  ]);
}

const settleMs = 200;
const patienceMs = 15_000;

/** Compares the screen with the golden screen of this name and size, ignoring times, ids and paths. */
export async function expectScreen(
  terminal: Terminal,
  name: string,
  stage: Pick<Stage, 'cwd'>,
): Promise<void> {
  const { columns, rows } = terminal;
  const file = join(import.meta.dirname, `fixtures/tui/${name}-${columns}x${rows}.txt`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  const started = performance.now();
  let shown = '';
  let since = started;
  for (;;) {
    const now = performance.now();
    const next = masked(await terminal.viewport(), stage);
    if (next !== shown) since = now;
    shown = next;
    // The screen may still be updating; only a lasting difference fails.
    if (shown === kept || now - started > patienceMs) break;
    if (kept === undefined && now - since > settleMs) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect(shown).toMatchFileSnapshot(file);
}

function masked(rows: readonly string[], { cwd }: Pick<Stage, 'cwd'>): string {
  const text = rows
    .join('\n')
    .replaceAll(cwd, '/'.padEnd(cwd.length - 5, 'x').concat('/shop'))
    // A release changes no screen but this line.
    .replace(`Robota ${robotaVersion}\n`, 'Robota 0.1.0\n')
    .replaceAll(tmpdir(), '/'.padEnd(tmpdir().length, 'x'))
    .replaceAll(/x\/x/g, 'xxx')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '00000000-0000-0000-0000-000000000000')
    .replaceAll(/\d{4}-\d\d-\d\d/g, '2000-01-01')
    .replaceAll(/\d\d:\d\d\b|(?<=2000-01-01 )\d\d?(?=…)/g, '00:00')
    .replaceAll(/(?<=robota-home-)\w{6}/g, 'xxxxxx')
    .replaceAll(/(?<=…|command|[a-z]{4}) \d+s(?= · esc)/g, '')
    .replaceAll(/\b\d+(?:\.\d+)?s\b/g, '0s')
    // How long the instructions are is of no concern here.
    .replaceAll(/(?<=\()[\d.]+K?(?=\/1M\))/g, 'N')
    .replaceAll(/^[❯ ] .* [\d.]+[KM]? {1,4}<?\d+% {3}.*$/gm, (row) =>
      row.replaceAll(/(?<= [−\d.]*)[\d.]+(?=[\d.]*[KM ])|<?\d+(?=%)/g, (number) =>
        '9'.padStart(number.length),
      ),
    )
    .replaceAll(/(?<=^\d changes?: )−[\d.]+K/gm, '−9K');
  return `${text}\n`;
}

/** Neither screen nor scrollback is cleared, and the alternate screen is left again. */
export function expectNothingWiped({ raw }: Terminal): void {
  let isSecond = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  for (const [sequence] of raw.matchAll(/\u001b\[\?1049[hl]|\u001b\[[0-3]?J|\u001bc|\u001b\[H/g)) {
    if (sequence.includes('1049')) isSecond = sequence.endsWith('h');
    else if (!isSecond) expect(['\u001b[J', '\u001b[0J'], 'on the first screen').toContain(sequence);
  }
  expect(isSecond, 'the second screen is left').toBe(false);
}

/** Each of these lines stands on the screen or in its scrollback, once and in this order. */
export function expectOnceInOrder(screen: string, lines: readonly string[]): void {
  let from = 0;
  for (const line of lines) {
    const at = screen.indexOf(line, from);
    expect(at, `${line} is missing, or out of order:\n${screen}`).toBeGreaterThanOrEqual(0);
    expect(screen.indexOf(line, at + line.length), `${line} stands there twice:\n${screen}`).toBe(-1);
    from = at + line.length;
  }
}

/** Every mode that was turned on is off, the cursor is in sight, and no colour is left. */
export function expectModesOff({ raw }: Pick<Terminal, 'raw'>): void {
  const pairs = [
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[>7u', '\u001b[<u'],
    ['\u001b[?1004h', '\u001b[?1004l'],
    ['\u001b[?2031h', '\u001b[?2031l'],
    ['\u001b[?1049h', '\u001b[?1049l'],
    ['\u001b[22;0t', '\u001b[23;0t'],
    ['\u001b[>4;2m', '\u001b[>4m'],
    ['\u001b[?25l', '\u001b[?25h'],
    ['\u001b[?7l', '\u001b[?7h'],
    ['\u001b[?2026h', '\u001b[?2026l'],
  ] as const;
  for (const [on, off] of pairs)
    if (raw.includes(on))
      expect(raw.lastIndexOf(off), JSON.stringify(on)).toBeGreaterThan(raw.lastIndexOf(on));
}
