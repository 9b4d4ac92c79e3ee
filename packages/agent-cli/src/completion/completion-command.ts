import { win32 } from 'node:path';
import { AgentError, nearest, readOptions } from '@robota-sdk/agent-sdk/front-end';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { bashScript } from './bash-script.ts';
import { type CompletionTable, completionTable } from './completion-table.ts';
import { fishScript } from './fish-script.ts';
import { manPage } from './man-page.ts';
import { zshScript } from './zsh-script.ts';

const scripts: Readonly<Record<string, (table: CompletionTable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Runs `robota completion`: prints the script for a shell. */
export async function completionCommand(given: readonly string[]): Promise<number> {
  const options = readOptions(given, optionsOf('completion'));
  const [shell = shellOfUser(), ...rest] = options.words;
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) throw unknown(shell);
  refuseWords({ ...options, words: rest }, `robota completion ${shell}`);
  process.stdout.write(script(completionTable()));
  return 0;
}

/** Runs `robota man`: prints the manual page. */
export async function manCommand(given: readonly string[]): Promise<number> {
  readOptions(given, optionsOf('man'));
  process.stdout.write(manPage());
  return 0;
}

/** The name of the user's shell; Git Bash gives its path in the form of Windows. */
function shellOfUser(): string {
  return win32.basename(process.env.SHELL ?? '', '.exe');
}

function unknown(given: string): AgentError {
  const [near] = nearest(given, Object.keys(scripts));
  const shells = `Available: ${Object.keys(scripts).join(', ')}.`;
  const what = given === '' ? 'Missing shell.' : `Unknown shell "${given}".`;
  return new AgentError('usage', `${what} ${shells}`, {
    hint: { text: 'For example', run: ['completion', near ?? 'bash'] },
  });
}
