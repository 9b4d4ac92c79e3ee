import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  childEnvironment,
  type Settings,
  secretsToHide,
  unmistakableSecrets,
  withOptions,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  type AgentRun,
  type Authorizer,
  deniesUse,
  type Extension,
  given,
  givenFields,
  MessageQueue,
  Registries,
  realPathOf,
  robotaDirectories,
  type StateKey,
  secretHider,
  type UserInterface,
} from '@robota-sdk/agent-core';
import { builtInProviders, thinkingIn } from '@robota-sdk/agent-models';
import type { ConnectedModel, IAgentDefinition } from '@robota-sdk/agent-resources';
import type { SessionTap } from '@robota-sdk/agent-sessions';
import {
  type Checkpoints,
  Conversation,
  type ConversationOptions,
  FileDayLedger,
  type ITerminalOutput,
  userInterfaceOf,
} from '@robota-sdk/agent-sessions';
import {
  askUserTool,
  askUserWithPreviews,
  builtinTools,
  limitToolOutput,
  type PlanMode,
  planMode,
} from '@robota-sdk/agent-tools';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import { announceQuestions } from '../hooks/announce-questions.ts';
import { loadSettingsHooks } from '../hooks/load-settings-hooks.ts';
import {
  createPermissions,
  rulesInForce,
  type SessionPermissions,
} from '../permissions/session-permissions.ts';
import { reminders } from '../prompt/reminders.ts';
import { resultRoom } from '../prompt/small-window.ts';
import { environmentSection } from '../prompt/system-prompt.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { unsentMessages } from '../state/unsent-messages.ts';
import { agentExtension } from '../tasks/agent-extension.ts';
import { checkOptions, sessionShape } from './check-options.ts';
import { wireCheckpoints, withRecovery } from './checkpoints.ts';
import { compactionOptions } from './compaction-options.ts';
import { withContextResources } from './context-resources.ts';
import { equipSession } from './equip-session.ts';
import { followInstructions } from './follow-instructions.ts';
import { followSettings } from './follow-settings.ts';
import { agentsOf, hostSubagents } from './host-subagents.ts';
import { keepProjections } from './keep-projections.ts';
import { type ModelKit, modelKit } from './model-kit.ts';
import { workspaceOf } from './workspace-of.ts';

/** Options of an assembly; the terminal may be one that only writes, reads lines and offers choices. */
export type AssemblyOptions = Omit<CreateSessionOptions, 'terminal'> & {
  readonly terminal?: UserInterface | ITerminalOutput | undefined;
};

/** Wires tools, providers, permissions and the prompt into a session. */
export function createConversation(parts: AssemblyOptions): Conversation {
  const options = withInterface(parts);
  checkOptions('createSession', options, sessionShape);
  const { config, context, cwd = config?.cwd ?? process.cwd() } = options;
  if (!config || !context)
    throw new AgentError(
      'usage',
      'createSession needs "config" and "context". Get them from loadConfig(cwd) and loadContext(cwd).',
    );
  const settings = withOptions(config.settings, options);
  const full = { ...options, config: { ...config, settings } };
  const { session } = assembleSession(withContextResources(full, resolve(cwd)));
  void session.begin();
  return session;
}

function withInterface(parts: AssemblyOptions): CreateSessionOptions {
  const { terminal, ...rest } = parts;
  if (terminal === undefined || terminal === null) return rest;
  return {
    ...rest,
    terminal: 'select' in Object(terminal) ? userInterfaceOf(terminal) : (terminal as UserInterface),
  };
}

/** A session and the parts a front end may still want to change. */
export interface AssembledSession {
  readonly session: Conversation;
  readonly permissions: SessionPermissions;
  /** Removes the keys in use from a text. */
  redact(text: string): string;
  /** Finds another model by name, with its options. */
  connect(name: string): ConnectedModel;
  readonly kit: ModelKit;
  readonly checkpoints: Checkpoints | undefined;
}

