import { createInterface } from 'node:readline';
import {
  AgentError,
  type CommandOption,
  type HostEnvironment,
  processHost,
  silentInterface,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { lineInterface, lineReader } from '../ask/line-interface.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { givenDirectory } from './given-directory.ts';
import { findShellRow } from './shell-rows.ts';

/** The result of a request. */
export interface RequestAnswer {
  readonly text: string;
  readonly isOk: boolean;
  /** It is what was asked for, although not all in it is well. */
  readonly isReport?: boolean | undefined;
  readonly data?: unknown;
}

/** Services of a request. */
export interface RequestServices {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly ui: UserInterface;
  readonly signal: AbortSignal;
  /** Shows progress. */
  say(text: string): Promise<void> | void;
}

/** The words of a subcommand without what is the command line's own. */
export interface RequestArguments {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly trustProject: boolean;
  readonly cwd: string;
}

/** Runs `robota plugin …` or `robota mcp …` in its terminal; resolves with the exit code. */
export async function subcommandRequest(
  { cwd, json }: RequestArguments,
  run: (services: RequestServices) => Promise<RequestAnswer>,
): Promise<number> {
  const stderr = terminalOutput(process.stderr);
  const user = openQuestions();
  const interrupts = watchInterrupts();
  try {
    const answer = await run({
      cwd,
      host: await processHost(),
      ui: user.ui,
      signal: interrupts.signal,
      say: stderr.say,
    });
    await show(answer, { json });
    return interrupts.exitCode ?? (answer.isOk ? 0 : 1);
  } catch (thrown) {
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 130;
    throw thrown;
  } finally {
    user.close();
    interrupts.stop();
  }
}

/** Takes out the options of a command that are about the call and not about the request. What follows `--` stays. */
export function readRequestWords(command: string, given: readonly string[]): RequestArguments {
  const end = given.indexOf('--');
  const words = end < 0 ? [...given] : given.slice(0, end);
  const own = findShellRow(command)?.options?.filter(({ isShellOnly }) => isShellOnly) ?? [];
  const taken = new Map(own.map((option) => [option.name, takeOption(words, option)]));
  return {
    words: [...words, ...(end < 0 ? [] : given.slice(end))],
    json: taken.get('json') !== undefined,
    trustProject: taken.get('trust-project') !== undefined,
    cwd: givenDirectory(taken.get('cwd')),
  };
}

/** Takes an option out of some words; its value, or nothing where it is not there. */
function takeOption(words: string[], { name, value: placeholder }: CommandOption): string | undefined {
  const hasValue = placeholder !== undefined;
  const at = words.findIndex((word) => word === `--${name}` || (hasValue && word.startsWith(`--${name}=`)));
  const [option = ''] = at < 0 ? [] : words.splice(at, 1);
  if (at < 0 || !hasValue) return at < 0 ? undefined : '';
  if (option.includes('=')) return option.slice(option.indexOf('=') + 1);
  const [value] = words.splice(at, 1);
  if (value === undefined) throw new AgentError('usage', `--${name} needs a value.`);
  return value;
}

async function show(
  { text, isOk, isReport, data }: RequestAnswer,
  { json }: { readonly json: boolean },
): Promise<void> {
  const output = terminalOutput(isOk || isReport || json ? process.stdout : process.stderr);
  const shown = json
    ? JSON.stringify({ ok: isOk, ...(isOk ? {} : { message: text }), data: data ?? null })
    : text;
  await output.say(shown);
}

/** With a terminal, the user can be asked, even if standard output goes to a script. */
function openQuestions(): { readonly ui: UserInterface; close(): void } {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { ui: silentInterface, close: () => {} };
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ui = lineInterface(lineReader(lines, { onStray: () => true }), terminalOutput(process.stderr));
  return { ui, close: () => lines.close() };
}
