import { AgentError } from '../problem/agent-error.ts';
import { didYouMean } from '../problem/did-you-mean.ts';
import type { Command, CommandOutcome } from './command.ts';

/** Validates a command. Throws with the fix if it could not be run. */
export function usableCommand<S>(command: Command<S>): Command<S> {
  const { name, run } = (command ?? {}) as { readonly name?: unknown; readonly run?: unknown };
  if (typeof name !== 'string' || name === '') throw new AgentError('usage', 'A command has no name.');
  if (/^\/|\s/.test(name))
    throw new AgentError(
      'usage',
      `The command "${name}" needs a name without blanks and without a slash before it.`,
    );
  if (typeof run !== 'function') {
    const advice = "write run: async (args, context) => ({ kind: 'notice', text })";
    throw new AgentError('usage', `The command "${name}" has no function "run"; ${advice}.`);
  }
  return command;
}

/** The fields without which an outcome of a kind can't be carried out. */
const needed: { readonly [K in CommandOutcome['kind']]: readonly string[] } = {
  done: [],
  notice: ['text'],
  error: ['text'],
  prompt: ['text'],
  edit: ['text', 'notice'],
  switch: ['to', 'notice'],
  exit: [],
};

/** Validates the outcome of a command; throws an error that names the command and its source. */
export function usableOutcome(
  returned: unknown,
  { command, source }: { readonly command: string; readonly source: string | undefined },
): CommandOutcome {
  const problem = outcomeProblem(returned);
  if (problem === undefined) return returned as CommandOutcome;
  const owner = source === undefined ? '' : ` of the extension ${source}`;
  throw new AgentError('usage', `The command /${command}${owner} ran, but ${problem}`);
}

function outcomeProblem(returned: unknown): string | undefined {
  const kinds = Object.keys(needed);
  const advice = `Return { kind: 'notice', text }, or one of the kinds ${kinds.join(', ')}.`;
  if (typeof returned !== 'object' || returned === null)
    return `it returned ${JSON.stringify(returned) ?? String(returned)}, which is not an outcome. ${advice}`;
  const { kind } = returned as { readonly kind?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(needed, kind)) {
    const hint = didYouMean(String(kind), kinds, '"') ?? advice;
    return `it returned the kind ${JSON.stringify(kind) ?? 'undefined'}, which does not exist. ${hint}`;
  }
  const fields = returned as Readonly<Record<string, unknown>>;
  const missing = needed[kind as CommandOutcome['kind']].find((field) => fields[field] === undefined);
  return missing === undefined ? undefined : `it returned the kind "${kind}" without "${missing}".`;
}
