import {
  AgentError,
  errorMessage,
  isPermissionMode,
  type JsonObject,
  type JsonValue,
  type Problem,
  permissionModes,
  thinkingOfTokens,
} from '@robota-sdk/agent-sdk/front-end';
import { contextUsage } from './context-usage.ts';
import { type ControlHandler, type ControlSubject, requiredText } from './control-subject.ts';
import { flagSettings } from './flag-settings.ts';
import { hostRequests } from './host-requests.ts';
import { mcpRequests } from './mcp-requests.ts';
import { rewindFiles } from './rewind-files.ts';
import { commandsOf, describeModels, describeUsage, descriptionOf } from './session-description.ts';
import { sessionRequests } from './session-requests.ts';

/** Everything a program can ask for beside its prompts, by its subtype. */
const handlers: Readonly<Record<string, ControlHandler>> = {
  initialize: async (subject) => descriptionOf(subject),
  set_permission_mode: async (subject, { mode }) => setMode(subject, mode),
  set_model: async (subject, { model }) => setModel(subject, model),
  set_max_thinking_tokens: setThinking,
  get_context_usage: async ({ session }) => contextUsage(session),
  get_usage: async (subject) => describeUsage(subject),
  list_models: async ({ session }) => ({ models: describeModels(session) }),
  rewind_files: rewindFiles,
  apply_flag_settings: flagSettings,
  reload_plugins: reloadAll,
  reload_skills: async (subject) => {
    await reload(subject);
    const names = new Set(subject.session.skills.map(({ name }) => name));
    return { skills: commandsOf(subject.session).filter(({ name }) => names.has(String(name))) };
  },
  reload_output_styles: async () => ({ available_output_styles: ['default'] }),
  stop_task: async ({ session }, { task_id: id }) => {
    await session.cancelBackgroundTask(requiredText('stop_task', 'task_id', id));
    return {};
  },
  ...sessionRequests,
  ...hostRequests,
  ...mcpRequests,
};

/** Requests about the prompts that wait, which the server of the stream answers itself. */
const serverRequests = ['interrupt', 'cancel_async_message', 'end_session'] as const;

/** Does what a program asks for beside its prompts, and answers; throws what the program can act on. */
export async function runControlRequest(
  subject: ControlSubject,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const { subtype } = request;
  const handler =
    typeof subtype === 'string' && Object.hasOwn(handlers, subtype) ? handlers[subtype] : undefined;
  if (handler) return handler(subject, request, signal);
  const known = [...serverRequests, ...Object.keys(handlers)].join(', ');
  throw new AgentError('usage', `Unknown request ${JSON.stringify(subtype ?? null)}. Available: ${known}.`);
}

function setMode({ session: { permissions } }: ControlSubject, mode: JsonValue | undefined): JsonObject {
  const dontAsk = mode === 'dontAsk';
  const chosen = dontAsk || mode === 'manual' ? 'default' : mode;
  if (!isPermissionMode(chosen))
    throw new AgentError(
      'usage',
      `Unknown mode ${JSON.stringify(mode ?? null)}. Choose one of ${[...permissionModes, 'dontAsk'].join(', ')}.`,
    );
  permissions.choose(chosen);
  permissions.dontAsk = dontAsk;
  return { mode: dontAsk ? 'dontAsk' : chosen };
}

async function setModel(
  { session, first }: ControlSubject,
  name: JsonValue | undefined,
): Promise<JsonObject> {
  if (name === undefined || name === null || name === 'default') {
    session.useModel(first.model);
    return { model: first.model };
  }
  const { vendor, id } = await session.setModel(requiredText('set_model', 'model', name));
  return { model: `${vendor}/${id}` };
}

async function setThinking(
  { session, first, display }: ControlSubject,
  { max_thinking_tokens: tokens, thinking_display: wanted }: JsonObject,
): Promise<JsonObject> {
  if (tokens !== undefined) {
    if (tokens !== null && !(typeof tokens === 'number' && tokens >= 0))
      throw new AgentError('usage', 'set_max_thinking_tokens needs a number that is not negative, or null.');
    await session.setThinking(tokens === null ? first.thinking : thinkingOfTokens(tokens));
  }
  if (wanted !== undefined && wanted !== null && wanted !== 'summarized' && wanted !== 'omitted')
    throw new AgentError(
      'usage',
      `Unsupported thinking_display ${JSON.stringify(wanted)}. Use summarized, omitted or null.`,
    );
  if (wanted === null) display.hidesThinking = first.hidesThinking;
  else if (wanted !== undefined) display.hidesThinking = wanted === 'omitted';
  return { thinking: session.thinking };
}

async function reload({ session }: ControlSubject): Promise<readonly Problem[]> {
  return (await session.reload()).problems;
}

async function reloadAll(
  subject: ControlSubject,
  { add_plugins: added, refuse_if_busy: isCareful }: JsonObject,
) {
  if (Array.isArray(added) && added.length > 0)
    throw new AgentError('usage', 'Plugins cannot be added to an open session. Start it with --plugin-dir.');
  const { session } = subject;
  if (!isCareful) await session.whenIdle();
  const problems = await reload(subject).catch((thrown: unknown) => {
    throw new AgentError('session', errorMessage(thrown));
  });
  const { agents, commands, plugins } = descriptionOf(subject);
  const { mcpServers } = await runControlRequest(subject, { subtype: 'mcp_status' });
  return {
    commands: commands ?? [],
    agents: agents ?? [],
    plugins: plugins ?? [],
    mcpServers: mcpServers ?? [],
    error_count: problems.length,
  };
}
