import { list } from '../read-only/read-only-spec.ts';

/**
 * How a program treats text among its arguments and in its input:
 * `interpreter` runs code given by an option or to read; `escape` has a way to start programs from the text it obeys;
 * `remote` starts its arguments on another machine or in a container; `data` never obeys them.
 */
export type TextUse = 'data' | 'escape' | 'interpreter' | 'remote';

const interpreterNames = list(
  'blender bun clojure deno elixir erl gimp groovy guile ipython irb jjs jrunscript jshell julia kotlin lua luajit node nodejs ocaml ' +
    'octave osascript perl php phpdbg pry puppet pwsh powershell pypy python r rscript racket raku rails runghc ruby scala swift ' +
    'tclsh tsx ts-node wish',
);
const escapeNames = list(
  'ansible bpftrace byebug cmake cobc composer crash crontab cscope dc dpkg ed elinks emacs ex fish ftp fzf gdb genisoimage ghc ghci ghostscript ' +
    'ginsh gmake gnuplot gp groff gs gvim hg iex ip jed joe just less lftp lldb logrotate lynx m4 mail mailx make man ' +
    'mariadb maxima mmdebstrap mongo mongosh more most mutt mvim mysql nano nawk neomutt nmap nroff nvim openvpn pdb pdflatex pg pic ' +
    'pico psql rake red rpm rvim rview screen sftp slsh socat sqlite3 svn task tasksh telnet tex latex lualatex tmux troff vi view vim ' +
    'vimdiff vipw visudo w3m watchexec xelatex xterm zathura',
);
const remoteNames = list(
  'adb dbclient distrobox docker doctl fly flatpak gcloud heroku incus kubectl lxc machinectl mosh nerdctl oc podman rsh ssh ' +
    'toolbox vagrant virsh wsl',
);
/** Programs beside those that read or write files by name whose arguments are names and messages only. */
const dataNames = list(
  ': [ [[ alias basename bg brew break cd claude compgen continue declare dirname echo exit export false fg gh git glab help ' +
    'jobs kill let local logger notify-send popd printf pushd pwd read readonly return say seq set shift sleep terminal-notifier ' +
    'test tput tr true type typeset ulimit umask unalias unset wait which xdg-open',
);

/** Programs that are asked about others by their name, or manage them. */
const namers: ReadonlySet<string> = new Set(
  list(
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

/** Subcommands of remote runners that take a command; runners without any take it after the host. */
export const remoteActions: ReadonlySet<string> = new Set(
  list('attach console debug enter exec rsh run run-command shell spawn ssh'),
);
export const plainRemotes: ReadonlySet<string> = new Set(list('dbclient mosh rsh ssh wsl'));

/** Options of interpreters whose value is code, or a module that is asked for by code. */
export const codeOption =
  /^(?:-[A-Za-z0-9]*[ceEprRBMmx]|--?(?:eval|print|command|execute|exec|run|expr|python-expr|require|import|Command|File|cmd|batch|run-code))/;

/** Longer words are no options. */
const longestOption = 40;
/** Words in the names of options whose value is run, and of those whose value is a text for readers. */
const runningWord =
  /^(?:after|askpass|before|bind|cmd|command|editor|eval|exec|execute|filter|hook|launcher|on|pager|post|pre|preview|program|rsh|run|runner|shell|trigger|with|wrapper)$/;
const messageWord =
  /^(?:author|body|comment|content|data|desc|description|grep|header|keyword|label|message|msg|name|notes?|pattern|prompt|query|reason|regexp|search|subject|summary|text|title)$/;

/** True if an option of any program is called as if its value were run. */
export function isRunningOption(text: string): boolean {
  return wordsOfOption(text).some((word) => runningWord.test(word));
}

/** True if the value of an option is a text for readers. */
export function isMessageOption(text: string): boolean {
  return /^-[mtbdHqgk]$/.test(text) || messageWord.test(wordsOfOption(text).at(-1) ?? '');
}

/** True if the value of a variable is a text for readers. */
export function isMessageVariable(name: string): boolean {
  return messageWord.test(name.toLowerCase().split('_').at(-1) ?? '');
}

/** Programs that choose tests by a part of their names, and the options for that. */
const testRunners: ReadonlySet<string> = new Set(
  list(
    'ava bun cargo ctest cypress deno dotnet go gradle gradlew jest mocha phpunit playwright pytest rspec swift vitest',
  ),
);
const patternOption =
  /^(?:-[egkntREi]|--?run|--?(?:bench|example|exclude|filter|grep|spec|skip|tests?|test-name-pattern))(?:=|$)/;

/** True if the value of an option is the name of tests, or a pattern for them. */
export function isPatternOption(program: string, text: string): boolean {
  return testRunners.has(program) && patternOption.test(text);
}

/** `--on-change=x` is called by two words, `--testNamePattern` by three. */
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

/** True if programs run the value of a variable, or take options and code from it. */
export function isCodeVariable(name: string): boolean {
  return codeVariable.test(name) || codeVariable.test(name.toUpperCase());
}

/** How a program is known to use text; nothing for one that is not known. */
export function knownTextUse(name: string): TextUse | undefined {
  const use = uses.get(name) ?? uses.get(name.split('.', 1)[0] ?? '');
  if (use !== undefined || !/[\dA-Z]/.test(name)) return use;
  const version = name.search(/-?\d/);
  return uses.get((version > 0 ? name.slice(0, version) : name).toLowerCase());
}