/** Implements `createSession` and returns the parts. */
export function assembleSession(
  options: CreateSessionOptions,
  registries = loadRegistries(options),
): AssembledSession {
  const { config, handle, terminal, tap } = options;
  const { settings, host } = config;
  const hooks = tap?.sealed?.hooks ?? registries.hooks;
  const workspace = workspaceOf(options);
  const secrets = secretsToHide(config, options);
  const redact = secretHider(unmistakableSecrets(secrets));
  const kit = modelKit(options, registries, { workspace, redact });
  const { models, surround, connect } = kit;
  const outputDir = outputDirOf(options);
  const permissions = createPermissions(
    { ...options, terminal: terminal && announceQuestions(terminal, hooks, 'permission_prompt') },
    { workspace, outputDir, hooks, scope: () => ({ workspace, state: session.state }) },
  );
  const judged = judgedBy(permissions, tap);
  const checkpoints = wireCheckpoints(handle, { workspace, folders: robotaDirectories(host) });
  const sessionOptions: ConversationOptions = {
    ...surround(models[0].model),
    models,
    workspace,
    hooks,
    env: childEnvironment(config, options),
    thinking: options.thinking ?? thinkingIn(handle) ?? settings.thinking,
    ...modesOf(settings),
    ...judged,
    limitOutput: limitedTo(() => resultRoom(session.model)),
    hideSecrets: redact,
    ...withRecovery(checkpoints.options, options.recovery),
    outputDir,
    reminder: remindersOf(options, { kit, permissions, session: () => session }),
    ...compactionOptions(options, kit, () => session),
    ...given('terminal', terminal && announceQuestions(terminal, hooks, 'elicitation_dialog')),
    ...givenFields({ handle, logger: options.logger, maxCost: options.maxCost }),
    budget: settings.budget,
    ...dayLedgerOf(options, () => session),
    ...waitsOf(options),
    ...given('onCompact', options.onCompact),
  };
  const session = new Conversation(sessionOptions);
  linkPlanMode(session, permissions);
  checkpoints.attach(session);
  keepProjections(session, { handle, secrets, logger: options.logger });
  if (handle) session.state.get(unsentMessages).follow(session, handle);
  if (!handle?.isKept) session.state.get(temporaryOutputs).directory = dirname(outputDir);
  const equip = inTurn(
    (each) => equipSession(each, options, permissions),
    followInstructions(options, { hooks, workspace, kit, session }),
  );
  equip(session);
  hostSubagents(session, { options, sessionOptions, connect, equip, ...judged });
  followSettings(session, { options, permissions, surround });
  tap?.attach(session, hooks);
  loadSettingsHooks({
    config: tap?.sealed ? undefined : config,
    executors: options.hookExecutors,
    registries,
    session,
    sessionOptions,
    permissions,
    project: options.project,
    connect: (name) => connect(name).choice,
  });
  return { session, permissions, connect, redact, kit, checkpoints: checkpoints.checkpoints };
}

/** How long a failed request is tried again, and a rate limit waited for. */
function waitsOf({ config: { settings }, waitsForLimits }: CreateSessionOptions) {
  const maxLimitWaitMs = settings.waitForLimit ?? (waitsForLimits ? Number.POSITIVE_INFINITY : 0);
  return { retry: settings.retry, maxLimitWaitMs };
}

function remindersOf(
  options: CreateSessionOptions,
  { kit, permissions, session }: { kit: ModelKit; permissions: SessionPermissions; session(): Conversation },
): NonNullable<ConversationOptions['reminder']> {
  const { planInstructions, movesEnvironment, projectInfo: project } = options;
  const { tools } = kit.surround(kit.models[0].model);
  const hasOwn = hasOwnPrompt(options);
  const about = { cwd: workspaceOf(options).cwd, now: kit.start, ...given('project', project) };
  return reminders(hasOwn ? [] : tools, {
    start: kit.start,
    session,
    isPlanning: () => permissions.mode === 'plan',
    planTools: hasOwn && planInstructions === undefined ? [] : tools,
    planInstructions,
    environment: movesEnvironment ? environmentSection(about) : undefined,
  });
}

/** Connects the plan tool with the session's plan mode. */
function linkPlanMode(session: Conversation, permissions: SessionPermissions): void {
  const link: PlanMode = {
    isOn: () => permissions.mode === 'plan',
    approve: async (plan, mode) => {
      await session.context.keepPlan(plan);
      permissions.mode = mode;
    },
  };
  Object.assign(session.state.get(planMode), link);
}

