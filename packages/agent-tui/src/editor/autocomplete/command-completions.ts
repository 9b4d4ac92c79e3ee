import { fuzzyMatch } from '../../components/fuzzy-match.ts';
import type {
  AutocompleteProvider,
  Completion,
  CompletionRequest,
  CompletionToken,
} from './autocomplete-provider.ts';

/** A command, or a word behind one, that can be completed. */
export interface CommandChoice {
  readonly name: string;
  readonly description?: string;
  /** The heading it stands under, such as `skills`; built-in ones have none. */
  readonly group?: string;
  readonly plugin?: string;
  /** Offered before others that begin alike. */
  readonly isCommon?: boolean;
  /** Choosing it does not run it, since something must be written behind it. */
  readonly needsArguments?: boolean;
  /** Choosing it runs it although words may follow; those are offered behind a blank. */
  readonly runsAlone?: boolean;
  readonly subcommands?:
    | readonly CommandChoice[]
    | ((signal: AbortSignal) => Promise<readonly CommandChoice[]>);
}

/** Completes `/` commands and the words behind them, from a list that is asked for each time. */
export function commandCompletions(commands: () => readonly CommandChoice[]): AutocompleteProvider {
  return {
    find: (request) => findCommandToken(request, commands()),
    complete: (token, signal) => {
      const path = pathOf(token);
      const offer = (choices: readonly CommandChoice[]) =>
        matching(choices, token.query).map((choice) => completionOf(choice, path));
      const choices = choicesBehind(path, commands(), signal);
      return choices instanceof Promise ? choices.then(offer) : offer(choices);
    },
  };
}

interface CommandToken extends CompletionToken {
  /** The words before the one that is completed. */
  readonly path: readonly string[];
}

function findCommandToken(
  request: CompletionRequest,
  commands: readonly CommandChoice[],
): CommandToken | undefined {
  if (request.line !== 0 || !request.before.startsWith('/')) return undefined;
  const words = request.before.slice(1).split(' ');
  const query = words.pop() ?? '';
  if (!leadsOn(words, commands)) return undefined;
  const column = request.before.length;
  const rest = /^\S*/.exec(request.behind)?.[0].length ?? 0;
  const mayStay = query === '' && words.length > 0 && !choiceAt(words, commands)?.needsArguments;
  return { start: column - query.length, end: column + rest, query, path: words, mayStay };
}

function choiceAt(
  [name, ...rest]: readonly string[],
  choices: readonly CommandChoice[],
): CommandChoice | undefined {
  const found = choices.find((choice) => choice.name === name);
  if (rest.length === 0 || !found?.subcommands || typeof found.subcommands === 'function') return found;
  return choiceAt(rest, found.subcommands);
}

/** Whether more words may follow these. */
function leadsOn(path: readonly string[], commands: readonly CommandChoice[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const found = commands.find((command) => command.name === name);
  if (!found?.subcommands) return false;
  return typeof found.subcommands === 'function' ? rest.length === 0 : leadsOn(rest, found.subcommands);
}

function choicesBehind(
  path: readonly string[],
  commands: readonly CommandChoice[],
  signal: AbortSignal,
): readonly CommandChoice[] | Promise<readonly CommandChoice[]> {
  const [name, ...rest] = path;
  if (name === undefined) return commands;
  const next = commands.find((command) => command.name === name)?.subcommands ?? [];
  return typeof next === 'function' ? next(signal) : choicesBehind(rest, next, signal);
}

/** Names that begin as the query does, the very name first, then the common ones; if there are none, those that are most like it. */
function matching(choices: readonly CommandChoice[], query: string): readonly CommandChoice[] {
  const wanted = query.toLowerCase();
  const beginning = choices.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const rank = ({ name, isCommon }: CommandChoice) => {
    if (name.toLowerCase() === wanted) return 0;
    return isCommon && wanted !== '' ? 1 : 2;
  };
  if (beginning.length > 0) return sortBy(beginning, rank);
  const score = ({ name }: CommandChoice) => fuzzyMatch(query, name) ?? Number.POSITIVE_INFINITY;
  const alike = choices.filter((choice) => Number.isFinite(score(choice)));
  return sortBy(alike, score);
}

function sortBy<T>(items: readonly T[], rank: (item: T) => number): readonly T[] {
  return [...items].sort((first, second) => rank(first) - rank(second));
}

function completionOf(choice: CommandChoice, path: readonly string[]): Completion {
  const { name, description, group, plugin } = choice;
  return {
    value: name,
    label: path.length === 0 ? `/${name}` : name,
    ...(description === undefined ? {} : { description }),
    ...(group === undefined ? {} : { group }),
    ...(plugin === undefined ? {} : { plugin }),
    next: choice.runsAlone
      ? 'submit'
      : choice.subcommands
        ? 'open'
        : choice.needsArguments
          ? 'write'
          : 'submit',
    ...(choice.needsArguments ? {} : { isEnough: true }),
  };
}

function pathOf(token: CompletionToken): readonly string[] {
  return 'path' in token ? (token as CommandToken).path : [];
}
