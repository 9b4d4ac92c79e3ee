import { createInterface } from 'node:readline';
import { userPaths } from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes, plainText, textWidth, truncateText } from '@robota-sdk/agent-tui';
import { ownCommand } from '../arguments/own-command.ts';
import { programName } from '../arguments/program-name.ts';
import { version } from '../arguments/version.ts';
import { sessionOutput } from '../sessions/session-output.ts';
import { askLine } from '../terminal/ask-line.ts';
import { readStdin } from '../terminal/read-stdin.ts';

type FleetConsole = Parameters<typeof import('@robota-sdk/agent-fleet/command-line').runFleetCommand>[1];
type Watching = ReturnType<FleetConsole['onLine']>;

/** The terminal for a command of the fleet, with what our bundle has loaded anyway. */
export function openFleetConsole(): FleetConsole & { close(): void } {
  const { stdout, note } = sessionOutput();
  const open = new Set<Watching>();
  const kept = (watching: Watching): Watching => {
    open.add(watching);
    return watching;
  };
  return {
    program: programName(),
    version,
    cwd: process.cwd(),
    home: userPaths().data,
    env: process.env,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    closed: stdout.closed,
    print: async (text) => {
      await stdout.write(stdout.clean(text));
    },
    printLines: async (lines) => {
      const isStyled = process.stdout.isTTY === true;
      const shown = lines.map((line) =>
        isStyled ? filterEscapes(line, { sequences: 'keep-colours' }) : plainText(line).trimEnd(),
      );
      await stdout.write(shown.map((line) => `${line}\n`).join(''));
    },
    note,
    readInput: () => readStdin(new AbortController().signal),
    ask: askLine,
    onLine: (listener) => kept(typedLines(listener)),
    onInterrupt: (listener) => kept(interrupts(listener)),
    width: textWidth,
    truncate: truncateText,
    // Only a screen needs colours, settings and sessions.
    openStyle: async (...given) => (await import('./fleet-style.ts')).openStyle(...given),
    ownCommand: ownCommand(),
    close: () => {
      for (const watching of open) watching.stop();
    },
  };
}

function typedLines(listener: (line: string) => void): Watching {
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', listener);
  return { stop: () => lines.close() };
}

function interrupts(listener: (count: number) => void): Watching {
  let count = 0;
  const onSignal = () => listener(++count);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
