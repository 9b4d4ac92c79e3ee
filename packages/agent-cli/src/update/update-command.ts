import {
  AgentError,
  errorReport,
  processHost,
  readOptions,
  updateProgram,
} from '@robota-sdk/agent-sdk/front-end';
import { ownProgram } from '../arguments/own-command.ts';
import { programName } from '../arguments/program-name.ts';
import { refusePrompt } from '../arguments/refuse-prompt.ts';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { askForYes } from '../terminal/ask-line.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Runs `robota update`. */
export async function updateCommand(words: readonly string[]): Promise<number> {
  const [version = ''] = words;
  if (words.length === 1 && /^v?\d+\.\d+/.test(version))
    throw new AgentError('usage', `Use --to for a version: robota update --to ${version}`);
  refusePrompt('update', words);
  const options = readOptions(words, optionsOf('update'));
  refuseWords(options, 'robota update');
  if (options.has('check') && options.has('to'))
    throw new AgentError('usage', '--check and --to cannot be used together.');
  const to = options.value('to');
  if (to?.trim() === '') throw new AgentError('usage', '--to needs a version.');
  const [stdout, stderr] = [terminalOutput(process.stdout), terminalOutput(process.stderr)];
  const confirm = async (command: string): Promise<boolean> => {
    if (options.has('yes')) return true;
    if (process.stdin.isTTY && process.stderr.isTTY) return askForYes(`Run ${command}?`);
    throw new AgentError('usage', `No terminal to confirm this. Add --yes to run: ${command}`);
  };
  const interrupts = watchInterrupts();
  const { signal } = interrupts;
  try {
    const services = { program: ownProgram(), host: await processHost(), signal, confirm };
    const answer = await updateProgram(
      options.has('check') ? { kind: 'check' } : { kind: 'update', to },
      services,
    );
    const shown = options.has('json')
      ? JSON.stringify({ ok: answer.isOk, message: answer.text, ...answer.data })
      : answer.text;
    await stdout.say(shown);
    return answer.isOk ? 0 : 1;
  } catch (thrown) {
    if (signal.aborted) return interrupts.exitCode ?? 130;
    if (!AgentError.is(thrown) || thrown.code === 'usage') throw thrown;
    await stderr.say(`robota: ${errorReport(thrown, programName())}`);
    return 1;
  } finally {
    interrupts.stop();
  }
}
