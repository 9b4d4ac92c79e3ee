import { readOnlyCommands } from '../read-only/read-only-commands.ts';
import { wordList } from '../read-only/read-only-spec.ts';
import { leadingText, withoutStart } from '../word/attached-value.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, textWord } from '../word/shell-word.ts';
import { plainRemotes, remoteActions } from './code-programs.ts';
import { hasKnownOperands } from './file-operands.ts';
import { mayRead, opensNothing } from './named-paths.ts';
import { baseName } from './nested-runs.ts';
import { shells, wrappers } from './wrappers.ts';

/** An argument that may be a path which a program writes or reads instructions from. */
export interface PathArgument {
  readonly word: ShellWord;
  /** True if it names output: the value of an output option, or an operand of a command that changes files. */
  readonly isOutput: boolean;
  /** True for an operand of a program that may write the files it names. */
  readonly mayBeOutput?: boolean;
}

/** Programs whose arguments with a slash are names on a server. */
const apiPrograms: ReadonlySet<string> = new Set(
  wordList('aws az consul doctl etcdctl gcloud gh glab gsutil heroku http https redis-cli vault xh'),
);
/** Programs that send files elsewhere. */
const uploaders: ReadonlySet<string> = new Set(
  wordList(
    'aws az curl ftp gcloud gh glab gsutil http https kubectl lftp mc nc ncat rclone rsync s3cmd scp sftp socat wget xh xhs',
  ),
);
/** Programs that may read or write their files, depending on the use. */
const eitherWay: ReadonlySet<string> = new Set(
  wordList(
    'bsdtar bunzip2 bzip2 composite convert emacs ex ffmpeg gunzip gzip magick mogrify montage nano nvim openssl split tar ' +
      'unxz vi view vim xxd xz zip zstd',
  ),
);
/** Programs that take a format or protocol before a path: `png:../x`. */
const converters: ReadonlySet<string> = new Set(
  wordList('composite convert ffmpeg identify magick mogrify montage'),
);
/** Programs that write remote files as `host:path`. */
const copiers: ReadonlySet<string> = new Set(wordList('docker kubectl podman rclone rsync scp sftp'));
/** Words in names of output options. */
const outputWord =
  /^(?:cache|cov|dest|destination|dir|directory|download|downloads|dump|emit|export|extract|file|folder|html|install|into|json|junit|junitxml|location|log|logfile|out|outdir|outfile|output|path|prefix|profile|rdb|record|report|results?|root|save|screenshot|store|target|to|trace|video|workdir|write|xml)$/;
const outputLetter = /^-[oOdDCTtPw]$/;
const changingWord =
  /^(?:--(?:fix|format|in-place|inplace|overwrite|replace|unsafe|write)|-i|-w|copy|cp|download|fmt|format|sync)$/;
const pathLike = /^(?:\/|~|\.\.(?:\/|$))|\/\.\.(?:\/|$)/;
/** `host:path` of scp, `pod:path` of kubectl. */
const remotePlace = /^[\w.@-]+:(?!\/\/)/;
const systemDirectory =
  /^\/(?:Applications|Library|Users|Volumes|bin|boot|dev|etc|home|lib\d*|media|mnt|opt|private|proc|root|run|sbin|srv|sys|tmp|usr|var)(?:\/|$)/;
/** Options whose value is a pattern or a message even if it starts with a slash. */
const patternOption =
  /^(?:-[gkmHX]|--(?:base-href|base|filter|grep|header|match|message|pattern|public-path|raw|route|test-name-pattern|testNamePattern|url))$/;

/** Arguments of an unknown program that may be paths outside the workspace or output files. */
export function pathArguments(command: SimpleCommand): PathArgument[] {
  const name = baseName(command.words[0]) ?? '';
  const all = command.words.slice(1);
  if (name === '' || isKnown(name) || plainRemotes.has(name)) return [];
  const given = localWords(name, all);
  const changes = given.some((word) => changingWord.test(word.text));
  return given.flatMap((word, index): PathArgument[] => {
    const text = literalOf(word);
    const before = given[index - 1]?.text ?? '';
    if (text === undefined) return openArgument(word, before);
    if (patternOption.test(before) && !eitherWay.has(name)) return [];
    const { option, value: written } = splitOption(text);
    if (written === undefined) return [];
    const value = converters.has(name) ? withoutKind(written) : written;
    const isOutput = namesOutput(option ?? before) || (changes && option === undefined);
    const mayBeOutput = eitherWay.has(name);
    if (!isOutput && !mayBeOutput && (apiPrograms.has(name) || !pathLike.test(value))) return [];
    return [{ word: value === text ? word : textWord(value), isOutput, mayBeOutput }];
  });
}

