import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type CommandOutcome, isWithin } from '@robota-sdk/agent-core';
import { realDirectory } from '../assembly/workspace-of.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

/**
 * Adds a directory to the workspace, like `--add-dir`: deny rules still apply, and nothing in it is run or trusted. The
 * model is told with the next prompt.
 */
export function addDirectory(session: InteractiveSession, written: string): CommandOutcome {
  const { permissions } = session;
  const { cwd, host } = session.place;
  if (written === '') {
    const rows = [`${cwd} (working directory)`, ...permissions.directories];
    return { kind: 'notice', text: rows.join('\n'), data: { directories: permissions.directories } };
  }
  if (session.isRunning)
    return { kind: 'error', text: 'Wait for the run to end, or stop it. Then add the directory.' };
  const home = host.home === '' ? homedir() : host.home;
  const directory = realDirectory(resolve(cwd, written.replace(/^~(?=$|\/)/, home)));
  const known = [cwd, ...permissions.directories].find((each) => isWithin(each, directory));
  if (known !== undefined)
    return { kind: 'notice', text: `${directory} is already in the workspace (${known}).` };
  permissions.addDirectory(directory);
  const told = `The user added a directory to the workspace: ${directory}. You may read and change files there, by absolute paths.`;
  session.queue.remind([{ type: 'text', text: `<system-reminder>${told}</system-reminder>` }]);
  const text = `Added ${directory} to the workspace (this session). /rewind does not restore what commands change there.`;
  return { kind: 'notice', text, data: { directory } };
}
