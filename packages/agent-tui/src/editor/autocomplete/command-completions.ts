import { fuzzyMatch } from '../../components/fuzzy-match.ts';
import type {
  AutocompleteProvider,
  Completion,
  CompletionRequest,
  CompletionToken,
} from './autocomplete-provider.ts';

/** A command, or one of its arguments. */
export interface CommandChoice {
  readonly name: string;
  readonly description?: string;
  /** The heading above it. */
  readonly group?: string;
  /** Shown in parentheses after the name. */
  readonly origin?: string;
  /** Listed before others with the same prefix. */
  readonly isCommon?: boolean;
  /** Choosing it does not run it: arguments must follow. */
  readonly needsArguments?: boolean;
  /** Choosing it runs it although arguments may follow; those are suggested after a space. */
  readonly runsAlone?: boolean;
  readonly subcommands?:
    | readonly CommandChoice[]
    | ((signal: AbortSignal) => Promise<readonly CommandChoice[]>);
}

/** Options of {@link commandCompletions}. */
export interface CommandCompletionOptions {
  /** The text that starts a command, such as `/`. */
  readonly trigger: string;
  /** Called for each request. */
  readonly commands: () => readonly CommandChoice[];
}

/** Completes commands at the start of the text, and their arguments. */
export function commandCompletions({ trigger, commands }: CommandCompletionOptions): AutocompleteProvider {
  return {
    find: (request) => {
      if (request.line !== 0 || !request.before.startsWith(trigger)) return undefined;
      return findCommandToken(request, request.before.slice(trigger.length), commands());
    },
    complete: (token, signal) => {
      const path = pathOf(token);
      const offer = (choices: readonly CommandChoice[]) =>
        matching(choices, token.query).map((choice) =>
          completionOf(choice, path.length === 0 ? trigger : ''),
        );
      const choices = choicesAfter(path, commands());
      return typeof choices === 'function' ? choices(signal).then(offer) : offer(choices);
    },
  };
}

interface CommandToken extends CompletionToken {
  /** The words before the completed one. */
  readonly path: readonly string[];
}

function findCommandToken(
  request: CompletionRequest,
  typed: string,
  commands: readonly CommandChoice[],
): CommandToken | undefined {
  const words = typed.split(' ');
  const query = words.pop() ?? '';
  if (!mayFollow(words, commands)) return undefined;
  const column = request.before.length;
  const rest = /^\S*/.exec(request.after)?.[0].length ?? 0;
  const choices = listedAfter(words, commands);
  const isTypedPart = query !== '' || words.length === 0;
  // Enter completes the beginning of a listed word, but replaces neither other arguments nor a word that is only similar.
  const mayStay = !(isTypedPart && choices.some((choice) => beginsWith(choice, query)));
  return { start: column - query.length, end: column + rest, query, path: words, mayStay };
}

function beginsWith({ name }: CommandChoice, query: string): boolean {
  return name.toLowerCase().startsWith(query.toLowerCase());
}

/** True if more words may follow these. */
function mayFollow(path: readonly string[], commands: readonly CommandChoice[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const found = commands.find((command) => command.name === name);
  if (!found?.subcommands) return false;
  return typeof found.subcommands === 'function' ? rest.length === 0 : mayFollow(rest, found.subcommands);
}

/** The choices after these words; none where they must be searched for. */
function listedAfter(path: readonly string[], commands: readonly CommandChoice[]): readonly CommandChoice[] {
  const choices = choicesAfter(path, commands);
  return typeof choices === 'function' ? [] : choices;
}

function choicesAfter(
  path: readonly string[],
  commands: readonly CommandChoice[],
): NonNullable<CommandChoice['subcommands']> {
  const [name, ...rest] = path;
  if (name === undefined) return commands;
  const next = commands.find((command) => command.name === name)?.subcommands ?? [];
  return typeof next === 'function' ? next : choicesAfter(rest, next);
}

/** Names with the query as prefix: the exact name first, then common ones. Without any, the most similar names. */
function matching(choices: readonly CommandChoice[], query: string): readonly CommandChoice[] {
  const wanted = query.toLowerCase();
  const beginning = choices.filter((choice) => beginsWith(choice, wanted));
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

function completionOf(choice: CommandChoice, trigger: string): Completion {
  const { name, description, group, origin } = choice;
  return {
    value: name,
    label: trigger + name,
    ...(description === undefined ? {} : { description }),
    ...(group === undefined ? {} : { group }),
    ...(origin === undefined ? {} : { origin }),
    next: choice.runsAlone
      ? 'submit'
      : choice.subcommands
        ? 'open'
        : choice.needsArguments
          ? 'write'
          : 'submit',
  };
}

function pathOf(token: CompletionToken): readonly string[] {
  return 'path' in token ? (token as CommandToken).path : [];
}
