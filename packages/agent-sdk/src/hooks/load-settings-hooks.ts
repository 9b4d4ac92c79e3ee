import type { HookGroup } from '@robota-sdk/agent-config';
import {
  commandHook,
  type Extension,
  given,
  type HookExecutors,
  type HookRegistry,
  homeDirectory,
  httpHook,
  type ModelChoice,
  type Registries,
} from '@robota-sdk/agent-core';
import {
  type AskBeside,
  agentHook,
  hookInstaller,
  type LoadedConfig,
  promptHook,
  settingsHooks,
} from '@robota-sdk/agent-resources';
import { Conversation, type ConversationOptions } from '@robota-sdk/agent-sessions';
import { type Sandbox, sandboxFor } from '@robota-sdk/agent-tools';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { inheritedOptions } from '../subagents/inherited-options.ts';

export interface SettingsHooksServices {
  /** The hooks, and whether they are enabled; without it there are none. */
  readonly config: Pick<LoadedConfig, 'hooks' | 'areHooksOff'> | undefined;
  /** Additional executors; one of the same name replaces a built-in one. */
  readonly executors?: HookExecutors | undefined;
  readonly registries: Registries<InteractiveSession>;
  readonly session: Conversation;
  /** The options of the session. */
  readonly sessionOptions: ConversationOptions;
  readonly permissions: SessionPermissions;
  /** The directory whose settings these are, where the session works in another. */
  readonly project?: string | undefined;
  connect(model: string): ModelChoice;
}

/** Activates the hooks of the settings in a session, and reports failing hooks to the user. */
export function loadSettingsHooks(parts: SettingsHooksServices): void {
  const { registries, session, config } = parts;
  registries.hooks.onFailure = (source, message) =>
    session.notify({ level: 'warning', text: `A hook of ${source} failed: ${message}` });
  if (!config || config.areHooksOff) return;
  let current = extensionsFor(parts, config.hooks);
  for (const extension of current) void registries.load(extension);
  session.state.set(hookInstaller, {
    install: (groups, into = session.hooks) =>
      install(extensionOf(parts, groups), { into, session: session.hooks }),
    replace: async (groups) => {
      const next = extensionsFor(parts, groups);
      await registries.replace(current, next);
      current = next;
    },
  });
}

function extensionsFor(
  parts: SettingsHooksServices,
  groups: readonly HookGroup[] = [],
): readonly Extension<InteractiveSession>[] {
  return groups.length === 0 ? [] : [extensionOf(parts, groups)];
}

interface HookRegistries {
  readonly into: HookRegistry;
  /** Those of the session: processes of hooks must end with it. */
  readonly session: HookRegistry;
}

function install(extension: Extension, { into, session }: HookRegistries): () => void {
  const removers: (() => void)[] = [];
  const refuse = () => {};
  void extension.setup({
    hook: (point, hook) => {
      if (point === 'session-end') session.add(point, hook, extension.name);
      else removers.push(into.add(point, hook, extension.name));
    },
    tool: refuse,
    command: refuse,
    provider: refuse,
  });
  return () => {
    for (const remove of removers) remove();
  };
}

function extensionOf(parts: SettingsHooksServices, groups: readonly HookGroup[]): Extension {
  const { session, sessionOptions } = parts;
  const ask = askBeside(parts);
  return settingsHooks({
    groups,
    executors: {
      command: commandHook,
      http: httpHook,
      prompt: promptHook(ask),
      agent: agentHook(ask),
      ...parts.executors,
    },
    session: {
      sessionId: session.id,
      transcriptPath: sessionOptions.handle?.file ?? '',
      cwd: sessionOptions.workspace?.cwd ?? process.cwd(),
      project: parts.project ?? sessionOptions.workspace?.cwd ?? process.cwd(),
      workspace: sessionOptions.workspace ?? { cwd: process.cwd(), additional: [], home: '' },
      env: sessionOptions.env ?? {},
      // The tools of this session and its agents share this object.
      addVariables: (variables) => void Object.assign(sessionOptions.env ?? {}, variables),
      permissionMode: () => parts.permissions.mode,
      toolNames: () => sessionOptions.tools.map(({ name }) => name),
      notify: (notice) => session.notify(notice),
      tell: (text, { wake }) => {
        session.queue.remind([{ type: 'text', text }]);
        // Without a front end the run is over, and so is the session.
        if (wake && sessionOptions.terminal) void session.wake().catch(() => {});
      },
      enclose: (cwd, env) => sandboxForHook(parts, { cwd, env }),
    },
  });
}

/** The input of a hook must not leak through a vendor's web search. */
function withoutSearch([first, ...others]: Conversation['models']): Conversation['models'] {
  return [{ ...first, webSearch: false }, ...others.map((choice) => ({ ...choice, webSearch: false }))];
}

function sandboxForHook(
  { session, sessionOptions }: SettingsHooksServices,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Sandbox | undefined> {
  const { workspace, handle } = sessionOptions;
  return sandboxFor({
    workspace: { additional: [], home: homeDirectory(), ...workspace, cwd },
    state: session.state,
    env,
    ui: session,
    outputDir: session.outputDir,
    // Hooks receive the path of the transcript.
    visible: handle?.file === undefined ? [] : [handle.file],
  });
}

const lookingTools = ['Read', 'Glob', 'Grep'];

/** Asks in a temporary session without hooks, so that a hook cannot trigger itself. */
function askBeside({ session, sessionOptions, connect }: SettingsHooksServices): AskBeside {
  return async ({ system, prompt, model, tools, maxTurns, cwd, signal }) => {
    const { terminal, ...shared } = inheritedOptions(sessionOptions);
    const beside = new Conversation({
      ...shared,
      ...given('workspace', shared.workspace && { ...shared.workspace, cwd }),
      models: withoutSearch(model === undefined ? session.models : [connect(model)]),
      systemMessage: system,
      tools: tools ? sessionOptions.tools.filter(({ name }) => lookingTools.includes(name)) : [],
      webSearch: false,
      thinking: 'off',
      payer: session.spending,
    });
    try {
      return await beside.run(prompt, { maxTurns, signal });
    } finally {
      const { totals, model: used } = beside;
      if (totals.modelCalls > 0) await session.keepSpent(totals, { purpose: 'hooks', model: used });
      await beside.close();
    }
  };
}
