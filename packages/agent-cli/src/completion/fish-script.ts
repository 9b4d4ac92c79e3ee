import type { CompletedCommand, CompletedOption, CompletionTable } from './completion-table.ts';

/** A script that teaches fish the words of `robota`, with a line on each. */
export function fishScript({ options, commands }: CompletionTable): string {
  const names = commands.map(({ name }) => name).join(' ');
  const atStart = `not __fish_seen_subcommand_from ${names}`;
  return `# fish completion for robota. Use it with: robota completion fish | source
# or write it to ~/.config/fish/completions/robota.fish
complete -c robota -f
${options.map((option) => line(option, atStart)).join('\n')}
${commands.map(({ name, help }) => `complete -c robota -n ${quoted(atStart)} -a ${name} -d ${quoted(help)}`).join('\n')}
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ name, subcommands, options, words, takesFiles }: CompletedCommand): string[] {
  const inside = `__fish_seen_subcommand_from ${name}`;
  const verbs = [...subcommands.map((each) => each.name), ...words];
  const first =
    verbs.length === 0 ? inside : `${inside}; and not __fish_seen_subcommand_from ${verbs.join(' ')}`;
  return [
    ...subcommands.map(
      (each) => `complete -c robota -n ${quoted(first)} -a ${each.name} -d ${quoted(each.help)}`,
    ),
    ...words.map((word) => `complete -c robota -n ${quoted(first)} -a ${word}`),
    ...(takesFiles ? [`complete -c robota -n ${quoted(inside)} -F`] : []),
    ...options.map((option) => {
      const verb = option.of === undefined ? '' : `; and __fish_seen_subcommand_from ${option.of.join(' ')}`;
      return line(option, `${inside}${verb}`);
    }),
  ];
}

function line({ names, help, value }: CompletedOption, condition: string): string {
  const spelled = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return `complete -c robota -n ${quoted(condition)} ${spelled.join(' ')} -d ${quoted(help)}${valueText(value)}`;
}

function valueText(value: CompletedOption['value']): string {
  if (!value) return '';
  if (value.choices.length > 0) return ` -x -a ${quoted(value.choices.join(' '))}`;
  if (value.kind === 'directory') return ` -x -a '(__fish_complete_directories)'`;
  if (value.kind === 'file') return ' -r -F';
  return value.isOptional ? '' : ' -x';
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
