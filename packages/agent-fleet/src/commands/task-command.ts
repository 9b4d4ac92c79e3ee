import { AgentError } from '@robota-sdk/agent-core';
import { fleetFiles } from '../client/fleet-files.ts';
import type { TaskDetails } from '../contract/task.ts';
import { readTaskFile } from '../task/read-task.ts';
import { assertRepository } from './add-command.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from './fleet-console.ts';
import { exitCodeOf } from './follow-command.ts';
import { taskFacts } from './list-command.ts';
import { openProgress } from './progress-view.ts';
import { describeTask } from './show-command.ts';
import { fieldsOf } from './task-options.ts';

/** `robota run FILE`: one task here and now, by the same steps, without a queue. */
export async function taskCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const [file, other] = request.words;
  if (file === undefined)
    throw new AgentError('usage', 'Missing task file.', { hint: 'For example: robota run task.md' });
  if (other !== undefined)
    throw new AgentError('usage', `robota run takes one task file. Unexpected "${other}".`);
  const spec = await readTaskFile(file, { directory: console.cwd, fields: fieldsOf(request) });
  assertRepository(spec, false);
  const stop = new AbortController();
  const view = openProgress({
    console,
    onInterrupt: () => stop.abort(),
    hints: ['Ctrl+C stops the task', 'Stopping'],
  });
  let task: TaskDetails;
  try {
    const { runTaskHere } = await import('../worker/run-task-here.ts');
    task = await runTaskHere(spec, {
      home: console.home,
      env: console.env,
      signal: stop.signal,
      onChange: (changed) => view.update([changed]),
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
