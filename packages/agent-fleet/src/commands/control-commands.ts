import { AgentError } from '@robota-sdk/agent-core';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { taskFacts } from '../console/task-facts.ts';
import type { FleetClient } from '../contract/client.ts';
import { isEnded, type TaskDetails, type TaskState } from '../contract/task.ts';
import { requireTask, withClient } from './with-client.ts';

/** `robota fleet stop`: ends tasks; their worktrees and sessions stay. */
export async function stopCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  return forTasks(request, console, { type: 'stop', fits: ({ state }) => !isEnded(state), verb: 'stopped' });
}

/** `robota fleet retry`: queues tasks again that failed, were stopped or are parked. */
export async function retryCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const fits = ({ state }: TaskDetails) => ['failed', 'stopped', 'parked'].includes(state);
  return forTasks(request, console, {
    type: 'retry',
    fits,
    verb: 'queued again',
    all: ['failed', 'stopped'],
  });
}

/** `robota fleet drain`: workers finish what they hold, take nothing new, and end. */
export async function drainCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  if (request.words[0] !== undefined)
    throw new AgentError('usage', `robota fleet drain takes no "${request.words[0]}".`);
  const workers = await withClient(request, console, async (client) => {
    await client.submit([{ type: 'drain' }]);
    return client.workers();
  });
  if (request.has('json')) for (const worker of workers) await console.print(`${JSON.stringify(worker)}\n`);
  await console.note(
    workers.length === 0 ? 'No workers are running.' : 'Workers finish the tasks they hold and end.',
  );
  return exitCodes.done;
}

interface Change {
  readonly type: 'stop' | 'retry';
  readonly verb: string;
  fits(task: TaskDetails): boolean;
  /** The states that `--all` stands for; all that fit unless given. */
  readonly all?: readonly TaskState[];
}

async function forTasks(request: FleetRequest, console: FleetConsole, change: Change): Promise<number> {
  return withClient(request, console, async (client) => {
    const tasks = await tasksOf(request, client, change);
    const unfit = tasks.find((task) => !change.fits(task));
    if (unfit)
      throw new AgentError('usage', `Task ${unfit.id} is ${unfit.state} and cannot be ${change.verb}.`);
    await client.submit(tasks.map(({ id }) => ({ type: change.type, id })));
    if (request.has('json')) await printTasks(tasks, client, console);
    await console.note(
      tasks.length === 1 ? `1 task will be ${change.verb}.` : `${tasks.length} tasks will be ${change.verb}.`,
    );
    return exitCodes.done;
  });
}

/** Prints tasks as the request left them, as `fleet list --json` does. */
export async function printTasks(
  tasks: readonly TaskDetails[],
  client: FleetClient,
  console: FleetConsole,
): Promise<void> {
  for (const task of tasks) {
    const facts = taskFacts((await client.task(task.id)) ?? task);
    await console.print(`${JSON.stringify(facts)}\n`);
  }
}

async function tasksOf(
  request: FleetRequest,
  client: FleetClient,
  { all, fits }: Change,
): Promise<readonly TaskDetails[]> {
  if (!request.has('all')) {
    const words = request.words.length === 0 ? [undefined] : request.words;
    return Promise.all(words.map((word) => requireTask(client, word)));
  }
  if (request.words[0] !== undefined)
    throw new AgentError('usage', `--all names every task already. Unexpected "${request.words[0]}".`);
  const records = await client.tasks(all ? { states: all } : {});
  const tasks = await Promise.all(records.map(({ id }) => client.task(id)));
  return tasks.filter((task) => task !== undefined).filter(fits);
}
