import { parseConfigWords, processHost, runConfigRequest } from '@robota-sdk/agent-sdk/front-end';
import { readRequestWords } from '../arguments/subcommand-request.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Runs `robota config …`. */
export async function configCommand(given: readonly string[]): Promise<number> {
  const { cwd, trustProject, words } = readRequestWords('config', given);
  const place = { cwd, host: await processHost(), trustProject };
  if (words[0] === 'edit') {
    const { editCommand } = await import('./edit-command.ts');
    return editCommand(words.slice(1), place);
  }
  const answer = await runConfigRequest(parseConfigWords(words), place);
  // Scripts read standard output: a setting that is not set prints nothing there.
  const isMissing = !answer.isFound && !words.includes('--json');
  const output = terminalOutput(isMissing ? process.stderr : process.stdout);
  await output.write(output.clean(`${answer.text}\n`));
  return answer.isFound ? 0 : 1;
}
