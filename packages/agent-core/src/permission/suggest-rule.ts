import { collapseSpace, sourceText } from './match-command.ts';
import type { SimpleCommand } from './shell/shell-script.ts';
import { literalOf, type ShellWord } from './shell/shell-word.ts';

/** Programs whose first word says what they do, so that a rule may end after it. */
const programsWithSubcommands: ReadonlySet<string> = new Set(
  'apt apt-get aws az brew bun bundle cargo composer conda deno docker dotnet gcloud gh git go helm kubectl make mvn nix npm nx pip pip3 pnpm podman poetry rustup systemctl terraform turbo uv yarn'.split(
    ' ',
  ),
);
/** Subcommands that only introduce another. */
const introducers: ReadonlySet<string> = new Set([
  'compose',
  'exec',
  'issue',
  'pr',
  'remote',
  'run',
  'stash',
  'submodule',
  'tool',
  'worktree',
]);
const maximumLength = 500;

/** The smallest rule that would allow a command: its text, or program and subcommand where more follows that may vary. */
export function ruleForCommand(command: SimpleCommand, form: 'exact' | 'prefix'): string[] | undefined {
  const words = form === 'prefix' ? prefixOf(command.words) : undefined;
  const isWhole = words === undefined || words.length === command.words.length;
  return ruleOf(isWhole ? sourceText(command) : `${words.join(' ')} *`);
}

/** The rule that allows a whole script by spelling it. */
export function ruleForScript(source: string): string[] | undefined {
  return ruleOf(collapseSpace(source));
}

function ruleOf(specifier: string): string[] | undefined {
  return specifier === '' || specifier.length > maximumLength || specifier.endsWith(':*')
    ? undefined
    : [`Bash(${specifier})`];
}

function prefixOf(words: readonly ShellWord[]): string[] | undefined {
  const [name, subcommand, next] = words.map((word) => (word.plain ? literalOf(word) : undefined));
  if (name === undefined || subcommand === undefined || !programsWithSubcommands.has(name)) return undefined;
  if (!isSubcommand(subcommand)) return undefined;
  if (!introducers.has(subcommand)) return [name, subcommand];
  return next !== undefined && isSubcommand(next) ? [name, subcommand, next] : [name, subcommand];
}

function isSubcommand(word: string): boolean {
  return /^[a-z][\w:-]*$/.test(word);
}
