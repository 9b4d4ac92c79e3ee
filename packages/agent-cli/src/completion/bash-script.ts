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

_robota_takes_value() {
  case "$1 $2" in
    ${valued(options, '')}) return 0 ;;
${commands.flatMap(valuedCase).join('\n')}
  esac
  return 1
}

_robota() {
  local current="$2" previous command= verb= before= at word last=
  local -a typed=()
  COMPREPLY=()
  # bash splits words at = and :, and options such as --model=a:b are one.
  for ((at = 0; at <= COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ $word == [=:]* || $last == *[=:] ]] && ((\${#typed[@]} > 0)); then typed[\${#typed[@]}-1]+=$word
    else typed+=("$word")
    fi
    last=$word
  done
  word="\${typed[\${#typed[@]}-1]}" previous="\${typed[\${#typed[@]}-2]}"
  if [[ $word == --*=* ]]; then
    previous="\${word%%=*}"
    # Without = among its separators, bash replaces the option, too.
    if [[ $current == --* ]]; then before="$previous=" current="\${current#*=}"; fi
  elif [[ $word == *:* ]]; then return
  fi
  for ((at = 1; at < \${#typed[@]} - 1; at++)); do
    word="\${typed[at]}"
    if [[ $word == -* ]]; then ! _robota_takes_value "$command" "$word" || ((at++))
    elif [[ -z $command ]]; then command=$word
    elif [[ -z $verb ]]; then verb=$word
    fi
  done
  _robota_candidates "$current" "$previous" "$command" "$verb"
  if [[ -n $before ]]; then COMPREPLY=("\${COMPREPLY[@]/#/$before}"); fi
}

_robota_candidates() {
  local current="$1" previous="$2" command="$3" verb="$4"
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

/** The options that take the next word, as patterns behind the name of their command. */
function valued(options: readonly CompletedOption[], command: string): string {
  const names = options.flatMap((each) => (each.value && !each.value.isOptional ? each.names : []));
  return names.map((name) => `'${command} ${name}'`).join('|');
}

function valuedCase({ name, options }: CompletedCommand): string[] {
  const patterns = valued(options, name);
  return patterns === '' ? [] : [`    ${patterns}) return 0 ;;`];
}

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
