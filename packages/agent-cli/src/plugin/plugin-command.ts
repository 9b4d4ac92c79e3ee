import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  AgentError,
  type PluginAnswer,
  processHost,
  runPluginRequest,
  silentInterface,
  type UserInterface,
} from '@robota-sdk/agent-sdk';
import { watchInterrupts } from '../interrupts.ts';
import { lineInterface, lineReader } from '../line-interface.ts';
import { terminalOutput } from '../terminal-output.ts';
import { pluginHelp } from './plugin-help.ts';

/** Runs `robota plugin …`; what `/plugin …` does, with a terminal of its own. */
export async function pluginCommand(given: readonly string[]): Promise<number> {
  const { words, json, cwd, help } = readWords(given);
  if (help) {
    process.stdout.write(pluginHelp);
    return 0;
  }
  const stderr = terminalOutput(process.stderr);
  const desk = openDesk();
  const interrupts = watchInterrupts();
  try {
    const answer = await runPluginRequest(words, {
      cwd,
      host: await processHost(),
      ui: desk.ui,
      signal: interrupts.signal,
      onProgress: (text) => void stderr.write(stderr.clean(`${text} …\n`)),
    });
    await show(answer, { json });
    return interrupts.exitCode ?? (answer.isOk ? 0 : 1);
  } catch (thrown) {
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 130;
    throw thrown;
  } finally {
    desk.close();
    interrupts.stop();
  }
}

async function show({ text, isOk, data }: PluginAnswer, { json }: { readonly json: boolean }): Promise<void> {
  const output = terminalOutput(isOk || json ? process.stdout : process.stderr);
  const shown = json
    ? JSON.stringify({ ok: isOk, ...(isOk ? {} : { message: text }), data: data ?? null })
    : text;
  await output.write(output.clean(`${shown}\n`));
}

/** Where there is a terminal, somebody can be asked; the answers of a script go to standard output all the same. */
function openDesk(): { readonly ui: UserInterface; close(): void } {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { ui: silentInterface, close: () => {} };
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ui = lineInterface(lineReader(lines, { onStray: () => true }), terminalOutput(process.stderr));
  return { ui, close: () => lines.close() };
}

interface Words {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
  readonly cwd: string;
}

/** Takes out what is the command line's own. */
function readWords(given: readonly string[]): Words {
  const words = [...given];
  const take = (name: string): boolean => {
    const at = words.indexOf(name);
    if (at >= 0) words.splice(at, 1);
    return at >= 0;
  };
  const help = take('--help') || take('-h');
  const json = take('--json');
  const at = words.indexOf('--cwd');
  const [, directory] = at < 0 ? [] : words.splice(at, 2);
  if (at >= 0 && directory === undefined) throw new AgentError('usage', '--cwd needs a value.');
  return { words, json, help, cwd: resolve(directory ?? process.cwd()) };
}
