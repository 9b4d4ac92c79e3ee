import { hostname } from 'node:os';
import { AgentError, givenFields, type JsonObject } from '@robota-sdk/agent-core';
import type {
  FleetReply,
  FleetSchedule,
  FleetStep,
  FleetTask,
  FleetTaskState,
  FleetWebhook,
} from '../contract/fleet.ts';
import type { WebRoute } from '../contract/route.ts';
import { type FleetAction, type FleetPort, type FleetTaskDetails, fleetInstall } from './fleet/fleet-port.ts';
import { addSchedule, queueTask, removeSchedule, setLimits, type TaskRules } from './queue-task.ts';
import { bodyFields, bodyText, idOf } from './read-body.ts';

export interface FleetRoutesOptions {
  /** Which tasks a page may add; none unless given. */
  readonly rules?: TaskRules;
  /** Opens the way to the fleet; undefined if the package is not installed. */
  open(): Promise<FleetPort | undefined>;
  /** The time; that of the machine unless given. */
  readonly now?: () => number;
}

/** A worker that was not heard of for this long is shown as silent. */
const silenceMs = 30_000;

/** The queue, workers, schedules and spending of a fleet, and requests to it. */
export function fleetRoutes(options: FleetRoutesOptions): WebRoute[] {
  const post = (name: string, change: (fleet: FleetPort, body: JsonObject) => Promise<void>): WebRoute => ({
    method: 'POST',
    path: `/api/fleet/${name}`,
    handle: ({ body }) =>
      withFleet(options, async (fleet) => {
        await change(fleet, bodyFields(body));
        return { json: await stateOf(fleet, options) };
      }),
  });
  const rules = options.rules ?? noTasks;
  const changing = (
    name: string,
    requestOf: (task: FleetTaskDetails, body: JsonObject) => FleetAction,
  ): WebRoute =>
    post(name, async (fleet, body) => {
      const id = idOf(bodyText(body, 'id'));
      const task = await fleet.task(id);
      if (task === undefined) throw new AgentError('usage', `No task "${id}".`);
      await fleet.submit([requestOf(task, body)]);
    });
  return [
    { method: 'GET', path: '/api/fleet', handle: () => readFleet(options) },
    changing('answer', answerIn),
    changing('stop', (task) => {
      if (isEnded(task.state)) throw wrongState(task, 'stopped');
      return { type: 'stop', id: task.id };
    }),
    changing('retry', (task) => {
      if (!['failed', 'stopped', 'parked'].includes(task.state)) throw wrongState(task, 'queued again');
      return { type: 'retry', id: task.id };
    }),
    changing('say', messageIn),
    post('drain', (fleet) => fleet.submit([{ type: 'drain' }])),
    post('add', (fleet, body) => queueTask(fleet, body, rules)),
    post('schedules/add', (fleet, body) => addSchedule(fleet, body, rules)),
    post('schedules/remove', (fleet, body) => removeSchedule(fleet, idOf(bodyText(body, 'id')))),
    post('limits', setLimits),
  ];
}

const noTasks: TaskRules = {
  shell: false,
  allowRepository: () => Promise.reject(new AgentError('usage', 'Tasks cannot be added here.')),
};

/** The session and the worktree of a task, to review its changes. */
export async function taskSubject(options: FleetRoutesOptions, id: string) {
  return withFleet(options, async (fleet) => {
    const task = await fleet.task(id);
    if (task === undefined) throw new AgentError('usage', `No task "${id}".`);
    if (task.sessionId === undefined || task.sessionId === '')
      throw new AgentError('session', `Task ${id} has no session yet, so there is nothing to review.`);
    return {
      session: idOf(task.sessionId),
      title: task.name,
      ...(task.branch === undefined ? {} : { branch: task.branch }),
      ...(isEnded(task.state)
        ? {}
        : { readOnly: `The task is ${task.state}. Its changes can be decided once it has ended.` }),
    };
  });
}

async function readFleet(options: FleetRoutesOptions): Promise<{ readonly json: FleetReply }> {
  const fleet = await options.open();
  if (fleet === undefined) return { json: { installed: false, install: fleetInstall } };
  try {
    return { json: await stateOf(fleet, options) };
  } finally {
    await fleet.close();
  }
}

async function withFleet<T>(options: FleetRoutesOptions, work: (fleet: FleetPort) => Promise<T>): Promise<T> {
  const fleet = await options.open();
  if (fleet === undefined)
    throw new AgentError('usage', 'The fleet is not installed.', {
      hint: `Install it with: ${fleetInstall}`,
    });
  try {
    return await work(fleet);
  } finally {
    await fleet.close();
  }
}

/** Ended and queued tasks beyond these are left out; `robota fleet list` shows all. */
const shownEnded = 30;
const shownQueued = 60;

