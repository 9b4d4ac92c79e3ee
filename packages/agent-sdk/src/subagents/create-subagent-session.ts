import { randomUUID } from 'node:crypto';
import {
  type Authorization,
  type AuthorizationRequest,
  type AuthorizationView,
  given,
  type HookRegistry,
  type PermissionMode,
  type PermissionPolicy,
  permissionModes,
  type Rule,
  shortHash,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition, SubagentHost } from '@robota-sdk/agent-resources';
import {
  agentModels,
  bareName,
  disallowedRules,
  filterTools,
  hookInstaller,
  modelsWithin,
  skillsNote,
  standingOf,
  toolRules,
} from '@robota-sdk/agent-resources';
import {
  Conversation,
  type ConversationOptions,
  type ISessionLogger,
  type SessionHandle,
} from '@robota-sdk/agent-sessions';
import { todoReminder } from '../prompt/todo-reminder.ts';
import { assembleSubagentPrompt } from './assemble-subagent-prompt.ts';
import { inheritedOptions } from './inherited-options.ts';

/** Options of a subagent: its definition, and everything its parent has resolved already. */
export interface SubagentOptions {
  readonly definition: IAgentDefinition;
  readonly host: SubagentHost;
  /** Overrides the definition's model. */
  readonly model?: string;
  /** It does the work of a skill. */
  readonly isForkWorker?: boolean;
  /** A note besides its definition. */
  readonly note?: string;
  /** The working directory, such as a worktree. Default: the parent's. */
  readonly cwd?: string;
  readonly handle?: SessionHandle;
  readonly logger?: ISessionLogger;
  /** How the user is asked about its calls. Default: like its parent. */
  readonly asking?: Pick<AuthorizationView, 'mayAsk' | 'onQuestion'>;
  /** Makes the policy stricter than the definition does. */
  narrow?(policy: PermissionPolicy): PermissionPolicy;
}

/** Hook points that also apply to subagents; the others are about the main conversation. */
const sharedPoints = ['tool-before', 'tool-after', 'request-before', 'notification'] as const;

/** Makes the session of a subagent: isolated from its parent's conversation, paid by it, and never allowed more. */
export function createSubagentSession(options: SubagentOptions): Conversation {
  const { definition, host } = options;
  const tools = filterTools(host.session.surroundings.tools ?? host.options.tools, definition);
  const workspace = workspaceFor(options);
  const { beforeExecute, ...inherited } = inheritedOptions(host.options);
  const wanted = agentModels(host, options.model ?? definition.model);
  if (wanted.notice !== undefined)
    host.session.notify({ level: 'warning', text: `The agent ${definition.name}: ${wanted.notice}` });
  const models = modelsWithin(wanted.models, definition);
  const sessionOptions: ConversationOptions = {
    ...inherited,
    // Changes in another directory do not belong to the parent's checkpoints.
    ...given('beforeExecute', options.cwd === undefined ? beforeExecute : undefined),
    tools,
    models,
    systemMessage: assembleSubagentPrompt({
      agentBody: [
        definition.systemPrompt,
        ...skillsNote(definition, tools),
        ...(options.note === undefined ? [] : [options.note]),
      ].join('\n\n'),
      context: definition.omitInstructions ? { ...host.context, instructions: [] } : host.context,
      cwd: workspace.cwd,
      tools,
      ...(host.language === undefined ? {} : { language: host.language }),
      isForkWorker: options.isForkWorker ?? false,
    }),
    workspace,
    hooks: hooksFor(options),
    thinking: definition.effort ?? host.session.thinking,
    payer: host.session.spending,
    isParentLeaving: () => host.session.parking.isLeaving,
    authorize: async (request, signal) =>
      (await refusedByList(request, { definition, workspace })) ??
      host.authorize(request, signal, {
        ...options.asking,
        asker: `The agent ${definition.name}`,
        narrow: (policy) => narrowed(policy, options, workspace),
      }),
    reminder: todoReminder(tools),
    ...given('maxTurns', definition.maxTurns ?? inherited.maxTurns),
    ...given('handle', options.handle),
    ...given('logger', options.logger),
  };
  const session = new Conversation(sessionOptions);
  host.adopt(session);
  return session;
}

/** A short id that distinguishes agents of one session. */
export function newAgentId(): string {
  return randomUUID().slice(0, 8);
}

/** The id of the agent that a call starts; another process finds the same one. */
export function agentIdOf(sessionId: string, callId: string): string {
  return shortHash(`${sessionId} ${callId}`).slice(0, 8);
}

function workspaceFor({ host, cwd }: SubagentOptions): Workspace {
  const own = host.options.workspace ?? { cwd: process.cwd(), additional: [], home: '' };
  return cwd === undefined ? own : { ...own, cwd };
}

function hooksFor({ host: { session }, definition }: SubagentOptions): HookRegistry {
  const hooks = session.hooks.only(sharedPoints);
  if (definition.hooks) session.state.peek(hookInstaller)?.install(definition.hooks, hooks);
  return hooks;
}

function narrowed(policy: PermissionPolicy, options: SubagentOptions, workspace: Workspace) {
  const { definition, narrow, cwd } = options;
  const own = {
    ...policy,
    workspace,
    mode: stricter(policy.mode, definition.permissionMode),
    rules: { ...policy.rules, deny: [...policy.rules.deny, ...deniedCalls(definition)] },
    isElsewhere: policy.isElsewhere === true || cwd !== undefined,
  };
  return narrow?.(own) ?? own;
}

/** Its list of tools may name calls, such as `Bash(git *)`: then no other calls of that tool are allowed. */
async function refusedByList(
  { tool, access }: AuthorizationRequest,
  { definition, workspace }: { readonly definition: IAgentDefinition; readonly workspace: Workspace },
): Promise<Authorization | undefined> {
  const { name, tools = [], source = name } = definition;
  // A proxy tool must not reach tools the agent does not have.
  if (filterTools([tool], definition).length === 0)
    return { allowed: false, reason: `The agent ${name} does not have ${tool.name}.` };
  const named = tools.filter((text) => bareName(text) === tool.name.toLowerCase());
  if (named.length === 0 || named.some((text) => !text.includes('('))) return undefined;
  const rules = toolRules({ path: source }, named);
  if ((await standingOf({ tool: tool.name, access }, { rules, workspace })) !== 'outside') return undefined;
  return { allowed: false, reason: `The agent ${name} may use ${tool.name} only as ${named.join(', ')}.` };
}

/** The calls its definition disallows for a tool it has. */
function deniedCalls({ disallowedTools = [], name, source = name }: IAgentDefinition): readonly Rule[] {
  return disallowedRules({ path: source }, disallowedTools).filter(
    ({ specifier }) => specifier !== undefined,
  );
}

/** Modes are listed from the strictest on. */
function stricter(parent: PermissionMode, wanted: PermissionMode | undefined): PermissionMode {
  if (wanted === undefined) return parent;
  return permissionModes.indexOf(wanted) < permissionModes.indexOf(parent) ? wanted : parent;
}
