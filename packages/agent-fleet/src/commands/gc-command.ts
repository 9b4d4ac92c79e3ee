import { AgentError, parseDuration } from '@robota-sdk/agent-core';
import { fleetFiles } from '../client/fleet-files.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import type { FleetClient } from '../contract/client.ts';
import { isEnded } from '../contract/task.ts';
import { requireTask, withClient } from './with-client.ts';

/** `robota fleet gc`: removes worktrees that nothing needs, says why the others stay, and removes mirrors and set-ups unused for long. */
export async function gcCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const { collectGarbage } = await import('../workspace/gc/collect-garbage.ts');
  return withClient(request, console, async (client) => {
    const states = new Map((await client.tasks()).map(({ id, state }) => [id, state]));
    const named = await Promise.all(request.words.map((word) => idOf(word, client)));
    const isDiscarding = request.has('discard');
    if (isDiscarding && named.length === 0)
      throw new AgentError('usage', '--discard needs the tasks whose work may be lost.');
    const verdicts = await collectGarbage({
      home: { directory: fleetFiles(console.home).directory },
      dryRun: request.has('dry-run'),
      isEnded: (id) => {
        const state = states.get(id);
        if (state !== undefined) return isEnded(state);
        // A task of `robota run` is in no queue, so its user has to name it.
        return named.includes(id) ? true : undefined;
      },
      isDone: (id) => states.get(id) === 'done',
      isDelivered: async (id, attempt) =>
        states.get(id) === 'done' && (await client.task(id))?.receipt?.winner === attempt,
      ...unusedOf(request),
      ...(named.length === 0 ? {} : { only: named }),
      ...(isDiscarding ? { discard: named } : {}),
      env: console.env,
    });
    for (const verdict of verdicts) {
      const { action, directory, reason } = verdict;
      const line = `${action.padEnd(12)} ${directory}${reason === undefined ? '' : `: ${reason}`}`;
      await console.print(`${request.has('json') ? JSON.stringify(verdict) : line}\n`);
    }
    if (verdicts.length === 0) await console.note('No worktrees.');
    return exitCodes.done;
  });
}

function unusedOf(request: FleetRequest): { readonly unusedMs?: number } {
  const given = request.value('unused');
  if (given === undefined) return {};
  const unusedMs = parseDuration(given);
  if (unusedMs !== undefined) return { unusedMs };
  throw new AgentError('usage', `--unused needs a time such as 7d, not "${given}".`);
}

/** The id of a task of the queue; a whole id of any other task is taken as it is. */
async function idOf(word: string, client: FleetClient): Promise<string> {
  const isId = /^[0-9a-z]{12}$/.test(word);
  return isId && (await client.task(word)) === undefined ? word : (await requireTask(client, word)).id;
}
