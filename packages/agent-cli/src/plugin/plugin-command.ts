import { runPluginRequest } from '@robota-sdk/agent-sdk/front-end';
import { readRequestWords, subcommandRequest } from '../arguments/subcommand-request.ts';
import { pluginHelp } from './plugin-help.ts';

/** Runs `robota plugin …`; what `/plugin …` does, with a terminal of its own. */
export async function pluginCommand(given: readonly string[]): Promise<number> {
  const request = readRequestWords(given);
  if (request.help) {
    process.stdout.write(pluginHelp);
    return 0;
  }
  return subcommandRequest(request, ({ say, ...desk }) =>
    runPluginRequest(request.words, { ...desk, onProgress: (text) => void say(`${text} …`) }),
  );
}
