import {
  AgentError,
  errorReport,
  processHost,
  readOptions,
  uninstallProgram,
} from '@robota-sdk/agent-sdk/front-end';
import { ownProgram } from '../arguments/own-command.ts';
import { programName } from '../arguments/program-name.ts';
import { refusePrompt } from '../arguments/refuse-prompt.ts';
import { optionsOf } from '../arguments/row-options.ts';
import { askForYes } from '../terminal/ask-line.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Runs `robota uninstall`. */
export async function uninstallCommand(words: readonly string[]): Promise<number> {
  refusePrompt('uninstall', words);
  const options = readOptions(words, optionsOf('uninstall'));
  const [stdout, stderr] = [terminalOutput(process.stdout), terminalOutput(process.stderr)];
  const isJson = options.has('json');
  const confirm = async (plan: string): Promise<boolean> => {
    if (!isJson) await stdout.say(plan);
    if (options.has('yes')) return true;
    if (process.stdin.isTTY && process.stderr.isTTY) return askForYes('Remove this?');
    throw new AgentError('usage', 'No terminal to confirm this. Add --yes to remove it.');
  };
  try {
    const answer = await uninstallProgram({
      program: ownProgram(),
      host: await processHost(),
      all: options.has('all'),
      dryRun: options.has('dry-run'),
      confirm,
    });
    const { isOk, text, plan, removed } = answer;
    const shown = isJson ? JSON.stringify({ ok: isOk, message: text, removed, ...plan }) : text;
    await stdout.say(shown);
    return isOk ? 0 : 1;
  } catch (thrown) {
    if (!AgentError.is(thrown) || thrown.code === 'usage') throw thrown;
    await stderr.say(`robota: ${errorReport(thrown, programName())}`);
    return 1;
  }
}
