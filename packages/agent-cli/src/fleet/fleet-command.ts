import { takeSubcommand } from '@robota-sdk/agent-sdk/front-end';
import { fleetRow } from '../arguments/fleet-rows.ts';
import { optionsOf, readMixed } from '../arguments/read-options.ts';
import { loadFleet } from '../database/load-fleet.ts';
import { openFleetConsole } from './fleet-console.ts';

/** Runs `robota fleet …`. */
export async function fleetCommand(given: readonly string[]): Promise<number> {
  const { name, words } = takeSubcommand(fleetRow, given, 'shell');
  const options = readMixed(words, optionsOf('fleet', name));
  return runFleet({ ...options, command: name });
}

async function runFleet(
  request: Parameters<typeof import('@robota-sdk/agent-fleet/command-line').runFleetCommand>[0],
) {
  const { runFleetCommand } = await loadFleet(`robota fleet ${request.command}`);
  const console = openFleetConsole();
  try {
    return await runFleetCommand(request, console);
  } finally {
    console.close();
  }
}
