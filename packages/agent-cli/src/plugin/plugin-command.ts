import { runPluginRequest } from '@robota-sdk/agent-sdk/front-end';
import { readRequestWords, subcommandRequest } from '../arguments/subcommand-request.ts';

/** Runs `robota plugin …`: the same as `/plugin …`, in its terminal. */
export async function pluginCommand(given: readonly string[]): Promise<number> {
  const request = readRequestWords('plugin', given);
  return subcommandRequest(request, ({ say, ...services }) =>
    runPluginRequest(request.words, { ...services, onProgress: (text) => void say(`${text} …`) }),
  );
}
