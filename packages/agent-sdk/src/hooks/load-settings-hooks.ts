import { join } from 'node:path';
import { commandHook, type HookExecutors, httpHook, type ModelChoice } from '@robota-sdk/agent-core';
import { Session, type SessionOptions } from '@robota-sdk/agent-sessions';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { Registries } from '../registries.ts';
import type { HookGroup } from './hook-config.ts';
import { type AskBeside, agentHook, promptHook } from './model-hooks.ts';
import { settingsHooks } from './settings-hooks.ts';

export interface SettingsHooksParts {
  readonly groups: readonly HookGroup[];
  /** Executors beside the built-in ones; one of the same name replaces it. */
  readonly executors?: HookExecutors | undefined;
  readonly registries: Registries;
  readonly session: Session;
  /** What the session was made of. */
  readonly sessionOptions: SessionOptions;
  readonly permissions: SessionPermissions;
  connect(model: string): ModelChoice;
}

/** Puts the hooks of the settings to work in a session, and shows the person which hooks fail. */
export function loadSettingsHooks(parts: SettingsHooksParts): void {
  const { registries, session, sessionOptions } = parts;
  registries.hooks.onFailure = (source, message) =>
    session.notify({ level: 'warning', text: `A hook of ${source} failed: ${message}` });
  if (parts.groups.length === 0) return;
  const ask = askBeside(parts);
  const directory = sessionOptions.handle?.directory;
  const extension = settingsHooks({
    groups: parts.groups,
    executors: {
      command: commandHook,
      http: httpHook,
      prompt: promptHook(ask),
      agent: agentHook(ask),
      ...parts.executors,
    },
    session: {
      sessionId: session.id,
      transcriptPath: directory === undefined ? '' : join(directory, 'session.jsonl'),
      cwd: sessionOptions.workspace?.cwd ?? process.cwd(),
      env: sessionOptions.env ?? {},
      permissionMode: () => parts.permissions.mode,
      toolNames: () => sessionOptions.tools.map(({ name }) => name),
      notify: (notice) => session.notify(notice),
    },
  });
  void registries.load(extension);
}

const lookingTools = ['Read', 'Glob', 'Grep'];

/** Asks in a session of its own, which is not kept and has no hooks, so that a hook can't set itself off. */
function askBeside({ session, sessionOptions, connect }: SettingsHooksParts): AskBeside {
  return async ({ system, prompt, model, tools, maxTurns, signal }) => {
    const { handle, logger, hooks, queue, terminal, onCompact, budget, dayLedger, ...rest } = sessionOptions;
    // Its prompt is its own, and so is what it has to do.
    const { reloadInstructions, instructions, todos, ...shared } = rest;
    const beside = new Session({
      ...shared,
      models: model === undefined ? session.models : [connect(model)],
      systemMessage: system,
      tools: tools ? sessionOptions.tools.filter(({ name }) => lookingTools.includes(name)) : [],
      webSearch: false,
      thinking: 'off',
      payer: session.spending,
    });
    try {
      return await beside.run(prompt, { maxTurns, signal });
    } finally {
      await beside.close();
    }
  };
}
