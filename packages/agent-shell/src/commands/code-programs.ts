import { wordList } from '../read-only/read-only-spec.ts';

/**
 * How a program treats text in its arguments and input. `interpreter` runs code from an option or its input; `escape`
 * can start programs from its script; `remote` runs its arguments on another machine or in a container; `data` never
 * runs them.
 */
export type TextUse = 'data' | 'escape' | 'interpreter' | 'remote';

const interpreterNames = wordList(
  'blender bun clojure deno elixir erl gimp groovy guile ipython irb jjs jrunscript jshell julia kotlin lua luajit node nodejs ocaml ' +
    'octave osascript perl php phpdbg pry puppet pwsh powershell pypy python r rscript racket raku rails runghc ruby scala swift ' +
    'tclsh tsx ts-node wish',
);
const escapeNames = wordList(
  'ansible bpftrace byebug cmake cobc composer crash crontab cscope dc dpkg ed elinks emacs ex fish ftp fzf gdb genisoimage ghc ghci ghostscript ' +
    'ginsh gmake gnuplot gp groff gs gvim hg iex ip jed joe just less lftp lldb logrotate lynx m4 mail mailx make man ' +
    'mariadb maxima mmdebstrap mongo mongosh more most mutt mvim mysql nano nawk neomutt nmap nroff nvim openvpn pdb pdflatex pg pic ' +
    'pico psql rake red rpm rvim rview screen sftp slsh socat sqlite3 svn task tasksh telnet tex latex lualatex tmux troff vi view vim ' +
    'vimdiff vipw visudo w3m watchexec xelatex xterm zathura',
);
const remoteNames = wordList(
  'adb dbclient distrobox docker doctl fly flatpak gcloud heroku incus kubectl lxc machinectl mosh nerdctl oc podman rsh ssh ' +
    'toolbox vagrant virsh wsl',
);
/** Programs whose arguments are only names and messages, besides those that read or write files. */
const dataNames = wordList(
  ': [ [[ alias basename bg brew break cd claude compgen continue declare dirname echo exit export false fg gh git glab help ' +
    'jobs kill let local logger notify-send popd printf pushd pwd read readonly return say seq set shift sleep terminal-notifier ' +
    'test tput tr true type typeset ulimit umask unalias unset wait which xdg-open',
);

/** Programs that look up or manage other programs by name. */
const namers: ReadonlySet<string> = new Set(
  wordList(
    'apk apropos apt-cache apt-file busctl cheat choco coredumpctl dpkg dpkg-query getent guix info journalctl killall loginctl lsof ' +
      'nix-env nix-shell pacman pgrep pidof pkg pkill port ps rpm scoop service snap systemctl tldr whatis whereis winget yay',
  ),
);

/** True if a program takes names of other programs without running them. */
export function takesNames(name: string): boolean {
  return namers.has(name);
}

const uses: ReadonlyMap<string, TextUse> = new Map([
  ...dataNames.map((name) => [name, 'data'] as const),
  ...interpreterNames.map((name) => [name, 'interpreter'] as const),
  ...escapeNames.map((name) => [name, 'escape'] as const),
  ...remoteNames.map((name) => [name, 'remote'] as const),
]);

/** Programs that may run text in their arguments or input. */
export const runningNames: readonly string[] = [...interpreterNames, ...escapeNames, ...remoteNames];

/** Subcommands of remote runners that take a command; other runners take it after the host. */
export const remoteActions: ReadonlySet<string> = new Set(
  wordList('attach console debug enter exec rsh run run-command shell spawn ssh'),
);
export const plainRemotes: ReadonlySet<string> = new Set(wordList('dbclient mosh rsh ssh wsl'));

/** Options of interpreters whose value is code or a module to load. */
export const codeOption =
  /^(?:-[A-Za-z0-9]*[ceEprRBMmx]|--?(?:eval|print|command|execute|exec|run|expr|python-expr|require|import|Command|File|cmd|batch|run-code))/;

