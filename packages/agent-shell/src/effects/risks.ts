import { interpretsInput } from '../commands/fed-input.ts';
import { fileOperands } from '../commands/file-operands.ts';
import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import { interpreters, shells } from '../commands/wrappers.ts';
import { isInWorkspace, isWithin } from '../path/is-within.ts';
import type { ShellScope } from '../path/shell-scope.ts';
import type { ShellScript, SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, unknownText, valuesOf } from '../word/shell-word.ts';
import { suspiciousCharacters } from '../word/suspicious-characters.ts';
import { wordSet } from '../word/word-set.ts';
import { destructionsOf } from './destructions.ts';
import { changedTo, directoryChange, type PlacedCommand, placesOf } from './place-commands.ts';

/** A part of a command that a user should check before allowing it. */
export interface Risk {
  /** A short form: `rm -rf ~/notes`, `curl … | sh`. */
  readonly part: string;
  /** The effect of the part: `force-pushes, which can overwrite commits`. */
  readonly effect: string;
  /** The parts of the command to highlight, as written. */
  readonly marks: readonly string[];
}

/** Risks of a script: dangers cannot be undone, run unseen code or read secrets; cautions only deserve attention. */
export interface Risks {
  readonly dangers: readonly Risk[];
  readonly cautions: readonly Risk[];
}

const deleters = wordSet('rm rmdir shred unlink');
const fetchers = wordSet('aria2c curl fetch ftp http https nc ncat scp sftp socat wget xh');
const networked = wordSet('ftp nc ncat ping rsync scp sftp socat ssh telnet');
const networkedGit = wordSet('clone fetch ls-remote pull push');
const installers = wordSet('apt apt-get brew bun cargo gem go npm pip pip3 pipx pnpm uv yarn');
const installing = /^(?:add|ci|get|i|install|publish|update|upgrade)$/;
const containers = wordSet('docker nerdctl podman');
const evaluators = wordSet('. eval source');
/** Options after which an interpreter takes its program from the next argument. */
const inlineProgram = /^(?:-[a-zA-Z]*[ce]|--eval|--print|-p|-r)$/;
/** Git accepts every unambiguous prefix of a long option. */
const forcingPush = /^(?:-[a-eg-zA-Z]*f|--for|--mi|\+.)/;
const deletingPush = /^(?:-[a-ce-zA-Z]*d|--de|--pru|:.)/;
/** Files with credentials, below a home or at their usual location. */
const credentials =
  /\/\.(?:ssh|gnupg|aws|azure|kube)\/|\/\.config\/(?:gcloud|gh)\/|\/\.docker\/config\.json$|\/\.(?:git-credentials|netrc|npmrc|pgpass|pypirc)$|^\/etc\/(?:g?shadow|sudoers)$|\/id_(?:dsa|ecdsa|ed25519|rsa)$/;
const repository = /\/\.(?:git|hg|jj|svn)(?:\/|$)/;
const harmlessDevice = /^\/dev\/(?:null|std(?:in|out|err)|fd\/\d+|tty)$/;

const temporary = /^(?:\/private)?(?:\/var)?\/tmp\//;

/** Everything in a script that a user should check, in the order of the script. */
export function risksOf(
  policy: ShellScope,
  { source }: Pick<ShellScript, 'source'>,
  placed: readonly PlacedCommand[],
): Risks {
  const names = placed.map(({ command }) => baseName(command.words[0]) ?? '');
  const fetcher = placed[names.findIndex((name) => fetchers.has(name))]?.command;
  const targets = placed.map((one) => outsideTargets(policy, one));
  const dangers = placed.flatMap((one, index) => [
    ...deletionsOf(policy, one),
    ...writesOutside(targets[index] ?? []),
    ...pushDangers(one),
    ...destructionsOf(one.command, one.variables).map((effect) => riskOf(one.command, effect)),
    ...runsUnseen(one.command, fetcher),
    ...mountsOf(one),
    ...credentialsRead(policy, one),
  ]);
  const cautions = placed.flatMap((one, index) => [
    ...networkOf(one),
    ...leavesWorkspace(policy, one),
    ...temporaryWrites(targets[index] ?? []),
  ]);
  const found = distinct([...dangers, ...hiddenIn(source)]);
  const marked = new Set(found.flatMap(({ marks }) => marks));
  return {
    dangers: found,
    cautions: distinct(cautions).filter(({ marks }) => !marks.some((mark) => marked.has(mark))),
  };
}

