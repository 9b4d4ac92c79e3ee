import { AgentError } from '@robota-sdk/agent-core';
import { fleetFiles } from '../client/fleet-files.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { taskFacts } from '../console/task-facts.ts';
import type { TaskDetails } from '../contract/task.ts';
import { openFleetView } from '../screen/fleet-view.ts';
import { readTaskFile } from '../task/read-task.ts';
import { assertRepository } from './add-command.ts';
import { exitCodeOf } from './follow-command.ts';
import { describeTask } from './show-command.ts';
import { optionFields } from './task-options.ts';

/** `robota run FILE`: one task here and now, by the same steps, without a queue. */
export async function fleetTaskCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const [file, other] = request.words;
  if (file === undefined)
    throw new AgentError('usage', 'Missing task file.', { hint: 'For example: robota run task.md' });
  if (other !== undefined)
    throw new AgentError('usage', `robota run takes one task file. Unexpected "${other}".`);
  const spec = await readTaskFile(file, { directory: console.cwd, fields: optionFields(request) });
  assertRepository(spec, false);
  const stop = new AbortController();
  const format = request.has('json') ? 'lines' : 'table';
  const view = await openFleetView({ console, jobs: 1, format, onEnd: () => stop.abort() });
  let task: TaskDetails;
  try {
    const { runTaskHere } = await import('../worker/run-task-here.ts');
    task = await runTaskHere(spec, {
      home: console.home,
      env: console.env,
      signal: stop.signal,
      onChange: (changed) => {
        view.status('');
        view.update([changed]);
      },
    });
  } finally {
    await view.close();
  }
  if (task.state === 'done') await removeFiles(task, console);
  const { receipt = null, directory = null } = task;
  const text = request.has('json')
    ? JSON.stringify({ ...taskFacts(task), directory, spec, receipt })
    : describeTask(task, resumeLine(task, console.program)).join('\n');
  await console.print(`${text}\n`);
  return stop.signal.aborted ? exitCodes.interrupted : exitCodeOf(task);
}

/** Without a queue the user continues in the session of the task. */
function resumeLine({ sessionId = '', directory = '.' }: TaskDetails, program: string): string {
  return `Continue it with: ${program} --resume ${sessionId} --cwd ${directory}`;
}

/** Removes the worktree of a task that is done and delivered; anything that is nowhere else stays. */
async function removeFiles({ id }: TaskDetails, { home, env }: FleetConsole): Promise<void> {
  const { collectGarbage } = await import('../workspace/gc/collect-garbage.ts');
  const { directory } = fleetFiles(home);
  await collectGarbage({ home: { directory }, dryRun: false, isEnded: () => true, only: [id], env });
}
