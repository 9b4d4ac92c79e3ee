import {
  AgentError,
  keyOrigins,
  loadConfig,
  readOptions,
  removeKey,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

const listKeys = { text: 'List the keys with', run: ['login', '--list'] };

/** Runs `robota logout VENDOR`: takes a key out of `auth.json`. */
export async function logoutCommand(given: readonly string[]): Promise<number> {
  const options = readOptions(given, optionsOf('logout'));
  const [vendor, ...rest] = options.words;
  if (vendor === undefined || rest.length > 0)
    throw new AgentError('usage', 'Name one vendor.', { hint: listKeys });
  const config = await loadConfig(process.cwd());
  const id = vendor.toLowerCase();
  const { auth } = userPaths(config.host);
  const output = terminalOutput(process.stdout);
  if (!(await removeKey(id, config.host)))
    throw new AgentError('usage', `No key for "${vendor}" in ${auth}.`, { hint: listKeys });
  await output.say(`The key for ${id} is gone from ${auth}.`);
  const left = keyOrigins(await loadConfig(process.cwd())).find((each) => each.vendor.id === id)?.origin;
  if (left !== undefined) await output.say(`There is still one: ${left}.`);
  return 0;
}
