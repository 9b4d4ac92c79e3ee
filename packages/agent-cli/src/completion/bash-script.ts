import type { CompletedCommand, CompletedOption, CompletionTable } from './completion-table.ts';

/** A script that teaches bash the words of `robota`; it needs no other package. */
export function bashScript({ options, commands }: CompletionTable): string {
  return `# bash completion for robota. Use it with: source <(robota completion bash)
_robota_reply() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "\${1// /$'\\n'}" -- "$2"))
}

_robota_value() {
  case "$1" in
${valueCases(options, '').join('\n')}
  esac
  return 1
}

_robota_command_value() {
  case "$1 $2" in
${commands.flatMap((command) => valueCases(command.options, `${command.name} `)).join('\n')}
  esac
  return 1
}

_robota() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command= verb= at word
  COMPREPLY=()
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ $word == -* ]]; then
      case "$word" in
        ${valued(options)}) [[ -n $command ]] || ((at++)) ;;
      esac
    elif [[ -z $command ]]; then command=$word
    elif [[ -z $verb ]]; then verb=$word
    fi
  done
  if [[ -z $command ]]; then
    _robota_value "$previous" "$current" && return
    if [[ $current == -* ]]; then _robota_reply "${words(options)}" "$current"
    else _robota_reply "${commands.map(({ name }) => name).join(' ')}" "$current"
    fi
    return
  fi
  _robota_command_value "$command" "$previous" "$current" && return
  case "$command" in
${commands.map(commandCase).join('\n')}
  esac
}

complete -o bashdefault -o default -F _robota robota
`;
}

function commandCase({ name, subcommands, options, words: own }: CompletedCommand): string {
  const verbs = [...subcommands.map((each) => each.name), ...own];
  const general = options.filter(({ of }) => of === undefined);
  const cases = subcommands.map(
    (each) =>
      `        ${each.name}) _robota_reply "${words(options.filter(({ of }) => of === undefined || of.includes(each.name)))}" "$current" ;;`,
  );
  const ofVerb =
    cases.length === 0
      ? `      _robota_reply "${words(options)}" "$current"`
      : `      case "$verb" in
${cases.join('\n')}
        *) _robota_reply "${words(general)}" "$current" ;;
      esac`;
  return `    ${name})
      if [[ $current != -* ]]; then [[ -n $verb ]] || _robota_reply "${verbs.join(' ')}" "$current"; return; fi
${ofVerb} ;;`;
}

const words = (options: readonly CompletedOption[]) => options.flatMap(({ names }) => names).join(' ');

const valued = (options: readonly CompletedOption[]) =>
  options.flatMap(({ names, value }) => (value && !value.isOptional ? names : [])).join('|');

/** One case for each option with a value: its choices, or the files that fit. */
function valueCases(options: readonly CompletedOption[], before: string): string[] {
  const at = before === '' ? 2 : 3;
  return options.flatMap(({ names, value }) => {
    if (!value) return [];
    const pattern = names.map((name) => `'${before}${name}'`).join('|');
    if (value.choices.length > 0)
      return [`    ${pattern}) _robota_reply "${value.choices.join(' ')}" "$${at}"; return 0 ;;`];
    if (value.kind === 'directory')
      return [
        `    ${pattern}) compopt -o dirnames 2>/dev/null; COMPREPLY=($(compgen -d -- "$${at}")); return 0 ;;`,
      ];
    return value.isOptional ? [] : [`    ${pattern}) return 0 ;;`];
  });
}
