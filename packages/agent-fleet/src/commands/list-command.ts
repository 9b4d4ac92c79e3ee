import { AgentError, describeProblem, didYouMean } from '@robota-sdk/agent-core';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { taskFacts } from '../console/task-facts.ts';
import { taskTable } from '../console/task-table.ts';
import { type TaskState, taskStates } from '../contract/task.ts';
import { withClient } from './with-client.ts';

const usualLimit = 100;
const rowsPerWrite = 1000;

/** `robota fleet list`: the tasks, oldest first. */
export async function fleetListCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  if (request.words[0] !== undefined)
    throw new AgentError('usage', `robota fleet list takes no "${request.words[0]}". See --help.`);
  const isJson = request.has('json');
  const states = statesOf(request);
  const limit = limitOf(request, isJson ? 0 : usualLimit);
  const { tasks, problems } = await withClient(request, console, async (client) => ({
    tasks: await client.tasks(states ? { states } : {}),
    problems: await client.problems(),
  }));
  const shown = limit === 0 ? tasks : tasks.slice(-limit);
  const lines = isJson
    ? shown.map((task) => JSON.stringify(taskFacts(task)))
    : tasks.length === 0
      ? []
      : taskTable(shown, { ...measures(console), now: Date.now() });
  for (let from = 0; from < lines.length && !console.closed.aborted; from += rowsPerWrite)
    await console.print(`${lines.slice(from, from + rowsPerWrite).join('\n')}\n`);
  for (const problem of problems) await console.note(describeProblem(problem));
  if (isJson) return exitCodes.done;
  if (tasks.length === 0) await console.note(`No tasks. Add one with: ${console.program} fleet add "PROMPT"`);
  if (shown.length < tasks.length)
    await console.note(`The last ${shown.length} of ${tasks.length} tasks are shown; --limit 0 shows all.`);
  return exitCodes.done;
}

function measures({ width, truncate, columns }: FleetConsole) {
  return { width, truncate, columns };
}

function statesOf(request: FleetRequest): readonly TaskState[] | undefined {
  const given = request.values('state').flatMap((value) => value.split(','));
  if (given.length === 0) return undefined;
  return given.map((word) => {
    const state = taskStates.find((each) => each === word.trim());
    if (state) return state;
    const advice = didYouMean(word, taskStates) ?? `Use one of ${taskStates.join(', ')}.`;
    throw new AgentError('usage', `Unknown state "${word}". ${advice}`);
  });
}

function limitOf(request: FleetRequest, usual: number): number {
  const given = request.value('limit');
  if (given === undefined) return usual;
  const limit = Number(given);
  if (Number.isSafeInteger(limit) && limit >= 0 && given.trim() !== '') return limit;
  throw new AgentError('usage', `--limit needs a number, not "${given}".`);
}
