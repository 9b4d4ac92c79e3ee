import { AgentError, takeSubcommand } from '@robota-sdk/agent-sdk/front-end';
import { fleetRow } from '../arguments/fleet-rows.ts';
import { optionsOf, readMixed } from '../arguments/read-options.ts';
import { openFleetConsole } from './fleet-console.ts';

const packageName = '@robota-sdk/agent-fleet';

/** Runs `robota fleet …`. */
export async function fleetCommand(given: readonly string[]): Promise<number> {
  const { name, words } = takeSubcommand(fleetRow, given, 'shell');
  const options = readMixed(words, optionsOf('fleet', name));
  return runFleet({ ...options, command: name });
}

async function runFleet(
  request: Parameters<typeof import('@robota-sdk/agent-fleet/command-line').runFleetCommand>[0],
) {
  const { runFleetCommand } = await loadFleet(request.command);
  const console = openFleetConsole();
  try {
    return await runFleetCommand(request, console);
  } finally {
    console.close();
  }
}

/** The package is optional: nothing else loads it, and most users have no use for its database. */
async function loadFleet(command: string) {
  try {
    return await import('@robota-sdk/agent-fleet/command-line');
  } catch (thrown) {
    if (isInstalled()) throw thrown;
    throw new AgentError(
      'usage',
      `robota fleet ${command} needs the package ${packageName}, which is not installed.`,
      {
        hint: `Install it with: npm install -g ${packageName}`,
      },
    );
  }
}

function isInstalled(): boolean {
  try {
    import.meta.resolve(`${packageName}/command-line`);
    return true;
  } catch {
    return false;
  }
}