/** Describes a risk in a few words. */
export function describeRisk({ part, effect }: Risk): string {
  return `${part} ${effect}`;
}

/** Describes dangers in a sentence before the reason of a decision. */
export function dangerText(dangers: readonly Risk[]): string {
  return dangers.length === 0 ? '' : `Dangerous: ${dangers.map(describeRisk).join('; ')}. `;
}

function distinct(risks: readonly Risk[]): readonly Risk[] {
  return [...new Map(risks.map((risk) => [describeRisk(risk), risk])).values()];
}

/** The risk of a whole command. */
function riskOf({ words: given }: SimpleCommand, effect: string): Risk {
  const part = given
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(unknownText, '…');
  return { part, effect, marks: [part] };
}

/** The words that name what a command deletes. */
function deletedWords({ command }: PlacedCommand): readonly ShellWord[] {
  const [first, ...given] = command.words;
  const name = baseName(first) ?? '';
  if (deleters.has(name)) return operandsOf(given);
  if (name !== 'find') return [];
  const texts = given.map((word) => literalOf(word) ?? '');
  const deletes =
    texts.includes('-delete') ||
    command.runs.some(({ words: [inner] }) => deleters.has(baseName(inner) ?? ''));
  if (!deletes) return [];
  const end = texts.findIndex((text) => /^[-(!]/.test(text) && !/^-(?:[HLP]|O\d|D)$/.test(text));
  return operandsOf(given.slice(0, end === -1 ? undefined : end));
}

/** The existing files that a command deletes by name, and the risk if one of them cannot be restored. */
export function namedDeletions(
  policy: ShellScope,
  placed: PlacedCommand,
): readonly { readonly paths: readonly string[]; readonly risk: Risk }[] {
  const operands = deletedWords(placed);
  const { command } = placed;
  return operands.map((word) => {
    const places = placesOf(word, placed, policy) ?? [];
    const effect = "deletes files that git ignores; /rewind can't restore them";
    const risk = operandRisk(word, effect, { command, isOnly: operands.length === 1 });
    return { paths: places.map(({ path }) => path), risk };
  });
}

function deletionsOf(policy: ShellScope, placed: PlacedCommand): Risk[] {
  const { command, variables } = placed;
  const rest = command.words.slice(1);
  const operands = deletedWords(placed);
  if (operands.length === 0) return [];
  if (baseName(command.words[0]) === 'find')
    return operands.flatMap((word) =>
      deletionOf(word, { policy, placed, isDeep: true }).map((effect) =>
        operandRisk(word, effect, { command, isOnly: operands.length === 1 }),
      ),
    );
  const isDeep = rest.some((word) => valuesOf(word, variables).some(isRecursive));
  return operands.flatMap((word) =>
    [
      ...deletionOf(word, { policy, placed, isDeep }),
      ...(isDeep && isWholeWorkspace(word, placed, policy) ? ['deletes the whole workspace'] : []),
    ].map((effect) => operandRisk(word, effect, { command, isOnly: operands.length === 1 })),
  );
}

/** The risk of one operand, or of the whole command if it has no other. */
function operandRisk(
  word: ShellWord,
  effect: string,
  { command, isOnly }: { readonly command: SimpleCommand; readonly isOnly: boolean },
): Risk {
  const name = baseName(command.words[0]) ?? '';
  return isOnly ? riskOf(command, effect) : { part: `${name} … ${word.text}`, effect, marks: [word.text] };
}

function deletionOf(
  word: ShellWord,
  { policy, placed, isDeep }: { policy: ShellScope; placed: PlacedCommand; isDeep: boolean },
): string[] {
  const places = placesOf(word, placed, policy);
  if (places === undefined) return isDeep ? ['deletes what is known only when it runs'] : [];
  const { workspace } = policy;
  if (places.some(({ path }) => repository.test(path)))
    return ["deletes a repository's history; /rewind can't restore it"];
  if (isOutside(places, policy)) return ["deletes outside the workspace; /rewind can't restore it"];
  // In a session started at home, the whole home is the workspace.
  const isHome = isDeep && isWithin(workspace.cwd, workspace.home);
  return isHome ? ['deletes in your home, which is the workspace'] : [];
}

function isOutside(
  places: readonly { readonly path: string; readonly real: string }[],
  { workspace }: ShellScope,
): boolean {
  return places.some((place) => [place.path, place.real].some((file) => !isInWorkspace(file, workspace)));
}

function isWholeWorkspace(word: ShellWord, placed: PlacedCommand, policy: ShellScope): boolean {
  const { cwd } = policy.workspace;
  return placesOf(word, placed, policy)?.some(({ path }) => path === cwd || path === `${cwd}/*`) ?? false;
}

function writesOutside(targets: readonly OutsideTarget[]): Risk[] {
  return targets
    .filter(({ isTemporary }) => !isTemporary)
    .map(({ part, mark }) => ({
      part,
      effect: "writes outside the workspace; /rewind can't restore it",
      marks: [mark],
    }));
}

function temporaryWrites(targets: readonly OutsideTarget[]): Risk[] {
  return targets
    .filter(({ isTemporary }) => isTemporary)
    .map(({ part, mark }) => ({ part, effect: 'writes a temporary file', marks: [mark] }));
}

interface OutsideTarget {
  readonly part: string;
  readonly mark: string;
  readonly isTemporary: boolean;
}

/** Files outside the workspace that a command writes by redirection or by its arguments. */
function outsideTargets(policy: ShellScope, placed: PlacedCommand): readonly OutsideTarget[] {
  const { command } = placed;
  const name = baseName(command.words[0]) ?? '';
  if (deleters.has(name)) return [];
  const targets = [
    ...command.redirections.flatMap(({ kind, target }) =>
      kind === 'write' && target ? [{ word: target, part: `> ${target.text}` }] : [],
    ),
    ...fileOperands(command).flatMap(({ kind, word }) =>
      kind === 'write' ? [{ word, part: `${name} … ${word.text}` }] : [],
    ),
  ];
  return targets.flatMap(({ word, part }) => {
    const places = (placesOf(word, placed, policy) ?? []).filter(({ path }) => !harmlessDevice.test(path));
    if (!isOutside(places, policy)) return [];
    const isTemporary = places.every(({ path, real }) => temporary.test(path) && temporary.test(real));
    return [{ part, mark: word.text, isTemporary }];
  });
}

function credentialsRead(policy: ShellScope, placed: PlacedCommand): Risk[] {
  const isSecret = (word: ShellWord) =>
    placesOf(word, placed, policy)?.some(
      ({ path, real }) => credentials.test(path) || credentials.test(real),
    ) ?? false;
  const isRead = placed.command.words.some((word, index) => index > 0 && mayBePath(word) && isSecret(word));
  return isRead ? [riskOf(placed.command, 'names a file with credentials')] : [];
}

/** File names contain a dot, a slash, an underscore or an expansion. */
function mayBePath(word: ShellWord): boolean {
  return !word.plain || /[./_]|^shadow$/.test(word.text);
}

/** Directories outside the workspace that are mounted into a container. */
function mountsOf({ command, variables }: PlacedCommand): Risk[] {
  if (!containers.has(baseName(command.words[0]) ?? '')) return [];
  const texts = command.words.slice(1).flatMap((word) => valuesOf(word, variables));
  if (!texts.includes('run') && !texts.includes('create')) return [];
  const isMounting = texts.some((text, index) => {
    const before = texts[index - 1] ?? '';
    return (
      (/^(?:-v|--volume)$/.test(before) && /^\/[^:]*:/.test(text)) ||
      /^(?:-v|--volume=)\/[^:]*:/.test(text) ||
      (/^(?:--mount)$/.test(before) && /(?:^|,)(?:src|source)=\//.test(text)) ||
      text === '--privileged'
    );
  });
  return isMounting ? [riskOf(command, 'gives a container files of this machine')] : [];
}

function pushDangers({ command, variables }: PlacedCommand): Risk[] {
  if (baseName(command.words[0]) !== 'git') return [];
  const { subcommand, rest } = gitArguments(command.words.slice(1));
  if (subcommand !== 'push') return [];
  const given = rest.flatMap((word) => valuesOf(word, variables));
  return [
    ...(given.some((text) => forcingPush.test(text)) ? ['force-pushes, which can overwrite commits'] : []),
    ...(given.some((text) => deletingPush.test(text)) ? ['deletes branches or tags of a remote'] : []),
  ].map((effect) => riskOf(command, effect));
}

/** Code that is not in the command line: from a pipe, or fetched before. */
function runsUnseen(command: SimpleCommand, fetcher: SimpleCommand | undefined): Risk[] {
  const name = baseName(command.words[0]) ?? '';
  const isShell = shells.has(name) || evaluators.has(name);
  if (!isShell && !interpreters.has(name)) return [];
  const rest = command.words.slice(1);
  const isPiped = command.fedBy === 'pipe' && !hasProgram(rest) && interpretsInput(command, 'pipe');
  const isSeen = hasProgram(rest) && rest.every((word) => literalOf(word) !== undefined);
  if (fetcher !== undefined && (isPiped || !isSeen)) return [fetchedCode(command, fetcher, isPiped)];
  return isPiped ? [{ ...riskOf(command, 'runs what is piped into it'), part: `… | ${name}` }] : [];
}

function fetchedCode(command: SimpleCommand, fetcher: SimpleCommand, isPiped: boolean): Risk {
  const [first, ...rest] = fetcher.words.map(({ text }) => text);
  const host = hostAmong(rest);
  const runner = riskOf(command, '');
  return {
    part: `${first ?? ''} … ${isPiped ? '|' : 'and'} ${baseName(command.words[0]) ?? ''}`,
    effect: `runs a downloaded script${host === undefined ? '' : ` from ${host}`}`,
    marks: [...riskOf(fetcher, '').marks, ...runner.marks],
  };
}

/** The host of the first URL; one without a scheme counts only if there is no other. */
function hostAmong(texts: readonly string[]): string | undefined {
  const bare = texts.map((text) => text.replace(/^["']|["']$/g, ''));
  const hosts = (pattern: RegExp) => bare.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  const [host] = [...hosts(/^\w+:\/\/(?:[^@/]*@)?([\w.-]+)/), ...hosts(/^([\w-]+(?:\.[\w-]+)+)(?:[:/?#]|$)/)];
  return host;
}

/** Plain use of the network. */
function networkOf({ command }: PlacedCommand): Risk[] {
  const name = baseName(command.words[0]) ?? '';
  const [, word] = command.words;
  const second = word === undefined ? '' : (literalOf(word) ?? '');
  const isGit = name === 'git' && networkedGit.has(gitArguments(command.words.slice(1)).subcommand);
  const isUsing =
    isGit ||
    fetchers.has(name) ||
    networked.has(name) ||
    (installers.has(name) && installing.test(second)) ||
    (containers.has(name) && /^(?:login|pull|push)$/.test(second));
  if (!isUsing) return [];
  const named = fetchers.has(name) ? hostAmong(command.words.slice(1).map(({ text }) => text)) : undefined;
  return [riskOf(command, `uses the network${named === undefined ? '' : `: ${named}`}`)];
}

function leavesWorkspace(policy: ShellScope, placed: PlacedCommand): Risk[] {
  const { command, variables, directories } = placed;
  const targets = directoryChange(command, variables);
  if (targets === undefined || targets.length === 0) return [];
  const reached = targets.flatMap((target) =>
    directories.flatMap((directory) => changedTo(directory, target, policy)),
  );
  const isLeaving = reached.some((place) => !isInWorkspace(place, policy.workspace));
  return isLeaving ? [riskOf(command, 'leaves the workspace')] : [];
}

/** Invisible characters. */
function hiddenIn(source: string): Risk[] {
  return suspiciousCharacters(source).map(({ code, what, character }) => ({
    part: code,
    effect: `is ${what}: the command may not be what it seems`,
    marks: [character],
  }));
}

function hasProgram(given: readonly ShellWord[]): boolean {
  return given.some((word) => inlineProgram.test(literalOf(word) ?? ''));
}

/** Arguments that are not options. */
function operandsOf(given: readonly ShellWord[]): readonly ShellWord[] {
  const end = given.findIndex((word) => literalOf(word) === '--');
  const before = end === -1 ? given : given.slice(0, end);
  const after = end === -1 ? [] : given.slice(end + 1);
  return [...before.filter((word) => !(literalOf(word) ?? '').startsWith('-')), ...after];
}

function isRecursive(value: string): boolean {
  return /^-[A-Za-z]*[rR]/.test(value) || (value.length > 2 && '--recursive'.startsWith(value));
}
