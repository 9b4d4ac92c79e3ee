import { existsSync } from 'node:fs';
import { takeSubcommand } from '@robota-sdk/agent-config';
import {
  AgentError,
  type CommandContext,
  type CommandOutcome,
  given,
  silentInterface,
} from '@robota-sdk/agent-core';
import { findDefinition } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { announceEnd, dropAnnouncement } from '../tasks/announce-end.ts';
import { adviceLines, describeGroup, describeTaskEnd, describeTasks } from '../tasks/describe-tasks.ts';
import { type BackgroundTask, hasEnded, type JobGroup } from '../tasks/task-state.ts';
import type { CommandActions } from './built-in-commands.ts';
import { tasksRow } from './command-table.ts';
import { type AgentCommand, type AgentRunRequest, parseAgentCommand } from './parse-agent-command.ts';

/** Commands about agents and tasks in the background. */
export const agentCommands: CommandActions = {
  agent: {
    complete: async (prefix, { session }) => completeAgentCommand(prefix, session),
    run: runAgentCommand,
  },
  tasks: {
    complete: async (prefix, { session }) => {
      const [, action] = /^(\S+)\s/.exec(prefix) ?? [];
      const ids =
        action === undefined ? [] : session.listBackgroundTasks().map(({ id }) => `${action} ${id}`);
      return ids.filter((word) => word.startsWith(prefix));
    },
    run: runTasksCommand,
  },
};

const isolations = ['none', 'worktree'];

/** Suggests agents, ids and options; the subcommands are in the table. */
function completeAgentCommand(prefix: string, session: InteractiveSession): readonly string[] {
  const before = prefix.slice(0, prefix.length - lastWord(prefix).length);
  const words = wordsAfter(before.trim(), session);
  return words.map((word) => before + word).filter((line) => line.startsWith(prefix));
}

function wordsAfter(before: string, session: InteractiveSession): readonly string[] {
  const names = session.listAgentDefinitions().map(({ name }) => name);
  const ids = session.listAgentJobs().map(({ id }) => id);
  if (before === '') return names;
  if (/^run\b/.test(before)) return afterRun(before, names, session);
  if (before === 'wait') return [...session.listBackgroundJobGroups().map(({ id }) => id), ...ids];
  if (/^(read|send|stop|cancel|close|open)$/.test(before)) return ids;
  if (/^parallel\b/.test(before)) return ['--wait', '--detach'];
  return [];
}

function afterRun(before: string, names: readonly string[], session: InteractiveSession): readonly string[] {
  if (/(--agent|--type|-a)$/.test(before)) return names;
  if (/--isolation$/.test(before)) return isolations;
  if (/--model$/.test(before)) return session.listModels().map(({ vendor, id }) => `${vendor}/${id}`);
  return ['--agent', '--model', '--isolation'];
}

function lastWord(prefix: string): string {
  return /(?<!\S)\S*$/.exec(prefix)?.[0] ?? '';
}

type Context = Pick<CommandContext<InteractiveSession>, 'session' | 'ui' | 'signal'>;

async function runAgentCommand(args: string, context: Context): Promise<CommandOutcome> {
  const { session } = context;
  const names = session.listAgentDefinitions().map(({ name }) => name);
  const command = parseAgentCommand(args, names);
  switch (command.kind) {
    case 'list':
      return list(session);
    case 'run':
      return run(command.request, context);
    case 'parallel':
      return parallel(command, context);
    case 'wait':
      return wait(command.id, context);
    case 'read':
      return readTask(session, command.id, command.offset);
    case 'send':
      return send(command, context);
    case 'cancel':
      return cancelTask(session, command.id, command.reason);
    case 'close':
      return closeTask(session, command.id);
    case 'open':
      return open(session, command.id);
  }
}

function list(session: InteractiveSession): CommandOutcome {
  const jobs = session.listAgentJobs();
  const groups = session.listBackgroundJobGroups();
  const agents = session.listAgentDefinitions();
  const running = groups.filter(({ status }) => status === 'running').map(describeGroup);
  const lines = [
    jobs.length === 0 ? 'No agents were started.' : describeTasks(jobs),
    ...running,
    '',
    `Agents: ${agents.map(({ name }) => name).join(', ')}. /agent AGENT PROMPT starts one.`,
  ];
  const known = agents.map(({ name, description, source }) => ({ name, description, source }));
  return { kind: 'notice', text: lines.join('\n'), data: { jobs, groups, agents: known } };
}