/** Limits of a run, and how queued messages and parallel calls are handled. */
function modesOf(settings: Settings): Pick<ConversationOptions, 'maxTurns' | 'queue' | 'execution'> {
  const { maxTurns, steeringMode, followUpMode, toolExecution: execution } = settings;
  return { maxTurns, queue: new MessageQueue({ steeringMode, followUpMode }), execution };
}

/** A system prompt of the user's own replaces all of our advice, also that on planning. */
function hasOwnPrompt({ systemPrompt, context }: CreateSessionOptions): boolean {
  return (systemPrompt ?? context.systemPrompt) !== undefined;
}

function inTurn<T>(...steps: ((subject: T) => void)[]): (subject: T) => void {
  return (subject) => {
    for (const step of steps) step(subject);
  };
}

/** A result too long for the model is saved in full with the session. */
function limitedTo(room: () => number | undefined): NonNullable<ConversationOptions['limitOutput']> {
  return (output, call, outputDir) =>
    limitToolOutput(output, { outputDir, name: call.id, ...given('limit', room()) });
}

interface Judged {
  readonly authorize: Authorizer['authorize'];
  readonly onPrompt?: SessionTap['prompted'];
}

/** Decides calls by the session's authorizer or a recording, and reports questions. */
function judgedBy({ authorizer }: SessionPermissions, tap: SessionTap | undefined): Judged {
  const authorize: Judged['authorize'] = (request, signal, view) => {
    const judge: AgentRun['authorize'] = (...call) => authorizer.authorize(...call, view);
    return (tap?.authorize(judge) ?? judge)(request, signal);
  };
  return { authorize, ...given('onPrompt', tap?.prompted) };
}

/** A session that leaves no trace is counted only where the day has a limit. */
function dayLedgerOf(
  { handle, config }: CreateSessionOptions,
  session: () => Conversation,
): Pick<ConversationOptions, 'dayLedger'> {
  if (!handle?.isKept && config.settings.budget.day === undefined) return {};
  const onProblem = (text: string) => session().notify({ level: 'warning', text });
  return {
    dayLedger: new FileDayLedger({
      directory: join(robotaDirectories(config.host).state, 'spending'),
      onProblem,
    }),
  };
}

function loadRegistries(options: CreateSessionOptions): Registries<InteractiveSession> {
  const registries = new Registries<InteractiveSession>();
  for (const extension of extensionsOf(options)) {
    if (registries.load(extension) instanceof Promise) {
      const advice = 'Use createInteractiveSession or query, which wait for it.';
      throw new AgentError('usage', `The extension "${extension.name}" sets up asynchronously. ${advice}`);
    }
  }
  return registries;
}

/**
 * The extensions of a session in order; the first of a name wins. Built-in tools come first, so that nothing can
 * impersonate them; built-in providers come last, so that an adapter can be replaced.
 */
export function extensionsOf(options: CreateSessionOptions): readonly Extension<InteractiveSession>[] {
  const tools =
    options.builtInTools === false ? [] : [builtInTools(options), agentExtension(offeredAgents(options))];
  return [...tools, ...(options.extensions ?? []), builtInProviders];
}

/** The agents that no rule such as `Agent(reviewer)` denies. */
function offeredAgents(options: CreateSessionOptions): readonly IAgentDefinition[] {
  const { deny } = rulesInForce(options.config.settings.permissions, options.rules ?? {});
  return agentsOf(options).filter(({ name }) => !deniesUse(deny, { tool: 'Agent', name }));
}

/** The temporary output folder of a session without a file; deleted with the session. */
const temporaryOutputs: StateKey<{ directory?: string }> = {
  name: 'temporaryOutputs',
  create: () => ({}),
  dispose: ({ directory }) => {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  },
};

/** The folder for the full text of long results. */
function outputDirOf({ handle }: CreateSessionOptions): string {
  const parent = handle?.directory ?? join(tmpdir(), `robota-${randomUUID()}`);
  return join(realPathOf(parent), 'outputs');
}

/** The built-in tools as an extension. */
function builtInTools({ questionPreviews: previews }: CreateSessionOptions): Extension {
  return {
    name: 'built-in',
    setup: (host) => {
      for (const tool of builtinTools())
        host.tool(tool === askUserTool && previews ? askUserWithPreviews(previews) : tool);
    },
  };
}
