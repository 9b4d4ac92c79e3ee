import { runEditor } from '@robota-sdk/agent-screen';
import {
  AgentError,
  checkSettingsFile,
  describeProblem,
  type ExplainContext,
  ensureSettingsFile,
  parseScope,
  readOptions,
} from '@robota-sdk/agent-sdk/front-end';
import { programName } from '../arguments/program-name.ts';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** `robota config edit`: opens the file of a scope in the user's editor, then checks it. */
export async function editCommand(words: readonly string[], place: ExplainContext): Promise<number> {
  const options = readOptions(words, optionsOf('config', 'edit'));
  refuseWords(options, 'robota config edit');
  const { VISUAL, EDITOR } = place.host.env;
  const editor = VISUAL || EDITOR;
  const file = await ensureSettingsFile(parseScope(options.value('scope') ?? 'user'), place);
  if (!editor)
    throw new AgentError('usage', `Set VISUAL or EDITOR to your editor, or edit ${file} yourself.`);
  await runEditor(editor, file);
  const output = terminalOutput(process.stderr);
  const problems = await checkSettingsFile(file, place);
  for (const problem of problems) {
    const mark = problem.severity === 'error' ? 'robota' : 'warning';
    await output.say(`${mark}: ${describeProblem(problem, programName())}`);
  }
  if (!problems.some(({ severity }) => severity === 'error')) return 0;
  await output.write(`Run ${programName()} config edit again to correct it.\n`);
  return 1;
}
