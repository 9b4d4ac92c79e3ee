import { join } from 'node:path';
import { silentInterface } from '@robota-sdk/agent-core';
import {
  FileSessionLogger,
  type ISessionLogger,
  JsonlSessionStore,
  type SessionHandle,
} from '@robota-sdk/agent-sessions';
import { processes } from '@robota-sdk/agent-tools';
import { builtInCommands } from './commands/built-in-commands.ts';
import { type Config, loadConfig, processHost } from './config/load-config.ts';
import { detectProject } from './context/detect-project.ts';
import { loadContext } from './context/load-context.ts';
import { assembleSession, type CreateSessionOptions, extensionsOf } from './create-session.ts';
import { type HostEnvironment, robotaHome } from './dialects.ts';
import { InteractiveSession } from './interactive-session.ts';
import { Registries } from './registries.ts';

/** Which session to work in: a new one, none on disk, the last of the directory, or a certain one. */
export type SessionChoice = 'new' | 'none' | 'latest' | { readonly open: string } | { readonly path: string };

/** As `createSession`, with everything that can be found in files left to us. */
export interface InteractiveSessionOptions extends Partial<CreateSessionOptions> {
  readonly host?: HostEnvironment;
  readonly store?: SessionChoice;
  /** Read AGENTS.md and its like; true unless given. */
  readonly contextFiles?: boolean;
  readonly trustProject?: boolean;
}

/** Loads settings, instructions and extensions of a directory and opens a session in it. */
export async function createInteractiveSession(
  options: InteractiveSessionOptions = {},
): Promise<InteractiveSession> {
  const host = options.host ?? (await processHost());
  const cwd = options.cwd ?? process.cwd();
  const trustProject = options.trustProject ?? false;
  const [config, context, projectInfo] = await Promise.all([
    options.config ?? loadConfig(cwd, { host, trustProject }),
    options.context ?? (options.contextFiles === false ? { instructions: [] } : loadContext(cwd, { host })),
    options.projectInfo ?? detectProject(cwd),
  ]);
  const full: CreateSessionOptions = { ...options, cwd, config, context, projectInfo };
  const registries = new Registries();
  await registries.load(builtInCommands);
  for (const extension of extensionsOf(full)) await registries.load(extension);
  // Whatever is wrong with the model or the rules is said before a session file exists.
  const handle = options.handle ?? (await openHandle(options.store ?? 'new', { cwd, host }));
  const logger = options.logger ?? loggerFor(handle, config);
  return start({ ...full, ...(handle ? { handle } : {}), ...(logger ? { logger } : {}) }, registries);
}

async function start(options: CreateSessionOptions, registries: Registries): Promise<InteractiveSession> {
  const { handle } = options;
  try {
    const assembled = assembleSession(options, registries);
    const { session, permissions, connect } = assembled;
    return new InteractiveSession({
      session,
      permissions,
      connect,
      commands: registries.commands,
      ui: options.terminal ?? silentInterface,
      warnings: options.config.warnings,
      dispose: () => session.state.peek(processes)?.dispose(),
    });
  } catch (thrown) {
    await handle?.close();
    throw thrown;
  }
}

async function openHandle(
  choice: SessionChoice,
  { cwd, host }: { cwd: string; host: HostEnvironment },
): Promise<SessionHandle | undefined> {
  if (choice === 'none') return undefined;
  const store = new JsonlSessionStore({ home: robotaHome(host) });
  if (choice === 'new') return store.create({ cwd });
  if (choice === 'latest') {
    const latest = await store.latest(cwd);
    return latest ? store.open(latest.id) : store.create({ cwd });
  }
  return store.open('open' in choice ? choice.open : choice.path);
}

function loggerFor(
  handle: SessionHandle | undefined,
  { storedKeys, host, catalogue, settings }: Config,
): ISessionLogger | undefined {
  if (!handle?.directory) return undefined;
  const fromEnvironment = catalogue.vendors.flatMap((vendor) =>
    vendor.keyVariables.map((name) => host.env[name]),
  );
  const secrets = [...fromEnvironment, ...Object.values(storedKeys), ...Object.values(settings.apiKeys)];
  return new FileSessionLogger({
    file: join(handle.directory, 'log.jsonl'),
    sessionId: handle.id,
    secrets: secrets.filter((secret) => secret !== undefined),
  });
}