async function run(request: AgentRunRequest, context: Context): Promise<CommandOutcome> {
  const task = await context.session.spawnAgentJob(request);
  return report(task, context, `started (${task.agentType})`);
}

async function send(
  { id, prompt }: Extract<AgentCommand, { kind: 'send' }>,
  context: Context,
): Promise<CommandOutcome> {
  const { session } = context;
  const before = session.tasks.require(id);
  const task = await session.sendAgentJob(before.id, prompt);
  const isJoined = task.status !== 'queued' && task.startedAt === before.startedAt;
  const done = isJoined ? 'gets the message and continues' : `resumes where it ended (${task.agentType})`;
  return report(task, context, done);
}

/** The user is notified when it ends; without a user, the command itself waits. */
async function report(
  task: BackgroundTask,
  { session, ui, signal }: Context,
  done: string,
): Promise<CommandOutcome> {
  if (ui === silentInterface) {
    const stop = endWith(signal, session, [task.id]);
    const ended = await session.tasks.whenEnded(task.id);
    stop();
    session.tasks.markRead(task.id);
    if (ended.status !== 'completed' && !signal.aborted)
      return { kind: 'error', text: describeTaskEnd(ended) };
    return { kind: 'notice', text: describeTaskEnd(ended), data: session.tasks.require(task.id) };
  }
  announceEnd(session.getSession(), session.tasks, task.id);
  const waits = task.status === 'queued' ? ' It waits for others to end.' : '';
  return {
    kind: 'notice',
    text: `${task.id} ${done}.${waits} /agent read ${task.id} shows what it does.`,
    data: task,
  };
}

async function parallel(
  { requests, detach }: Extract<AgentCommand, { kind: 'parallel' }>,
  context: Context,
): Promise<CommandOutcome> {
  const { session } = context;
  // All or none: a missing agent must be noticed before others start.
  for (const { agentType } of requests)
    if (agentType !== undefined) findDefinition(agentType, session.listAgentDefinitions());
  const taskIds: string[] = [];
  for (const request of requests) taskIds.push((await session.spawnAgentJob(request)).id);
  const waitPolicy = detach ? 'detached' : 'wait_all';
  const group = session.createBackgroundJobGroup({ waitPolicy, taskIds });
  if (!detach) return wait(group.id, context);
  if (context.ui !== silentInterface)
    for (const id of taskIds) announceEnd(session.getSession(), session.tasks, id);
  return {
    kind: 'notice',
    text: `${group.id} is started: ${taskIds.join(', ')}. /agent wait ${group.id} waits for it.`,
    data: { groupId: group.id, taskIds, group },
  };
}

async function wait(id: string, context: Context): Promise<CommandOutcome> {
  const { session, ui, signal } = context;
  const known = session.tasks.list().find((task) => task.id === id);
  if (known && ui === silentInterface) return report(known, context, 'is waited for');
  if (known) return waitForOne(id, context);
  const isAlone = ui === silentInterface;
  const stop = isAlone ? endWith(signal, session, session.tasks.groups.require(id).taskIds) : undefined;
  const group = await session.waitBackgroundJobGroup(id, isAlone ? undefined : signal);
  stop?.();
  for (const { taskId } of group.results) session.tasks.markRead(taskId);
  return groupOutcome(group, { isInterrupted: signal.aborted });
}

async function waitForOne(id: string, { session, signal }: Context): Promise<CommandOutcome> {
  const isAnnounced = dropAnnouncement(session.getSession(), id);
  try {
    const task = await session.tasks.whenEnded(id, signal);
    session.tasks.markRead(id);
    return { kind: 'notice', text: describeTaskEnd(task), data: task };
  } catch (thrown) {
    if (isAnnounced) announceEnd(session.getSession(), session.tasks, id);
    throw thrown;
  }
}

