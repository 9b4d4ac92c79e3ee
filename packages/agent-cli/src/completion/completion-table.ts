import { subcommandsOn } from '@robota-sdk/agent-sdk/front-end';
import { type OptionSpec, optionSpecs } from '../arguments/options.ts';
import { shellRows } from '../arguments/shell-rows.ts';

/** The kind of a value that a shell can complete itself. */
type ValueKind = 'file' | 'directory' | 'other';

/** An option as shells complete it. */
export interface CompletedOption {
  /** With their dashes, the long one first. */
  readonly names: readonly string[];
  readonly help: string;
  /** Absent for a switch. */
  readonly value?: {
    readonly name: string;
    readonly kind: ValueKind;
    readonly choices: readonly string[];
    readonly isOptional: boolean;
  };
  /** The subcommands that take it; all unless given. */
  readonly of?: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly help: string;
  readonly subcommands: readonly { readonly name: string; readonly help: string }[];
  readonly options: readonly CompletedOption[];
  /** Words that the command takes instead of subcommands. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
}

export interface CompletionTable {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

/** Everything that can be typed behind `robota`, from the tables of options and commands. */
export function completionTable(): CompletionTable {
  const names = shellRows.map(({ name }) => name);
  return {
    options: optionSpecs.map(ofRun),
    commands: shellRows.map((row) => ({
      name: row.name,
      help: row.description,
      subcommands: subcommandsOn(row, 'shell').map(({ name, description }) => ({ name, help: description })),
      options: [...(row.options ?? []).map(ofCommand), helpOption],
      words: row.name === 'help' ? names.filter((name) => name !== 'help') : alternatives(row.argumentHint),
      takesFiles: [row, ...(row.subcommands ?? [])].some(({ argumentHint = '' }) =>
        /\b(?:FILE|PATH|DIR)\b/.test(argumentHint),
      ),
    })),
  };
}

const helpOption: CompletedOption = { names: ['--help', '-h'], help: 'Print help' };

type CommandOption = NonNullable<(typeof shellRows)[number]['options']>[number];

function ofRun(spec: OptionSpec): CompletedOption {
  const { name, short, shorts = [], value, choices = [], optional } = spec;
  const letters = [...(short === undefined ? [] : [short]), ...shorts];
  return {
    names: [`--${name}`, ...letters.map((letter) => `-${letter}`)],
    help: spec.help,
    ...(value === undefined
      ? {}
      : { value: { name: value, kind: kindOf(value), choices, isOptional: optional ?? false } }),
  };
}

function ofCommand({ name, short, value, choices = [], description, of }: CommandOption): CompletedOption {
  return {
    names: [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
    help: description,
    ...(value === undefined
      ? {}
      : { value: { name: value, kind: kindOf(value), choices, isOptional: false } }),
    ...(of === undefined ? {} : { of }),
  };
}

function kindOf(value: string): ValueKind {
  if (/^(?:FILE|PATH)/.test(value)) return 'file';
  return value.startsWith('DIR') ? 'directory' : 'other';
}

/** The words of a hint such as `bash|zsh|fish`. */
function alternatives(syntax: string | undefined): readonly string[] {
  return syntax !== undefined && /^[a-z-]+(?:\|[a-z-]+)+$/.test(syntax) ? syntax.split('|') : [];
}
