import { runEditor } from '@robota-sdk/agent-screen';
import {
  AgentError,
  checkSettingsFile,
  type ExplainPlace,
  ensureSettingsFile,
  parseScope,
} from '@robota-sdk/agent-sdk/front-end';
import { readOptions, refuseWords } from '../arguments/read-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** `robota config edit`: opens the file of a scope in the user's editor, then checks it. */
export async function editCommand(words: readonly string[], place: ExplainPlace): Promise<number> {
  const options = readOptions(words, { valued: ['scope'], flags: [] });
  refuseWords(options, 'robota config edit');
  const { VISUAL, EDITOR } = place.host.env;
  const editor = VISUAL || EDITOR;
  const file = await ensureSettingsFile(parseScope(options.value('scope') ?? 'user'), place);
  if (!editor)
    throw new AgentError('usage', `Set VISUAL or EDITOR to your editor, or edit ${file} yourself.`);
  await runEditor(editor, file);
  const output = terminalOutput(process.stderr);
  const { warnings, problem } = await checkSettingsFile(file, place);
  for (const warning of warnings) await output.write(output.clean(`warning: ${warning}\n`));
  if (problem === undefined) return 0;
  await output.write(output.clean(`robota: ${problem}\nRun robota config edit again to correct it.\n`));
  return 1;
}
