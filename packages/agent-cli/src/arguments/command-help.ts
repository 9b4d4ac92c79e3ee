import {
  argumentHintOf,
  type CommandOption,
  type CommandRow,
  type HelpRow,
  helpRows,
  subcommandsOn,
} from '@robota-sdk/agent-sdk/front-end';

/** The text of `robota NAME --help`, made from the row of the command; `program` is how the user calls it. */
export function commandHelp(row: CommandRow, program = 'robota'): string {
  const { name, description, options = [], notes } = row;
  return `${[
    `${program} ${name}: ${uncapitalized(description)}`,
    `Usage\n${helpRows(usageOf(row, program), '  ')}`,
    ...(options.length === 0
      ? []
      : [
          `Options\n${helpRows(
            options.map((option) => optionLine(row, option)),
            '  ',
          )}`,
        ]),
    ...(notes === undefined ? [] : [notes]),
  ].join('\n\n')}\n`;
}

function usageOf(row: CommandRow, program: string): readonly HelpRow[] {
  const call = (...words: readonly (string | undefined)[]) =>
    [program, row.name, ...words].filter((word) => word !== undefined).join(' ');
  const subcommands = subcommandsOn(row, 'shell');
  if (subcommands.length === 0) return [[call(argumentHintOf(row, 'shell')), '']];
  return subcommands.flatMap(({ name, argumentHint, description, variants = [] }): readonly HelpRow[] => [
    [call(name, argumentHint), description],
    ...variants.map((each) => [call(name, each.argumentHint), each.description] as const),
  ]);
}

function optionLine(row: CommandRow, { name, short, value, description, of }: CommandOption): HelpRow {
  const flag = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const told = of === undefined ? description : `${scopeOf(row, of)}: ${uncapitalized(description)}`;
  return [value === undefined ? flag : `${flag} ${value}`, told];
}

/** The subcommands that take an option, or the few that do not. */
function scopeOf(row: CommandRow, of: readonly string[]): string {
  const others = subcommandsOn(row, 'shell').filter(({ name }) => !of.includes(name));
  return others.length > 0 && others.length < of.length / 2
    ? `all but ${others.map(({ name }) => name).join(', ')}`
    : of.join(', ');
}

/** As it stands behind a colon; acronyms stay. */
function uncapitalized(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