/** Files that a program may send elsewhere. */
export function uploadArguments(command: SimpleCommand): ShellWord[] {
  const name = baseName(command.words[0]) ?? '';
  if (!uploaders.has(name)) return [];
  const given = localWords(name, command.words.slice(1)).filter(
    (word) => !copiers.has(name) || !remotePlace.test(word.text),
  );
  const named = mayRead({ ...command, words: [...command.words.slice(0, 1), ...given] });
  return named.filter((one) => one.isPathLike && mayBeLocal(one.word, name)).map((one) => one.word);
}

/** A server's `/x` is not a local file, unless the system has such a directory. */
function mayBeLocal(word: ShellWord, name: string): boolean {
  const text = literalOf(word);
  if (text === undefined || !text.startsWith('/')) return true;
  if (!apiPrograms.has(name) && name !== 'kubectl') return true;
  return systemDirectory.test(text);
}

/** A partly unknown argument, with the option before it or in the same word: `--out=$HOME/x`, `-o$HOME/x`. */
function openArgument(word: ShellWord, before: string): PathArgument[] {
  const text = leadingText(word);
  const [start, option] = /^(-[^=]*|[\w.-]+)=|^(?:-[A-Za-z])/s.exec(text) ?? [];
  if (start === undefined) return namesOutput(before) ? [{ word, isOutput: true }] : knownStart(word);
  const value = withoutStart(word, start.length);
  if (value.pieces.length === 0) return [];
  return namesOutput(option ?? start) ? [{ word: value, isOutput: true }] : knownStart(value);
}

/** `$HOME/x` and `~/x` have a known start; other expansions may be anything. */
function knownStart(word: ShellWord): PathArgument[] {
  const [first] = word.pieces;
  return first?.kind === 'home' || (first?.kind === 'variable' && first.name === 'HOME')
    ? [{ word, isOutput: false }]
    : [];
}

function isKnown(name: string): boolean {
  return (
    (hasKnownOperands(name) && name !== 'git' && !eitherWay.has(name)) ||
    name === 'curl' ||
    name === 'wget' ||
    shells.has(name) ||
    Object.hasOwn(wrappers, name) ||
    opensNothing(name) ||
    (Object.hasOwn(readOnlyCommands, name) && name !== 'npm' && !eitherWay.has(name))
  );
}

/** Arguments after `docker exec` and similar are paths of another system. */
function localWords(name: string, given: readonly ShellWord[]): readonly ShellWord[] {
  const at = given.findIndex((word) => remoteActions.has(literalOf(word) ?? ''));
  const isRemote = wordList('docker podman nerdctl kubectl oc lxc incus adb vagrant fly').includes(name);
  return isRemote && at !== -1 ? given.slice(0, at) : given;
}

function splitOption(text: string): { option?: string; value?: string } {
  const equals = text.indexOf('=');
  if (!text.startsWith('-')) return { value: text.replace(/^[\w.-]+=/, '').replace(/^@(?=\.\.\/|[/~])/, '') };
  if (equals !== -1)
    return { option: text.slice(0, equals), value: withoutKind(text.slice(text.lastIndexOf('=') + 1)) };
  const colon = text.indexOf(':');
  if (colon !== -1) return { option: text.slice(0, colon), value: text.slice(colon + 1) };
  const attached = text.startsWith('--') ? '' : text.slice(2);
  const isPath = pathLike.test(attached) || (outputLetter.test(text.slice(0, 2)) && /^\.|\//.test(attached));
  return isPath ? { option: text.slice(0, 2), value: attached } : {};
}

/** `html:../x` names a format and a path. */
function withoutKind(value: string): string {
  const [kind = ''] = /^[\w+.-]+:/.exec(value) ?? [];
  const rest = value.slice(kind.length);
  return pathLike.test(rest) && !rest.startsWith('//') ? rest : value;
}

/** `--outDir`, `--out-dir`, `-o`. */
function namesOutput(option: string): boolean {
  if (!option.startsWith('-') || option.length > 40) return false;
  if (!option.startsWith('--') && option.length === 2) return outputLetter.test(option);
  return option
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]+/)
    .some((word) => outputWord.test(word));
}
