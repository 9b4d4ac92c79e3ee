import { expect } from 'vitest';
import type { Stage } from './stage.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** Keys as terminals send them. */
export const keys = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  tab: '\t',
  backspace: '\u007f',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlO: '\u000f',
  ctrlT: '\u0014',
  altEnter: '\u001b\r',
  altUp: '\u001b[1;3A',
} as const;

/** The prompt of an empty editor above the line at the foot. */
export const prompt = /\n >\n[─-]+\n .+$/;

/** Opens the terminal UI with a key and the server for Anthropic, and waits for its prompt. */
export async function openTui(
  stage: Stage,
  args: readonly string[] = [],
  options: Partial<TerminalOptions> = {},
): Promise<Terminal> {
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url, ...options.env };
  const size = { columns: 80, rows: 24 };
  const terminal = openTerminal(args, { cwd: stage.cwd, home: stage.home, ...size, ...options, env });
  await terminal.shows(/Claude|Offline/);
  return terminal;
}

/** Nothing wipes what a person has: neither the screen nor the scrollback. */
export function expectNothingWiped({ raw }: Terminal): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(raw).not.toMatch(/\u001b\[[23]J|\u001bc|\u001b\[\?1049h/);
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