/** Longer words are not options. */
const longestOption = 40;
/** Words in names of options whose value is run, and of options whose value is text for readers. */
const runningWord =
  /^(?:after|askpass|before|bind|cmd|command|editor|eval|exec|execute|filter|hook|launcher|on|pager|post|pre|preview|program|rsh|run|runner|shell|trigger|with|wrapper)$/;
const messageWord =
  /^(?:author|body|comment|content|data|desc|description|grep|header|keyword|label|message|msg|name|notes?|pattern|prompt|query|reason|regexp|search|subject|summary|text|title)$/;

/** True if an option's name suggests that its value is run. */
export function isRunningOption(text: string): boolean {
  return wordsOfOption(text).some((word) => runningWord.test(word));
}

/** True if an option's value is text for readers. */
export function isMessageOption(text: string): boolean {
  return /^-[mtbdHqgk]$/.test(text) || messageWord.test(wordsOfOption(text).at(-1) ?? '');
}

/** True if a variable's value is text for readers. */
export function isMessageVariable(name: string): boolean {
  return messageWord.test(name.toLowerCase().split('_').at(-1) ?? '');
}

/** Programs that select tests by a part of their names, and the options for that. */
const testRunners: ReadonlySet<string> = new Set(
  wordList(
    'ava bun cargo ctest cypress deno dotnet go gradle gradlew jest mocha phpunit playwright pytest rspec swift vitest',
  ),
);
const patternOption =
  /^(?:-[egkntREi]|--?run|--?(?:bench|example|exclude|filter|grep|spec|skip|tests?|test-name-pattern))(?:=|$)/;

/** True if an option's value is a test name or a pattern for test names. */
export function isPatternOption(program: string, text: string): boolean {
  return testRunners.has(program) && patternOption.test(text);
}

/** `--on-change=x` consists of two words, `--testNamePattern` of three. */
function wordsOfOption(text: string): readonly string[] {
  const [name = ''] = text.split('=', 1);
  if (!name.startsWith('-') || name.length >= longestOption) return [];
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/-+/)
    .slice(1);
}

/** Variables whose value programs run as a command, or take as code or options. */
const codeVariable =
  /^(?:BASH_(?:ENV|FUNC_.*)|ENV|PROMPT_COMMAND|PS[0-4]|CC|CXX|CPP|LD|AR|LESS|LESSOPEN|LESSCLOSE|MANROFFSEQ|VISUAL|BROWSER|SHELL|MORE|IFS|GIT_CONFIG.*|GIT_SSH.*|GIT_EXTERNAL_DIFF|FZF_.*|PERL5OPT|PERL5DB|PERL_.*|RUBYOPT|PYTHON(?:STARTUP|BREAKPOINT|INSPECT)|RUSTC|EXINIT|(?:G?VIM|N)INIT|LD_PRELOAD|NPM_CONFIG_.*|DYLD_INSERT_LIBRARIES)$|(?:PAGER|EDITOR|COMMAND|CMD|_SHELL|OPTIONS|OPTS?|FLAGS|_RSH|ASKPASS|WRAPPER|RUNNER|_INIT|_HOOK|_PROGRAM|_EXEC|LAUNCHER|TERMINAL|COMPILER|DIFFTOOL|MERGETOOL)$/;

/** True if programs run a variable's value, or take options or code from it. */
export function isCodeVariable(name: string): boolean {
  return codeVariable.test(name) || codeVariable.test(name.toUpperCase());
}

/** How a known program uses text; undefined for unknown ones. */
export function knownTextUse(name: string): TextUse | undefined {
  const use = uses.get(name) ?? uses.get(name.split('.', 1)[0] ?? '');
  if (use !== undefined || !/[\dA-Z]/.test(name)) return use;
  const version = name.search(/-?\d/);
  return uses.get((version > 0 ? name.slice(0, version) : name).toLowerCase());
}
