import type { CompletedCommand, CompletedOption, CompletionTable } from './completion-table.ts';

/** A script that teaches zsh the words of `robota`, with a line on each. */
export function zshScript({ options, commands }: CompletionTable): string {
  return `#compdef robota
# zsh completion for robota. Use it with: source <(robota completion zsh)
# or write it to a file _robota in a folder of $fpath.
_robota() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C -s \\
${options.map((option) => `    ${argument(option)} \\`).join('\n')}
    '(-): :->command' \\
    '(-)*:: :->rest' && return 0
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, help }) => `        ${quoted(`${escaped(name)}:${help}`)}`).join('\n')}
      )
      _describe -t commands 'command' commands ;;
    rest)
      case $line[1] in
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _robota "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u }
  compdef _robota robota
fi
`;
}

function commandCase({ name, subcommands, options, words }: CompletedCommand): string {
  const verbs = [...subcommands, ...words.map((word) => ({ name: word, help: word }))];
  const first =
    verbs.length === 0
      ? `'*: :_files'`
      : `'1: :((${verbs.map((verb) => `${escaped(verb.name)}\\:${doubleQuoted(verb.help)}`).join(' ')}))' \\\n            '*: :_files'`;
  return `        ${name})
          _arguments -s \\
${options.map((option) => `            ${argument(option)} \\`).join('\n')}
            ${first} ;;`;
}

function argument({ names, help, value }: CompletedOption): string {
  const text = `[${help.replaceAll(/[[\]\\]/g, '\\$&')}]${value ? valueText(value) : ''}`;
  const withEquals = names.map((name) => (value && name.startsWith('--') ? `${name}=` : name));
  return withEquals.length === 1
    ? quoted(`*${withEquals[0]}${text}`)
    : `{${withEquals.map((name) => quoted(`*${name}`)).join(',')}}${quoted(text)}`;
}

function valueText({ name, kind, choices, isOptional }: NonNullable<CompletedOption['value']>): string {
  const start = isOptional ? '::' : ':';
  if (choices.length > 0) return `${start}${name}:(${choices.join(' ')})`;
  if (kind === 'directory') return `${start}${name}:_files -/`;
  return `${start}${name}:${kind === 'file' ? '_files' : ' '}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const escaped = (text: string) => text.replaceAll(':', '\\:');

/** Text inside double quotes inside a quoted argument. */
function doubleQuoted(text: string): string {
  return `"${text
    .replaceAll(/["\\$`]/g, '\\$&')
    .replaceAll("'", `'\\''`)
    .replaceAll(':', '\\:')}"`;
}
