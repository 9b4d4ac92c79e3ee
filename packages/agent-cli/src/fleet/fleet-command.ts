import { readOptions, takeSubcommand } from '@robota-sdk/agent-sdk/front-end';
import { fleetRow } from '../arguments/fleet-command-rows.ts';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { version } from '../arguments/version.ts';
import { loadFleet } from '../database/load-fleet.ts';
import { openFleetConsole } from './fleet-console.ts';

/** Runs `robota fleet …`. */
export async function fleetCommand(given: readonly string[]): Promise<number> {
  const { name, words } = takeSubcommand(fleetRow, given, 'shell');
  const options = readOptions(words, optionsOf('fleet', name));
  return runFleet({ ...options, command: name });
}

/** Runs `robota worker …`. */
export function workerCommand(given: readonly string[]): Promise<number> {
  const options = readOptions(given, optionsOf('worker'));
  refuseWords(options, 'robota worker');
  return runFleet({ ...options, command: 'worker' });
}

/** Runs `robota run FILE`. */
export function taskCommand(given: readonly string[]): Promise<number> {
  return runFleet({ ...readOptions(given, optionsOf('run')), command: 'task' });
}

async function runFleet(
  request: Parameters<typeof import('@robota-sdk/agent-fleet/command-line').runFleetCommand>[0],
) {
  const { runFleetCommand } = await loadFleet(callOf(request.command), version);
  const console = openFleetConsole();
  try {
    return await runFleetCommand(request, console);
  } finally {
    console.close();
  }
}

/** The command as the user typed it. */
function callOf(command: string): string {
  if (command === 'task') return 'robota run';
  return command === 'worker' ? 'robota worker' : `robota fleet ${command}`;
}