/** Without a user, an interrupt ends the tasks and returns their partial results. */
function endWith(signal: AbortSignal, session: InteractiveSession, ids: readonly string[]): () => void {
  const end = () => {
    for (const id of ids) void session.cancelAgentJob(id, 'Interrupted.').catch(() => {});
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return () => signal.removeEventListener('abort', end);
}

function groupOutcome(group: JobGroup, { isInterrupted }: { isInterrupted: boolean }): CommandOutcome {
  const text = describeGroup(group);
  const ended = group.results.filter(hasEnded);
  const hasFailed = ended.length > 0 && ended.every(({ status }) => status !== 'completed');
  if (hasFailed && !isInterrupted) return { kind: 'error', text };
  return { kind: 'notice', text, data: { groupId: group.id, taskIds: group.taskIds, group } };
}

/** Continues in the agent's directory: elsewhere, its paths would mean other files. */
async function open(session: InteractiveSession, id: string): Promise<CommandOutcome> {
  const task = session.tasks.require(id);
  if (!hasEnded(task))
    throw new AgentError(
      'usage',
      `${task.id} is running. /agent read ${task.id} shows what it wrote; to continue in its place, stop it first.`,
    );
  if (task.transcriptPath === undefined)
    throw new AgentError('usage', `${task.id} has no saved conversation.`);
  const cwd = task.isolation === 'worktree' ? await session.tasks.directoryOf(task.id) : undefined;
  if (cwd !== undefined && !existsSync(cwd))
    throw new AgentError(
      'usage',
      `${task.id} worked in ${cwd}, which is gone, so its conversation cannot continue there. /agent read ${task.id} shows it; /agent send ${task.id} PROMPT lets it continue in a new worktree.`,
    );
  const where = cwd === undefined ? '' : ` It works in ${cwd}.`;
  const notice = `This is the conversation of the agent ${task.agentType} (${task.id}).${where}`;
  return { kind: 'switch', to: { open: task.transcriptPath, ...given('cwd', cwd) }, notice };
}

async function runTasksCommand(args: string, { session }: Context): Promise<CommandOutcome> {
  const { name, words } = takeSubcommand(tasksRow, args.match(/\S+/g) ?? [], 'prompt');
  if (name === 'list') return listTasks(session.listBackgroundTasks());
  const [id, ...more] = words;
  if (id === undefined) return { kind: 'error', text: `Missing task id: /tasks ${name} ID.` };
  if (name === 'read') return readTask(session, id, Number(more[0]) || 0);
  return name === 'cancel' ? cancelTask(session, id, more.join(' ')) : closeTask(session, id);
}

function listTasks(tasks: readonly BackgroundTask[]): CommandOutcome {
  return { kind: 'notice', text: describeTasks(tasks), data: tasks };
}

/** The output of a task from an offset on, and its state. */
async function readTask(session: InteractiveSession, id: string, offset: number): Promise<CommandOutcome> {
  const part = await session.readBackgroundTaskLog(session.tasks.require(id).id, { offset });
  const task = session.tasks.require(id);
  const said = part.text.trimEnd() === '' ? '(nothing yet)' : part.text.trimEnd();
  const more = part.isEnd ? '' : `\n/tasks read ${task.id} ${part.nextOffset} shows more.`;
  const why = task.error ? [task.error.message] : [];
  const state = [describeTasks([task]), ...why, ...adviceLines(task.worktree)].join('\n');
  return {
    kind: 'notice',
    text: `${said}\n\n${state}${more}`,
    data: { task, ...part },
  };
}

async function cancelTask(
  session: InteractiveSession,
  id: string,
  reason: string | undefined,
): Promise<CommandOutcome> {
  const before = session.tasks.require(id);
  dropAnnouncement(session.getSession(), before.id);
  const task = await session.cancelBackgroundTask(before.id, reason === '' ? undefined : reason);
  session.tasks.markRead(task.id);
  const why = task.error ? [task.error.message] : [];
  const ended = session.tasks.require(task.id);
  return {
    kind: 'notice',
    text: [describeTasks([ended]), ...why, ...adviceLines(task.worktree)].join('\n'),
    data: ended,
  };
}

function closeTask(session: InteractiveSession, id: string): CommandOutcome {
  const task = session.tasks.require(id);
  session.closeBackgroundTask(task.id);
  const kept = task.transcriptPath ?? task.logPath;
  const where = kept === undefined ? '' : ` What it wrote stays in ${kept}.`;
  return { kind: 'notice', text: `Removed ${task.id} from the list.${where}`, data: { taskId: task.id } };
}
