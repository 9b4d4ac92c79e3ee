import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  AgentError,
  type McpAnswer,
  processHost,
  runMcpRequest,
  silentInterface,
  type UserInterface,
} from '@robota-sdk/agent-sdk';
import { watchInterrupts } from '../interrupts.ts';
import { lineInterface, lineReader } from '../line-interface.ts';
import { terminalOutput } from '../terminal-output.ts';
import { mcpHelp } from './mcp-help.ts';

/** Runs `robota mcp …`. */
export async function mcpCommand(given: readonly string[]): Promise<number> {
  const { words, json, cwd, help, trustProject } = readWords(given);
  if (help) {
    process.stdout.write(mcpHelp);
    return 0;
  }
  if (words[0] === 'serve') {
    const { serveCommand } = await import('./serve-command.ts');
    return serveCommand(given.slice(given.indexOf('serve') + 1));
  }
  const stderr = terminalOutput(process.stderr);
  const desk = openDesk();
  const interrupts = watchInterrupts();
  try {
    const answer = await runMcpRequest(words, {
      cwd,
      host: await processHost(),
      ui: desk.ui,
      signal: interrupts.signal,
      trustProject,
      say: (text) => stderr.write(stderr.clean(`${text}\n`)),
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

async function show({ text, isOk, data }: McpAnswer, { json }: { readonly json: boolean }): Promise<void> {
  const output = terminalOutput(isOk || json ? process.stdout : process.stderr);
  const shown = json
    ? JSON.stringify({ ok: isOk, ...(isOk ? {} : { message: text }), data: data ?? null })
    : text;
  await output.write(output.clean(`${shown}\n`));
}

/** Where there is a terminal, somebody can paste an address. */
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
  readonly trustProject: boolean;
  readonly cwd: string;
}

/** Takes out what is the command line's own; what stands behind `--` is the server's. */
function readWords(given: readonly string[]): Words {
  const end = given.indexOf('--');
  const words = end < 0 ? [...given] : given.slice(0, end);
  const take = (name: string): boolean => {
    const at = words.indexOf(name);
    if (at >= 0) words.splice(at, 1);
    return at >= 0;
  };
  const help = take('--help') || take('-h');
  const json = take('--json');
  const trustProject = take('--trust-project');
  const at = words.indexOf('--cwd');
  const [, directory] = at < 0 ? [] : words.splice(at, 2);
  if (at >= 0 && directory === undefined) throw new AgentError('usage', '--cwd needs a value.');
  return {
    words: [...words, ...(end < 0 ? [] : given.slice(end))],
    json,
    help,
    trustProject,
    cwd: resolve(directory ?? process.cwd()),
  };
}
