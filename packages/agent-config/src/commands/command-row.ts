import {
  AgentError,
  type CommandFacts,
  type CommandNeed,
  type CommandSurface,
  nearest,
  type Subcommand,
} from '@robota-sdk/agent-core';

/** A row of the command table: the facts of a command of the product. */
export interface CommandRow extends CommandFacts {
  readonly needs: readonly CommandNeed[];
  readonly during: 'run' | 'idle';
  readonly subcommands?: readonly SubcommandRow[];
  /** Options of `robota NAME`. */
  readonly options?: readonly CommandOption[];
  /** Closing paragraph of `robota NAME --help`. */
  readonly notes?: string;
  /** The implementation suggests arguments beyond the subcommands. */
  readonly completes?: boolean;
}

export interface SubcommandRow extends Subcommand {
  /** Further forms, each with its description. */
  readonly variants?: readonly Pick<SubcommandRow, 'argumentHint' | 'description'>[];
  /** Words behind the first are a command line of the user's own, options included. */
  readonly takesCommand?: boolean;
}

export interface CommandOption {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value; a switch has none. */
  readonly value?: string;
  /** Values that shells complete. */
  readonly choices?: readonly string[];
  readonly description: string;
  /** Subcommands that take it; all unless given. */
  readonly of?: readonly string[];
  /** Only in the shell: it is about the call and not about the request. */
  readonly isShellOnly?: boolean;
}

/** True if a command can be used on a surface. */
export function isOn({ where = ['prompt'] }: Pick<CommandFacts, 'where'>, surface: CommandSurface): boolean {
  return where.includes(surface);
}

/** The subcommands a command has on a surface. */
export function subcommandsOn<T extends Subcommand>(
  command: { readonly subcommands?: readonly T[] },
  surface: CommandSurface,
): readonly T[] {
  return (command.subcommands ?? []).filter(({ where }) => where === undefined || where.includes(surface));
}

/** The arguments of a command as help shows them: its own hint, or one made of its subcommands. */
export function argumentHintOf(
  command: CommandFacts,
  surface: CommandSurface = 'prompt',
): string | undefined {
  const words = subcommandsOn(command, surface);
  if (command.argumentHint !== undefined || words.length === 0) return command.argumentHint;
  const names = words.map(({ name }) => name);
  if (words.every(({ argumentHint }) => argumentHint === undefined)) return `[${names.join('|')}]`;
  if (words.length > mostForms) return `[${names.join('|')} …]`;
  const forms = words.map(({ name, argumentHint }) => [name, argumentHint].filter(Boolean).join(' '));
  return `[${forms.join(' | ')}]`;
}

/** More subcommands than this are listed without their arguments. */
const mostForms = 4;

/**
 * Finds the subcommand that some words begin with, by any of its names. Words that begin with none or with an option mean
 * the first one. Throws where the word is no subcommand.
 */
export function takeSubcommand(
  command: CommandFacts,
  [word, ...rest]: readonly string[],
  surface: CommandSurface,
): { readonly name: string; readonly words: readonly string[] } {
  const known = subcommandsOn(command, surface);
  const [first] = known;
  if (first && (word === undefined || word.startsWith('-')))
    return { name: first.name, words: word === undefined ? [] : [word, ...rest] };
  const found = known.find(({ name, aliases = [] }) => name === word || aliases.includes(word ?? ''));
  if (found) return { name: found.name, words: rest };
  throw new AgentError('usage', unknownSubcommand(command, word ?? '', surface));
}

function unknownSubcommand(command: CommandFacts, word: string, surface: CommandSurface): string {
  const names = subcommandsOn(command, surface).map(({ name }) => name);
  const [near] = nearest(word, names);
  const call = surface === 'shell' ? 'robota ' : '/';
  const hint = near === undefined ? '' : ` Did you mean ${call}${command.name} ${near}?`;
  return `Unknown subcommand "${word}". Available: ${names.join(', ')}.${hint}`;
}
