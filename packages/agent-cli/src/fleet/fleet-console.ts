import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import {
  createRedactor,
  loadConfig,
  ownCatalogue,
  ownSessions,
  processHost,
  requireSession,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes, plainText, textWidth, truncateText } from '@robota-sdk/agent-tui';
import { ownCommand } from '../arguments/own-command.ts';
import { programName } from '../arguments/program-name.ts';
import { version } from '../arguments/version.ts';
import { sessionOutput } from '../sessions/session-output.ts';
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
    home: userPaths().root,
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
    ask,
    onLine: (listener) => kept(typedLines(listener)),
    onInterrupt: (listener) => kept(interrupts(listener)),
    width: textWidth,
    truncate: truncateText,
    openStyle,
    ownCommand: ownCommand(),
    close: () => {
      for (const watching of open) watching.stop();
    },
  };
}

function ask(prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.once('SIGINT', () => lines.close());
    lines.question(prompt, (line) => {
      resolve(line);
      lines.close();
    });
  });
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

/** Colours, glyphs and keys as the screen has them; the theme of the settings comes a moment later. */
async function openStyle(
  ...[capabilities, onChange]: Parameters<FleetConsole['openStyle']>
): ReturnType<FleetConsole['openStyle']> {
  const { AppTheme, loadKeybindings, themeFolders } = await import('@robota-sdk/agent-screen');
  const host = await processHost();
  const { keys } = await loadKeybindings(host);
  // A wrong theme is no concern of this command; the conversation names it.
  const theme = new AppTheme({ capabilities, folders: themeFolders(host), onChange, onProblem: () => {} });
  void loadConfig(process.cwd(), {})
    .then(({ settings }) => theme.setSetting(settings.terminal.theme))
    .catch(() => {});
  return {
    look: theme.look,
    keys,
    adapt: (known) => theme.setCapabilities(known),
    followSession: (id, options) => followSession(id, options, theme.look),
    close: () => theme.close(),
  };
}

type Style = Awaited<ReturnType<FleetConsole['openStyle']>>;

async function* followSession(
  id: string,
  { signal, database }: Parameters<Style['followSession']>[1],
  look: InstanceType<typeof import('@robota-sdk/agent-screen').AppTheme>['look'],
): ReturnType<Style['followSession']> {
  const { drawSession } = await import('@robota-sdk/agent-screen');
  const { store, path } = await storedSession(id, database);
  const redact = createRedactor();
  yield* drawSession(store, path, {
    look,
    signal,
    home: homedir(),
    redact: (text) => redact(text) as string,
  });
}

async function storedSession(id: string, database: string | undefined) {
  if (database === undefined) {
    const { path } = await requireSession(id, await ownCatalogue(), { cwd: process.cwd(), all: true });
    return { store: await ownSessions(), path };
  }
  const { openDatabaseSessions } = await import('../database/open-database-sessions.ts');
  return { store: await openDatabaseSessions(database, () => {}), path: id };
}