async function stateOf(
  fleet: FleetPort,
  { now = Date.now, rules = noTasks }: FleetRoutesOptions,
): Promise<FleetReply> {
  const records = await fleet.tasks();
  const ended = records.filter(({ state }) => isEnded(state));
  const queued = records.filter(({ state }) => state === 'queued');
  const active = records.filter(({ state }) => !isEnded(state) && state !== 'queued');
  const shown = [...active, ...queued.slice(0, shownQueued), ...ended.slice(-shownEnded)];
  const tasks = (await Promise.all(shown.map(({ id }) => fleet.task(id)))).flatMap((task) => task ?? []);
  const time = now();
  const schedules = await fleet.schedules();
  return {
    installed: true,
    now: time,
    tasks: tasks.map(rowOf),
    hidden: records.length - shown.length,
    workers: (await fleet.workers()).map((worker) => ({
      ...worker,
      isSilent: time - Date.parse(worker.beatAt) > silenceMs,
      isHere: worker.host === hostname(),
    })),
    schedules: schedules.map((schedule) => scheduleOf(schedule, tasks)),
    webhooks: webhooksOf(tasks, { records, now: time }),
    costs: await fleet.costs(),
    allowsChecks: rules.shell,
    problems: (await fleet.problems()).map(({ message }) => message),
  };
}

const steps: Readonly<Partial<Record<FleetTaskState, FleetStep>>> = {
  preparing: 'prepare',
  running: 'work',
  parked: 'work',
  checking: 'check',
  done: 'receipt',
};

function rowOf(details: FleetTaskDetails): FleetTask {
  const { spec, filesChanged: files, added = 0, removed = 0, directory: _, ...task } = details;
  const step = steps[task.state] ?? (task.startedAt === undefined ? undefined : 'work');
  const changes = files === undefined ? undefined : { files, added, removed };
  return {
    ...task,
    repo: spec.repo,
    maxAttempts: spec.attempts,
    after: spec.after,
    labels: spec.labels,
    ...givenFields({ model: spec.model, maxCost: spec.maxCost, step, changes }),
  };
}

function scheduleOf(
  { id, cron, timeZone, nextDue, spec }: Awaited<ReturnType<FleetPort['schedules']>>[number],
  tasks: readonly FleetTaskDetails[],
): FleetSchedule {
  const last = tasks.findLast(({ spec: { origin } }) => origin.schedule === id);
  return {
    id,
    name: spec.name,
    cron,
    timeZone,
    ...givenFields({ nextDue, last: last && { id: last.id, state: last.state, cost: last.cost } }),
  };
}

const weekMs = 7 * 24 * 3600_000;

/** A webhook names all of its tasks the same. */
function webhooksOf(
  tasks: readonly FleetTaskDetails[],
  { records, now }: { readonly records: Awaited<ReturnType<FleetPort['tasks']>>; readonly now: number },
): readonly FleetWebhook[] {
  const newest = new Map(
    tasks.filter(({ spec }) => spec.origin.kind === 'webhook').map(({ name, state }) => [name, state]),
  );
  const isOfWeek = ({ createdAt }: { readonly createdAt: string }) => now - Date.parse(createdAt) < weekMs;
  return [...newest].map(([name, last]) => ({
    name,
    week: records.filter((each) => each.name === name && isOfWeek(each)).length,
    last,
  }));
}

/** The answer to the question that was shown; another question is not answered by it. */
function answerIn(task: FleetTaskDetails, body: JsonObject): FleetAction {
  const hash = bodyText(body, 'hash');
  const { question, state, id } = task;
  if (question === undefined || state !== 'parked' || question.hash !== hash)
    throw new AgentError('session', `The question of task ${id} was already answered, or has changed.`);
  const decision = bodyText(body, 'decision');
  const text = typeof body.text === 'string' ? body.text.trim() : '';
  const isOpen = question.tool === 'AskUser';
  if (isOpen && decision === 'text' && text !== '') return { type: 'answer', id, hash, decision, text };
  if (isOpen) throw new AgentError('usage', 'Expected a text as the answer.');
  if (decision === 'allow') return { type: 'answer', id, hash, decision };
  if (decision === 'deny') return { type: 'answer', id, hash, decision, ...(text === '' ? {} : { text }) };
  throw new AgentError('usage', 'Expected allow or deny as "decision".');
}

/** A message to the agent of a task that is under way. */
function messageIn(task: FleetTaskDetails, body: JsonObject): FleetAction {
  if (!['preparing', 'running', 'checking'].includes(task.state)) throw wrongState(task, 'sent a message');
  const text = bodyText(body, 'text').trim();
  if (text === '') throw new AgentError('usage', 'The message is empty.');
  return { type: 'say', id: task.id, text };
}

function wrongState({ id, state }: FleetTaskDetails, wish: string): AgentError {
  return new AgentError('usage', `Task ${id} is ${state} and cannot be ${wish}.`);
}

function isEnded(state: FleetTaskState): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped';
}
