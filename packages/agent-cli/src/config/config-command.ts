import { AgentError, parseConfigWords, processHost, runConfigRequest } from '@robota-sdk/agent-sdk/front-end';
import { givenDirectory } from '../arguments/given-directory.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

const help = `robota config: show and change settings, and tell where they come from

Usage
  robota config list                  every setting that is set, with file and line
  robota config get KEY               the value in force
  robota config set KEY VALUE         VALUE is JSON, or else a text; comments in the file stay
  robota config set --add KEY VALUE   add to a list, such as permissions.deny
  robota config unset KEY             take it out of the file
  robota config explain KEY           the value, its file and line, and what the other files say
  robota config path                  every file that is looked for, the strongest first
  robota config edit                  open the file in $VISUAL or $EDITOR, and check it afterwards
  robota config schema [settings|models|credentials]
                                      the JSON Schema, for editors and scripts

Options
  --scope SCOPE    set, unset, edit: user (your settings, the default), project (.robota/settings.json)
                   or local (.robota/settings.local.json)
  --cwd DIR        another project than the one here
  --trust-project  count what the repository supplies
  --json           answer as JSON

Keys are written like permissions.defaultMode, models.profiles[0].name or compaction.models["vendor/id"].
`;

/** Runs `robota config …`. */
export async function configCommand(given: readonly string[]): Promise<number> {
  if (given.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
    return 0;
  }
  const { cwd, trustProject, words } = withoutPlace(given);
  const place = { cwd, host: await processHost(), trustProject };
  if (words[0] === 'edit') {
    const { editCommand } = await import('./edit-command.ts');
    return editCommand(words.slice(1), place);
  }
  const answer = await runConfigRequest(parseConfigWords(words), place);
  const output = terminalOutput(process.stdout);
  await output.write(output.clean(`${answer.text}\n`));
  return answer.isFound ? 0 : 1;
}

/** Takes out what is about this run and not about a setting. */
function withoutPlace(given: readonly string[]) {
  const words: string[] = [];
  let cwd: string | undefined;
  let trustProject = false;
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? '';
    if (word === '--') {
      words.push(...given.slice(at));
      break;
    }
    if (word === '--trust-project') trustProject = true;
    else if (word.startsWith('--cwd=')) cwd = word.slice('--cwd='.length);
    else if (word === '--cwd') cwd = valueBehind(given, ++at);
    else words.push(word);
  }
  return { cwd: givenDirectory(cwd), trustProject, words };
}

function valueBehind(given: readonly string[], at: number): string {
  const value = given[at];
  if (value === undefined) throw new AgentError('usage', '--cwd needs a directory.');
  return value;
}
