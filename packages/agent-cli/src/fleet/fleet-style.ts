import { homedir } from 'node:os';
import {
  createRedactor,
  loadConfig,
  ownCatalogue,
  ownSessions,
  processHost,
  requireSession,
} from '@robota-sdk/agent-sdk/front-end';

type FleetConsole = Parameters<typeof import('@robota-sdk/agent-fleet/command-line').runFleetCommand>[1];

/** Colours, glyphs and keys as the screen has them; the theme of the settings comes a moment later. */
export async function openStyle(
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
