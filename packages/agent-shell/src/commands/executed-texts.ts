import type { ReadingBudget } from '../word/reading-budget.ts';
import { literalOf, markedText, type ShellWord } from '../word/shell-word.ts';
import { gitArguments } from './git-operands.ts';
import { mayStartPrograms } from './starting-code.ts';

/** Programs whose arguments may all be a command to run, or a script. */
const openRunners: ReadonlySet<string> = new Set(
  (
    'alacritty asciinema bwrap capsh catatonit catchsegv cgexec chamber choom chpst chronic concurrently cpulimit ' +
    'cross-env cross-env-shell daemon daemonize dbus-run-session debconf dpkg-architecture ssh-agent dumb-init eatmydata envdir envuidgid expect ' +
    'fakechroot faketime firejail foot gdb gnome-terminal gosu gtime heaptrack hyperfine i386 ifne kitty konsole ' +
    'lckdo ld.so linux32 linux64 logsave mispipe multitime nocache nodemon npm-run-all numactl onchange ' +
    'pee perf pgrphack pidproxy proot proxychains proxychains4 reflex rlwrap rr run-p run-s runcon rxvt ' +
    's6-setuidgid sandbox-exec schedtool screen setarch setlock setuidgid sg softlimit start-server-and-test ' +
    'start-stop-daemon su-exec systemd-cat systemd-inhibit terminator tilix tini tmux torify tsocks ttyrec uname26 ' +
    'urxvt watchexec wezterm x86_64 xfce4-terminal xterm xvfb-run zrun'
  ).split(' '),
);

/** git settings whose value is run. */
const runningKeys =
  /^(?:alias|browser|credential|diff|difftool|filter|gpg|guitool|hook|instaweb|interactive|man|merge|mergetool|pager|sendemail|tar|trailer)\.|^(?:core\.(?:alternaterefscommand|askpass|editor|fsmonitor|gitproxy|hookspath|pager|sshcommand)|sequence\.editor|uploadpack\.packobjectshook|receive\.procreceiverefs|(?:remote|submodule)\..*\.(?:receivepack|update|uploadpack|vcs|url))/i;
const tarOptions =
  /^(?:-[A-Za-z]*[IF]|--(?:to-c|use-c|checkpoint-a|info-s|new-v|rsh-c)[a-z-]*)=?(?:exec=)?(.*)$/s;
