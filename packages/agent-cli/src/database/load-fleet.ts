import { AgentError } from '@robota-sdk/agent-sdk/front-end';

const packageName = '@robota-sdk/agent-fleet';

/** The package is optional: nothing else loads it, and most users have no use for its database. */
export async function loadFleet(command: string) {
  try {
    return await import('@robota-sdk/agent-fleet/command-line');
  } catch (thrown) {
    if (isInstalled()) throw thrown;
    throw new AgentError('usage', `${command} needs the package ${packageName}, which is not installed.`, {
      hint: `Install it with: npm install -g ${packageName}`,
    });
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
