import { withProgram } from '../arguments/program-name.ts';
import { findShellRow } from '../arguments/shell-rows.ts';

/** Our equivalents of the slash commands of other agents: their names, then the advice. */
export const familiarCommands: readonly (readonly [names: string, advice: string])[] = [
  [
    'sessions chat',
    '/resume lists the sessions of this directory; {program} sessions, outside of a session, lists all.',
  ],
  ['hooks', '/config get hooks shows them; they are written in the settings.'],
  ['memory', 'Instructions are in AGENTS.md, which /init writes; /context shows what was read.'],
  [
    'status session stats',
    '/context, /cost and /permissions show the state of the session; /doctor that of the setup; /usage all sessions.',
  ],
  ['bashes ps', '/tasks lists what runs in the background.'],
  ['agents', '/agent lists the agents and what they do.'],
  ['terminal-setup', 'Enter sends the prompt; end a line with a backslash to continue on the next.'],
  ['hotkeys keybindings', '/keys shows the keys.'],
  ['themes', '/theme changes the colors.'],
  ['share', '/export writes the session to a file.'],
  ['branch clone', '/fork copies the session, /tree goes to another branch.'],
  ['restore checkpoint', '/rewind goes back to an earlier prompt, with its files.'],
  ['effort thinking', '/model sets the thinking level, with the left and right arrow keys.'],
  ['scoped-models models', '/model lists the models; ctrl+p switches to the next one.'],
  ['approvals allowed-tools', '/mode and /permissions decide what needs approval.'],
  ['directory', '/add-dir adds a directory.'],
  ['auth connect', '/login stores a key.'],
  ['extensions marketplace', '/plugin manages plugins.'],
  ['tools tokens', '/context lists tools and tokens.'],
  ['mention add', 'Write @PATH in the prompt to mention a file.'],
  ['editor', 'ctrl+g opens the prompt in your editor.'],
  ['pr-comments security-review', '/review reviews changes.'],
  ['ide', 'Start robota from the editor: {program} acp.'],
  [
    'remote-control mobile desktop',
    '{program} web, outside of a session, opens it in a browser or on a phone.',
  ],
  ['schedule loop', '{program} fleet schedule, outside of a session, repeats tasks.'],
  ['statusline', 'The command in the setting statusLine writes it.'],
  ['output-style', 'Start with --append-system-prompt "…".'],
  ['run test lint git ls pwd', 'Write !COMMAND to run a command.'],
  ['q bye', '/exit ends the session.'],
];

/** Tells what to use instead of a command that is unknown here: one of the shell, or another agent's. */
export function familiarCommand(name: string): string | undefined {
  const advice = familiarAdvice(name);
  return advice === undefined ? undefined : `Unknown command /${name}. ${advice}`;
}

/** The same without naming the command. */
export function familiarAdvice(name: string): string | undefined {
  const row = findShellRow(name);
  const own = row && `{program} ${name}, outside of a session: ${row.description}.`;
  const advice = familiarCommands.find(([names]) => names.split(' ').includes(name))?.[1] ?? own;
  return advice === undefined ? undefined : withProgram(advice);
}