const filterOptions = /^--fi[a-z]*=?(.*)$/s;
const shellOptions = /^--(?:run|command)=?(.*)$/s;
const testOptions = /^(?:-TT|--unzip-command=?)(.*)$/s;
const codeOptions = /^(?:-[A-Za-z]*[ceEpr]|--(?:eval|print|run))=?(.*)$/s;
const calls =
  /(?:system|exec\w*|popen|spawn\w*|run|call|check_output|check_call|qx|shell_exec|passthru|\|&?)\s?[([{]*\s?$/;
/** Number of characters before a string that are searched for a function call. */
const longestCall = 60;
const pipes = /(["'`])([^"'`]*)\1\s*\|/g;
const quotes = /`([^`]*)`/g;
const editors: ReadonlySet<string> = new Set(['ex', 'nvim', 'vi', 'view', 'vim']);
const codeRunners: ReadonlySet<string> = new Set(
  'awk bun deno gawk lua mawk nawk node perl php python python3 ruby'.split(' '),
);

/** Options of listed programs whose value is only a name. */
const nameOptions: Readonly<Record<string, RegExp>> = {
  screen: /^-[A-Za-z]*[SRTdDprtx]$/,
  tmux: /^-[A-Za-z]*[FLnstxy]$/,
};

/** True if the word after an option is only a name. */
export function isGivenName(program: string, option: string): boolean {
  return Object.hasOwn(nameOptions, program) && nameOptions[program]?.test(option) === true;
}

/** Possible start positions of the inner command of a program that runs others. */
export function startsAmong(name: string, words: readonly ShellWord[]): number[] {
  if (!openRunners.has(name) && !/^ld-[\w.-]+\.so/.test(name)) return [];
  const before = (index: number) => words[index - 1]?.text ?? '';
  const operands = words.flatMap(({ text }, index) =>
    index === 0 || text.startsWith('-') || isGivenName(name, before(index)) ? [] : [index],
  );
  // The first operand of tmux is a tmux command.
  const isOwn = name === 'tmux' && before(operands[0] ?? 0) !== '-c';
  return isOwn ? operands.slice(1) : operands;
}

/** Texts among a program's arguments that it would run as commands; used only to deny. */
export function executedTexts(name: string, words: readonly ShellWord[], budget: ReadingBudget): string[] {
  const given = words.slice(1).map((word) => literalOf(word) ?? word.text);
  if (openRunners.has(name))
    return given.filter((text) => /\s/.test(text)).map((text) => text.replace(/^(?:spawn\s|shell\s|!)/, ''));
  if (name === 'git') return gitTexts(words.slice(1));
  if (name === 'tar' || name === 'bsdtar') return valuesBehind(given, tarOptions);
  if (name === 'split') return valuesBehind(given, filterOptions);
  if (name === 'nix-shell') return valuesBehind(given, shellOptions);
  if (name === 'zip') return valuesBehind(given, testOptions);
  if (name === 'sqlite3')
    return given.flatMap((text) => text.match(/^\s*\.(?:shell|system)\s(.*)$/s)?.[1] ?? []);
  if (name === 'make' || name === 'gmake')
    return given.flatMap((text) => text.match(/^SHELL[:?+!]*=(.*)$/s)?.[1] ?? []);
  if (name === 'ssh' || name === 'scp')
    return given.flatMap((text) => text.match(/(?:Proxy|Local)Command[=\s](.*)$/is)?.[1] ?? []);
  if (name === 'sed' || name === 'gsed') return given.flatMap((text) => sedTexts(text, budget));
  if (editors.has(name)) return given.flatMap((text) => text.match(/^(?:[+:\s-]|c )*:?!(.*)$/s)?.[1] ?? []);
  if (!codeRunners.has(name)) return [];
  if (!name.endsWith('awk') && !mayStartPrograms(name, words.slice(1).map(markedText))) return [];
  const code = name.endsWith('awk') ? given : valuesBehind(given, codeOptions);
  return code.flatMap((text) => (budget.takeCharacters(text.length) ? codeTexts(closeUp(text), name) : []));
}

/** `git -c alias.x='!command'` and other keys whose value is run. */
function gitTexts(words: readonly ShellWord[]): string[] {
  const given = words.map((word) => literalOf(word) ?? word.text);
  const { rest, subcommand } = gitArguments(words);
  const end = words.length - rest.length;
  const key =
    subcommand === 'config' ? given.findIndex((text, index) => index >= end && runningKeys.test(text)) : -1;
  const configured = key === -1 ? [] : given.slice(key + 1).map((text) => text.replace(/^!/, ''));
  const set = given.slice(0, end).flatMap((text, index) => {
    const setting = text === '-c' ? given[index + 1] : text.startsWith('-c') ? text.slice(2) : undefined;
    const equals = setting?.indexOf('=') ?? -1;
    if (setting === undefined || equals === -1 || !runningKeys.test(setting.slice(0, equals))) return [];
    return [setting.slice(equals + 1).replace(/^!/, '')];
  });
  return [...set, ...configured];
}

/** Values of options, in the same word or the next. */
function valuesBehind(given: readonly string[], options: RegExp): string[] {
  return given.flatMap((text, index) => {
    const value = options.exec(text)?.[1];
    if (value === undefined) return [];
    return [value === '' ? (given[index + 1] ?? '') : value];
  });
}

/** Collapses white space, so that regular expressions need not backtrack over it. */
function closeUp(text: string): string {
  return text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/\n\s+/g, '\n');
}

/** The text that `e` runs in a sed script: the rest of its line, or the result of a substitution. */
function sedTexts(text: string, budget: ReadingBudget): string[] {
  if (!budget.takeCharacters(text.length)) return [];
  const lines = [...closeUp(text).matchAll(/(?:^|[;{}\n\d$/,!])\s?e\s?([^\n]*)/g)].map(
    (match) => match[1] ?? '',
  );
  return [...lines, ...substitutedTexts(text, budget)];
}

/** The replacements of `s/…/…/e`. */
function substitutedTexts(text: string, budget: ReadingBudget): string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(/s[^\w\s\\]/g)) {
    const delimiter = text[index + 1] ?? '';
    const middle = unescapedIndex(text, delimiter, index + 2);
    const end = middle === -1 ? -1 : unescapedIndex(text, delimiter, middle + 1);
    if (!budget.takeCharacters((end === -1 ? text.length : end) - index)) break;
    if (end !== -1 && /^[gpiImM\d]*e/.test(text.slice(end + 1, end + 41)))
      found.push(text.slice(middle + 1, end));
  }
  return found;
}

function unescapedIndex(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += text[at] === '\\' ? 2 : 1) if (text[at] === wanted) return at;
  return -1;
}

function codeTexts(code: string, name: string): string[] {
  const piped = name.endsWith('awk') ? [...code.matchAll(pipes)].map((match) => match[2] ?? '') : [];
  const quoted =
    name === 'perl' || name === 'ruby' ? [...code.matchAll(quotes)].map((match) => match[1] ?? '') : [];
  return [...calledTexts(code), ...piped, ...quoted];
}

/** String arguments of functions that run commands. */
function calledTexts(code: string): string[] {
  const found: string[] = [];
  const absent = new Set<string>();
  let from = 0;
  for (const { 0: quote, index } of code.matchAll(/["'`]/g)) {
    if (index < from || absent.has(quote)) continue;
    if (!calls.test(code.slice(Math.max(from, index - longestCall), index))) continue;
    const end = code.indexOf(quote, index + 1);
    if (end === -1) absent.add(quote);
    else {
      found.push(code.slice(index + 1, end));
      from = end + 1;
    }
  }
  return found;
}
