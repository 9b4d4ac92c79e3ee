import { AgentError } from '@robota-sdk/agent-core';
import { fleetFiles } from '../client/fleet-files.ts';
import { isEnded } from '../contract/task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from './fleet-console.ts';
import { requireTask, withClient } from './with-client.ts';

/** `robota fleet gc`: removes worktrees that nothing needs any more, and says why the others stay. */
export async function gcCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const { collectGarbage } = await import('../workspace/gc/collect-garbage.ts');
  return withClient(request, console, async (client) => {
    const states = new Map((await client.tasks()).map(({ id, state }) => [id, state]));
    const named = await Promise.all(request.words.map(async (word) => (await requireTask(client, word)).id));
    const isDiscarding = request.has('discard');
    if (isDiscarding && named.length === 0)
      throw new AgentError('usage', '--discard needs the tasks whose work may be lost.');
    const verdicts = await collectGarbage({
      home: { directory: fleetFiles(console.home).directory },
      dryRun: request.has('dry-run'),
      isEnded: (id) => {
        const state = states.get(id);
        return state === undefined ? undefined : isEnded(state);
      },
      ...(named.length === 0 ? {} : { only: named }),
      ...(isDiscarding ? { discard: named } : {}),
      env: console.env,
    });
    for (const verdict of verdicts) {
      const { action, directory, reason } = verdict;
      const line = `${action.padEnd(12)} ${directory}${reason === undefined ? '' : `: ${reason}`}`;
      await console.print(`${request.has('json') ? JSON.stringify(verdict) : line}\n`);
    }
    if (verdicts.length === 0) await console.note('There are no worktrees.');
    return exitCodes.done;
  });
}
