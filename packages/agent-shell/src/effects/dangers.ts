import { interpretsInput } from '../commands/fed-input.ts';
import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import { interpreters, shells } from '../commands/wrappers.ts';
import { isInWorkspace, isWithin } from '../path/is-within.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, valuesOf } from '../word/shell-word.ts';
import { type PlacedCommand, placesOf } from './place-commands.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const deleters = words('rm rmdir shred unlink');
const fetchers = words('aria2c curl fetch ftp http https nc ncat scp sftp socat wget xh');
const evaluators = words('. eval source');
/** Options after which an interpreter takes its program from the next argument. */
const inlineProgram = /^(?:-[a-zA-Z]*[ce]|--eval|--print|-p|-r)$/;
/** Git takes every prefix of a long option that is not another's. */
const forcingPush = /^(?:-[a-eg-zA-Z]*f|--for|--mi|\+.)/;
const deletingPush = /^(?:-[a-ce-zA-Z]*d|--de|--pru|:.)/;

/** Everything in a script that cannot be undone or that runs code unseen, one phrase each, in the order of the script. */
export function dangersOf(policy: ShellScope, placed: readonly PlacedCommand[]): readonly string[] {
  const names = placed.map(({ command }) => baseName(command.words[0]) ?? '');
  const fetcher = names.find((name) => fetchers.has(name));
  const found = placed.flatMap((one) => [
    ...deletionsOf(policy, one),
    ...pushDangers(one),
    ...runsUnseen(one.command, fetcher),
  ]);
  return [...new Set(found)];
}

/** Dangers as a sentence before the reason of a question. */
export function dangerText(dangers: readonly string[]): string {
  return dangers.length === 0 ? '' : `Dangerous: it ${dangers.join('; it ')}. `;
}

function deletionsOf(policy: ShellScope, placed: PlacedCommand): string[] {
  const { command, variables } = placed;
  const [first, ...rest] = command.words;
  const name = baseName(first) ?? '';
  if (name === 'find') return findDeletions(policy, placed);
  if (!deleters.has(name)) return [];
  const isDeep = rest.some((word) => valuesOf(word, variables).some(isRecursive));
  return operandsOf(rest).flatMap((word) => [
    ...deletionOf(word, { policy, placed, isDeep }),
    ...(isDeep && isWholeWorkspace(word, placed, policy) ? ['deletes the whole workspace'] : []),
  ]);
}

/** The places that a find starts at, where it deletes what it finds. */
function findDeletions(policy: ShellScope, placed: PlacedCommand): string[] {
  const { command } = placed;
  const given = command.words.slice(1);
  const texts = given.map((word) => literalOf(word) ?? '');
  const deletes =
    texts.includes('-delete') || command.runs.some(({ words: [name] }) => deleters.has(baseName(name) ?? ''));
  if (!deletes) return [];
  const end = texts.findIndex((text) => /^[-(!]/.test(text) && !/^-(?:[HLP]|O\d|D)$/.test(text));
  const starts = operandsOf(given.slice(0, end === -1 ? undefined : end));
  return starts.flatMap((word) => deletionOf(word, { policy, placed, isDeep: true }));
}

function deletionOf(
  word: ShellWord,
  { policy, placed, isDeep }: { policy: ShellScope; placed: PlacedCommand; isDeep: boolean },
): string[] {
  const places = placesOf(word, placed, policy);
  if (places === undefined) return isDeep ? [`deletes ${word.text}, which is known only when it runs`] : [];
  const { workspace } = policy;
  const isOutside = places.some((place) =>
    [place.path, place.real].some((file) => !isInWorkspace(file, workspace)),
  );
  if (isOutside) return [`deletes ${word.text}, outside the workspace`];
  // A session that was started at home has everything there as its workspace.
  const isHome = isDeep && isWithin(workspace.cwd, workspace.home);
  return isHome ? [`deletes ${word.text}, and the workspace is your home`] : [];
}

function isWholeWorkspace(word: ShellWord, placed: PlacedCommand, policy: ShellScope): boolean {
  const { cwd } = policy.workspace;
  return placesOf(word, placed, policy)?.some(({ path }) => path === cwd || path === `${cwd}/*`) ?? false;
}

function pushDangers({ command, variables }: PlacedCommand): string[] {
  if (baseName(command.words[0]) !== 'git') return [];
  const { subcommand, rest } = gitArguments(command.words.slice(1));
  if (subcommand !== 'push') return [];
  const given = rest.flatMap((word) => valuesOf(word, variables));
  return [
    ...(given.some((text) => forcingPush.test(text)) ? ['force-pushes, which can overwrite commits'] : []),
    ...(given.some((text) => deletingPush.test(text)) ? ['deletes branches or tags of a remote'] : []),
  ];
}

/** Code that does not stand in the command line: what a pipe brings, or what was fetched before. */
function runsUnseen(command: SimpleCommand, fetcher: string | undefined): string[] {
  const name = baseName(command.words[0]) ?? '';
  const isShell = shells.has(name) || evaluators.has(name);
  if (!isShell && !interpreters.has(name)) return [];
  const rest = command.words.slice(1);
  const isPiped = command.fedBy === 'pipe' && !hasProgram(rest) && interpretsInput(command, 'pipe');
  const isSeen = hasProgram(rest) && rest.every((word) => literalOf(word) !== undefined);
  if (fetcher !== undefined && (isPiped || !isSeen))
    return [`fetches with ${fetcher} and runs code with ${name}`];
  return isPiped ? [`runs what is piped into ${name}`] : [];
}

function hasProgram(given: readonly ShellWord[]): boolean {
  return given.some((word) => inlineProgram.test(literalOf(word) ?? ''));
}

/** Arguments that are no options. */
function operandsOf(given: readonly ShellWord[]): readonly ShellWord[] {
  const end = given.findIndex((word) => literalOf(word) === '--');
  const before = end === -1 ? given : given.slice(0, end);
  const after = end === -1 ? [] : given.slice(end + 1);
  return [...before.filter((word) => !(literalOf(word) ?? '').startsWith('-')), ...after];
}

function isRecursive(value: string): boolean {
  return /^-[A-Za-z]*[rR]/.test(value) || (value.length > 2 && '--recursive'.startsWith(value));
}
