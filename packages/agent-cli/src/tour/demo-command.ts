import { AgentError, readOptions } from '@robota-sdk/agent-sdk/front-end';
import { parseArguments } from '../arguments/args.ts';
import { programName } from '../arguments/program-name.ts';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { tuiCapabilities, tuiMode } from '../screen/tui-mode.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { type TourEnd, TourGuide } from './tour-guide.ts';
import { tourModel } from './tour-provider.ts';
import { createTourWorkspace, type TourWorkspace } from './tour-workspace.ts';

/** Runs `robota demo`: the tour, in a throw-away folder. */
export async function demoCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('demo'));
  refuseWords(options, 'robota demo');
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const capabilities = isTerminal ? tuiCapabilities() : undefined;
  if (!capabilities)
    throw new AgentError('usage', 'The tour needs a terminal that can move its cursor.', {
      hint: { text: 'Without one, try', run: ['--model', 'offline', '-p', 'help'] },
    });
  const workspace = await createTourWorkspace();
  const guide = new TourGuide(workspace.root);
  try {
    const args = parseArguments(['--cwd', workspace.project]);
    const code = await tuiMode(args, capabilities, { guide, model: tourModel });
    const end = options.has('keep') ? 'kept' : guide.end;
    await say(await settle(workspace, end));
    return code;
  } finally {
    await workspace.remove();
  }
}

/** Removes the folder or leaves it; returns what is said about it. */
async function settle(workspace: TourWorkspace, end: TourEnd): Promise<string> {
  const { root } = workspace;
  const program = programName();
  if (end === 'kept') {
    await workspace.keep();
    return `Kept ${root}: its project, settings and session.\n${resumeText(workspace)}`;
  }
  await workspace.remove();
  const next =
    end === 'left'
      ? `Start again with ${program} demo.`
      : `Next: ${program} in your project; without a key, ${program} --model offline.`;
  return `Removed ${root}; nothing remains of the tour.\n${next}\n`;
}

/** How to resume the session of a tour with the offline model, in the words of the usual shell. */
function resumeText({ settings, project }: TourWorkspace): string {
  const set = process.platform === 'win32' ? `set ROBOTA_HOME=${settings}&&` : `ROBOTA_HOME=${settings}`;
  return `Resume the session with the offline model:\n  cd ${project}\n  ${set} ${programName()} -c\n`;
}

async function say(text: string): Promise<void> {
  const output = terminalOutput(process.stdout);
  await output.write(output.clean(text));
}
