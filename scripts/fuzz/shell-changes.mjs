// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of bash
// Random lines that change the shell, by every builtin and expansion that assigns, and then name a program: with another
// PATH, it is one of the workspace.

/** Lines that assign `@V@` or a number to `@N@`, or change what a name means in another way. */
const changes = [
  'printf %n @N@',
  'printf abc%n @N@',
  "printf '%s%n' x @N@",
  'printf %-5.3lln @N@',
  "printf '%%%n' @N@",
  'printf -- %n @N@',
  'printf "$PWD" @N@',
  'cd %n && printf "$PWD" @N@',
  'printf * @N@',
  'printf %[n] @N@',
  'printf %n x @N@ y',
  'printf -v @N@ @V@',
  'printf -v@N@ @V@',
  'printf -v x -v @N@ @V@',
  'printf -v @N@ %s @V@',
  'read @N@ <<< @V@',
  'read -r x @N@ <<< "a @V@"',
  'read -a @N@ <<< @V@',
  'read -d "" -n 1 @N@ <<< @V@',
  'echo @V@ | read @N@',
  'mapfile -t @N@ <<< @V@',
  'readarray @N@ <<< @V@',
  'getopts 0 @N@ -0',
  'getopts 0: @N@ -0 @V@',
  'declare @N@=@V@',
  'declare -x @N@=@V@',
  "declare '@N@=@V@'",
  'declare -g @N@=@V@',
  'declare -n r=@N@; r=@V@',
  'typeset @N@=@V@',
  'export @N@=@V@',
  'readonly @N@=@V@',
  'f() { local @N@=@V@; ls; }; f',
  'let @N@=@V@',
  '((@N@=@V@))',
  'echo $((@N@=@V@))',
  'echo $[@N@=@V@]',
  'echo ${x[@N@=@V@]}',
  'echo ${PWD:@N@=@V@}',
  'echo ${@N@:=@V@}',
  'echo ${@N@=@V@}',
  'unset @N@; echo ${@N@=@V@}',
  'unset @N@; : "${@N@:=@V@}"',
  '[[ @N@=@V@ -eq 0 ]]',
  "test -v 'x[@N@=@V@]'",
  "[ -v 'x[@N@=@V@]' ]",
  "[[ -v 'x[@N@=@V@]' ]]",
  'for @N@ in @V@; do ls; done',
  'for ((@N@=@V@;0;)); do :; done',
  'select @N@ in @V@; do break; done <<< 1',
  'sleep 0 & wait -n -p @N@',
  'unset @N@',
  '@N@=@V@',
  '@N@=@V@:$PATH',
  '@N@+=:@V@',
  '@N@[0]=@V@',
  '@N@=(@V@)',
  'echo x {@N@}>/dev/null',
  'exec {@N@}>/dev/null',
  'coproc @N@ { :; }',
  'compgen -V @N@ -W @V@',
  'hash -p @V@/ls ls',
  'alias ls=@V@/ls',
  'shopt -s expand_aliases\nalias ls=@V@/ls',
  'set -- @V@; @N@=$1',
  'set -k',
  'set -a',
  'set -o posix',
  "trap '@N@=@V@' DEBUG",
  "trap '@N@=@V@' EXIT",
  'source <(echo @N@=@V@)',
  '. /dev/stdin <<< @N@=@V@',
  'eval @N@=@V@',
  "eval 'printf %n @N@'",
  'BASH_CMDS[ls]=@V@/ls',
  "printf -v 'BASH_CMDS[ls]' @V@/ls",
  'read "BASH_CMDS[ls]" <<< @V@/ls',
  "declare 'BASH_CMDS[ls]=@V@/ls'",
  'ls() { @V@/ls; }',
  'function ls { @V@/ls; }',
  'cd @V@',
  'pushd @V@',
];

const names = ['PATH', 'PATH', 'PATH', 'PATH', 'HOME', 'IFS', 'BASH_ENV', 'ENV', 'CDPATH', 'x'];
const values = ['0', '1', '3', '5', '.', './2', '"$PWD/4"', '$PWD', '7:8'];
const prefixes = ['', '', '', '', 'builtin ', 'command ', 'time ', '! ', 'timeout 5 ', 'LANG=C ', '\\'];
const joiners = ['; ', '; ', ' && ', ' || ', '\n', ' & ', ' | ', ' ;\n\n', ' && echo x && '];
const programs = [
  'ls',
  'ls -l',
  'cat x',
  'grep x f',
  'git status',
  'git log',
  'npm test',
  'sleep 0',
  'cd . && ls',
];

/**
 * @param {<T>(list: readonly T[]) => T} pick
 * @returns {string}
 */
export function changingLine(pick) {
  const change = () =>
    pick(prefixes) +
    pick(changes)
      .replaceAll('@N@', () => pick(names))
      .replaceAll('@V@', () => pick(values));
  const more = pick([false, false, true]) ? change() + pick(joiners) : '';
  return change() + pick(joiners) + more + pick(programs);
}

/** Directories that hold a program for each name, for every PATH that the lines may set. */
export const searchedDirectories = ['.', ...Array.from({ length: 120 }, (_, number) => String(number))];
