import { AgentError, keyOrigins, loadConfig, removeKey, userPaths } from '@robota-sdk/agent-sdk/front-end';
import { optionsOf, readMixed } from '../arguments/read-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Runs `robota logout VENDOR`: takes a key out of `auth.json`. */
export async function logoutCommand(given: readonly string[]): Promise<number> {
  const options = readMixed(given, optionsOf('logout'));
  const [vendor, ...rest] = options.words;
  if (vendor === undefined || rest.length > 0)
    throw new AgentError(
      'usage',
      'Name one vendor: robota logout VENDOR. robota login --list tells which have a key.',
    );
  const config = await loadConfig(process.cwd());
  const id = vendor.toLowerCase();
  const { auth } = userPaths(config.host);
  const output = terminalOutput(process.stdout);
  if (!(await removeKey(id, config.host)))
    throw new AgentError(
      'usage',
      `There is no key for "${vendor}" in ${auth}. robota login --list tells where keys are.`,
    );
  await output.write(output.clean(`The key for ${id} is gone from ${auth}.\n`));
  const left = keyOrigins(await loadConfig(process.cwd())).find((each) => each.vendor.id === id)?.origin;
  if (left !== undefined) await output.write(output.clean(`There is still one: ${left}.\n`));
  return 0;
}
