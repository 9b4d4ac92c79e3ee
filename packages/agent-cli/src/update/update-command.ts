import {
  AgentError,
  errorReport,
  processHost,
  type ReadOptions,
  readOptions,
  type UpdateRequest,
  updateProgram,
} from '@robota-sdk/agent-sdk/front-end';
import { ownProgram } from '../arguments/own-command.ts';
import { programName } from '../arguments/program-name.ts';
import { refusePrompt } from '../arguments/refuse-prompt.ts';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
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
  const request = requestOf(options);
  const [stdout, stderr] = [terminalOutput(process.stdout), terminalOutput(process.stderr)];
  const interrupts = watchInterrupts();
  try {
    const { env, home } = await processHost();
    const answer = await updateProgram(request, {
      program: ownProgram(),
      env,
      home,
      signal: interrupts.signal,
      say: (text) => void stderr.say(`${text} …`),
    });
    const shown = options.has('json')
      ? JSON.stringify({ ok: answer.isOk, message: answer.text, ...answer.data })
      : answer.text;
    await stdout.say(shown);
    return answer.isOk ? 0 : 1;
  } catch (thrown) {
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 130;
    if (!AgentError.is(thrown) || thrown.code === 'usage') throw thrown;
    await stderr.say(`robota: ${errorReport(thrown, programName())}`);
    return 1;
  } finally {
    interrupts.stop();
  }
}

function requestOf(options: ReadOptions): UpdateRequest {
  const chosen = (['check', 'to', 'back'] as const).filter((name) => options.has(name));
  if (chosen.length > 1)
    throw new AgentError('usage', `--${chosen[0]} and --${chosen[1]} cannot be used together.`);
  if (options.value('to')?.trim() === '') throw new AgentError('usage', '--to needs a version.');
  if (options.has('check')) return { kind: 'check' };
  return options.has('back') ? { kind: 'back' } : { kind: 'update', to: options.value('to') };
}
