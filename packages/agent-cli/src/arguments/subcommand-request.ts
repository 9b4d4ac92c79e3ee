import { createInterface } from 'node:readline';
import {
  AgentError,
  type HostEnvironment,
  processHost,
  silentInterface,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { lineInterface, lineReader } from '../ask/line-interface.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { givenDirectory } from './given-directory.ts';

/** What a request came to. */
export interface RequestAnswer {
  readonly text: string;
  readonly isOk: boolean;
  /** It is what was asked for, although not all in it is well. */
  readonly isReport?: boolean | undefined;
  readonly data?: unknown;
}

/** What a request works with. */
export interface RequestDesk {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly ui: UserInterface;
  readonly signal: AbortSignal;
  /** Tells how it goes on. */
  say(text: string): Promise<void> | void;
}

/** The words of a subcommand without what is the command line's own. */
export interface RequestWords {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
  readonly cwd: string;
}

/** Does what `robota plugin …` or `robota mcp …` asks for, with a terminal of its own; resolves with the exit code. */
export async function subcommandRequest(
  { cwd, json }: RequestWords,
  run: (desk: RequestDesk) => Promise<RequestAnswer>,
): Promise<number> {
  const stderr = terminalOutput(process.stderr);
  const person = openPerson();
  const interrupts = watchInterrupts();
  try {
    const answer = await run({
      cwd,
      host: await processHost(),
      ui: person.ui,
      signal: interrupts.signal,
      say: (text) => stderr.write(stderr.clean(`${text}\n`)),
    });
    await show(answer, { json });
    return interrupts.exitCode ?? (answer.isOk ? 0 : 1);
  } catch (thrown) {
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 130;
    throw thrown;
  } finally {
    person.close();
    interrupts.stop();
  }
}

/** Reads `--help`, `--json` and `--cwd DIR`; what stands behind `--` is somebody else's. */
export function readRequestWords(given: readonly string[]): RequestWords {
  const end = given.indexOf('--');
  const words = end < 0 ? [...given] : given.slice(0, end);
  const help = takeFlag(words, '--help') || takeFlag(words, '-h');
  const json = takeFlag(words, '--json');
  const at = words.indexOf('--cwd');
  const [, directory] = at < 0 ? [] : words.splice(at, 2);
  if (at >= 0 && directory === undefined) throw new AgentError('usage', '--cwd needs a value.');
  return {
    words: [...words, ...(end < 0 ? [] : given.slice(end))],
    json,
    help,
    cwd: givenDirectory(directory),
  };
}

/** Takes a flag out of some words; tells whether it was there. */
function takeFlag(words: string[], name: string): boolean {
  const at = words.indexOf(name);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
}

async function show(
  { text, isOk, isReport, data }: RequestAnswer,
  { json }: { readonly json: boolean },
): Promise<void> {
  const output = terminalOutput(isOk || isReport || json ? process.stdout : process.stderr);
  const shown = json
    ? JSON.stringify({ ok: isOk, ...(isOk ? {} : { message: text }), data: data ?? null })
    : text;
  await output.write(output.clean(`${shown}\n`));
}

/** Where there is a terminal, somebody can be asked; the answers of a script go to standard output all the same. */
function openPerson(): { readonly ui: UserInterface; close(): void } {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { ui: silentInterface, close: () => {} };
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ui = lineInterface(lineReader(lines, { onStray: () => true }), terminalOutput(process.stderr));
  return { ui, close: () => lines.close() };
}
