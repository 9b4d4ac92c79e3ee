import { withProgram } from '../arguments/program-name.ts';
import { findShellRow } from '../arguments/shell-rows.ts';

/** Our equivalents of the slash commands of other agents. */
const counterparts: Readonly<Record<string, string>> = {
  sessions:
    '/resume lists the sessions of this directory; {program} sessions, outside of a session, lists all.',
  hooks: '/config get hooks shows them; they are written in the settings.',
  memory: 'Instructions are in AGENTS.md, which /init writes; /context shows what was read.',
  status: '/context, /cost and /permissions show the state of the session; /doctor that of the setup.',
  bashes: '/tasks lists what runs in the background.',
  agents: '/agent lists the agents and what they do.',
  'terminal-setup': 'Enter sends the prompt; end a line with a backslash to continue on the next.',
};

/** Tells what to use instead of a command that is unknown here: one of the shell, or another agent's. */
export function familiarCommand(name: string): string | undefined {
  const row = findShellRow(name);
  const own = row && `{program} ${name}, outside of a session: ${row.description}.`;
  const advice = Object.hasOwn(counterparts, name) ? counterparts[name] : own;
  return advice === undefined ? undefined : `Unknown command /${name}. ${withProgram(advice)}`;
}
