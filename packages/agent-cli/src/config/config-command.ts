import {
  describeProblem,
  parseConfigWords,
  processHost,
  runConfigRequest,
  settingsFiles,
} from '@robota-sdk/agent-sdk/front-end';
import { programName } from '../arguments/program-name.ts';
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
  const request = parseConfigWords(words);
  const answer = await runConfigRequest(request, place);
  if (['list', 'get', 'explain'].includes(request.verb)) await tellUnreadable(place);
  // Scripts read standard output: a setting that is not set prints nothing there.
  const isMissing = !answer.isFound && !words.includes('--json');
  const output = terminalOutput(isMissing ? process.stderr : process.stdout);
  await output.say(answer.text);
  return answer.isFound ? 0 : 1;
}

/** An answer lacks what files that cannot be read say. */
async function tellUnreadable(place: Parameters<typeof settingsFiles>[0]): Promise<void> {
  const problems = (await settingsFiles(place)).flatMap(({ problem }) => (problem ? [problem] : []));
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `warning: ${describeProblem(problem, programName())}`);
  await terminalOutput(process.stderr).say(lines.join('\n'));
}
