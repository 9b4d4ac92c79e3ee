import { readOnlyCommands } from '../read-only/read-only-commands.ts';
import { type ReadOnlySpec, wordList } from '../read-only/read-only-spec.ts';
import { leadingText, withoutStart } from '../word/attached-value.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { type ShellWord, textWord, unknownText, unknownWord, wordOf } from '../word/shell-word.ts';
import { wordSet } from '../word/word-set.ts';
import { gitReadOperands, gitWrittenOperands } from './git-operands.ts';
import { baseName } from './nested-runs.ts';
import { interpreters, shells } from './wrappers.ts';

/** A file among a command's arguments. */
export interface FileOperand {
  readonly kind: 'read' | 'write';
  readonly word: ShellWord;
  /** True if git matches it, not the shell: its wildcards cross directories and match a leading dot. */
  readonly isPathspec?: true;
}

/** Commands that print names and open no file. */
const namers = wordSet('df find readlink realpath');
/** Commands of the read-only table with this kind of operands. */
const listed = (kind: ReadOnlySpec['operands']): string[] =>
  Object.keys(readOnlyCommands).filter(
    (name) => readOnlyCommands[name]?.operands === kind && !namers.has(name),
  );

/** Commands that read every file they name. */
const readers = new Set([
  ...listed('files'),
  ...listed('pattern'),
  ...wordSet(
    '. awk b2sum base32 base64 bash bat bunzip2 bzcat bzip2 cat cksum cmp comm cut dash diff du egrep emacs expand fgrep file fmt fold ' +
      'gawk grep gunzip gzip head hexdump iconv join jq less ls md5sum more nano nl node od openssl paste perl php python python3 ' +
      'rev rg ruby sed sh sha1sum sha224sum sha256sum sha384sum sha512sum shuf sort source split stat strings sum tac tail tar ' +
      'tr tree tsort unexpand uniq unxz unzip vi view vim wc xxd xz xzcat zcat zgrep zip zsh zstd',
  ),
]);
/** Commands that change or remove every file they name. */
const writers = wordSet('chgrp chmod chown mkdir mkfifo rm rmdir shred tee touch truncate unlink');
/** Commands that read all but the last file and write the last. */
const copiers = wordSet('cp install ln rsync scp');

/** Commands whose first operand is a pattern or a program, not a file. */
const programFirst = wordSet('awk egrep fgrep gawk grep jq rg sed tr zgrep');

/** Options whose value is a file or directory that is written to. */
const outputOptions: Readonly<Record<string, readonly string[]>> = {
  curl: wordList(
    '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc --ssl-sessions',
  ),
  git: wordList('-o --output --output-directory --directory --export-marks --prefix --separate-git-dir'),
  iconv: ['-o', '--output'],
  node: wordList(
    '--logfile --cpu-prof-dir --heap-prof-dir --diagnostic-dir --redirect-warnings --report-directory',
  ),
  rsync: wordList('--log-file --partial-dir --temp-dir --backup-dir --write-batch --only-write-batch'),
  shuf: ['-o', '--output'],
  sort: ['-o', '--output', '-T', '--temporary-directory'],
  tree: ['-o'],
  tar: wordList('-C --directory --one-top-level --index-file --volno-file -g --listed-incremental'),
  unzip: ['-d'],
  wget: wordList(
    '-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --warc-file --hsts-file ' +
      '--rejected-log',
  ),
};

const known: ReadonlySet<string> = new Set([
  ...readers,
  ...writers,
  ...copiers,
  ...Object.keys(outputOptions),
  'dd',
  'mv',
]);

/** True if it is known which of a program's arguments are files. */
export function hasKnownOperands(name: string): boolean {
  return known.has(name) && name !== 'curl' && name !== 'wget';
}

/** True if a program only reads the files it names, or an option marks those it writes. */
export function readsWhatItNames(name: string): boolean {
  const runsScripts = interpreters.has(name) || shells.has(name);
  return known.has(name) && !runsScripts;
}

/** The files among a command's arguments that deny and ask rules for paths apply to. */
export function fileOperands(command: SimpleCommand): FileOperand[] {
  const name = baseName(command.words[0]);
  if (name === undefined || !known.has(name)) return [];
  const options = Object.hasOwn(outputOptions, name) ? outputOptions[name] : undefined;
  const given = command.words.slice(1);
  const written = options === undefined ? [] : [...outputs(given, options), ...downloads(name, given)];
  return [...written, ...plainOperands(name, command)];
}

function plainOperands(name: string, command: SimpleCommand): FileOperand[] {
  const operands = command.words.slice(1).flatMap(operandWords);
  const reads = operands.map((word): FileOperand => ({ kind: 'read', word }));
  if (name === 'git')
    return [...gitReadOperands(command.words.slice(1)), ...gitWrittenOperands(command.words.slice(1))];
  if (name === 'dd') return operands.flatMap(ddOperand);
  if (writers.has(name)) return operands.map((word) => ({ kind: 'write', word }));
  if (name === 'mv')
    return operands.flatMap((word) => [
      { kind: 'read', word },
      { kind: 'write', word },
    ]);
  if (copiers.has(name)) return copied(command, reads);
  if (name === 'uniq' && operands.length > 1)
    return [...reads, ...operands.slice(-1).map((word): FileOperand => ({ kind: 'write', word }))];
  if (!readers.has(name)) return [];
  const inScript = name === 'sed' ? command.words.slice(1).flatMap(sedOperands) : [];
  if (
    programFirst.has(name) &&
    !command.words.some((word) => /^-[ef]|^--(?:expression|file|regexp)/.test(word.text))
  )
    reads.shift();
  const isInPlace =
    name === 'sed' && command.words.some((word) => /^(?:-[A-Za-z]*i|--in-place)/.test(word.text));
  const written = isInPlace ? reads.map((one): FileOperand => ({ ...one, kind: 'write' })) : [];
  return [...reads, ...written, ...inScript];
}

const maximumSedFiles = 64;

/** The files that a script of sed reads: `r file`. */
function sedOperands(word: ShellWord): FileOperand[] {
  const text = leadingText(word);
  return [...text.matchAll(/[rR]/g)].slice(0, maximumSedFiles).flatMap(({ index }): FileOperand[] => {
    const before = text.slice(Math.max(0, index - 20), index).trimEnd();
    if (!/[;{}\d$/,!]/.test(before.at(-1) ?? ';')) return [];
    const [file = ''] = text.slice(index + 1, index + 4_097).split('\n', 1);
    return file.trim() === '' ? [] : [{ kind: 'read', word: textWord(file.trim()) }];
  });
}

/** The last operand is written, or the directory of `-t`. */
function copied({ words }: SimpleCommand, reads: readonly FileOperand[]): FileOperand[] {
  const isTarget = (word: ShellWord) => /^-[A-Za-z]*t|^--t/.test(word.text);
  const attached = words.flatMap((word): FileOperand[] => {
    const option = /^-[A-Za-z]*?t/.exec(leadingText(word))?.[0];
    const target = option === undefined ? undefined : withoutStart(word, option.length);
    return target === undefined || target.pieces.length === 0 ? [] : [{ kind: 'read', word: target }];
  });
  const written = words.some(isTarget) ? [...reads, ...attached] : reads.slice(-1);
  return [...reads.slice(0, -1), ...written.map((one): FileOperand => ({ ...one, kind: 'write' }))];
}

/** The word itself, or the value of `--option=value`. */
function operandWords(word: ShellWord): ShellWord[] {
  const text = leadingText(word);
  if (!text.startsWith('-')) return [word];
  const value = withoutStart(word, text.startsWith('--') ? text.indexOf('=') + 1 || text.length : 2);
  return value.pieces.length === 0 ? [] : [value];
}

/** Output files of options, with the value in the same word or the next. */
function outputs(given: readonly ShellWord[], options: readonly string[]): FileOperand[] {
  return given.flatMap((word, index): FileOperand[] => {
    const text = leadingText(word);
    const option = options.find((one) =>
      one.startsWith('--') ? isAbbreviation(text.split('=', 1)[0] ?? '', one) : valueStart(text, one) > 0,
    );
    if (option === undefined) return [];
    const start = option.startsWith('--') ? text.indexOf('=') + 1 || text.length : valueStart(text, option);
    const attached = withoutStart(word, start);
    const target = attached.pieces.length === 0 ? given[index + 1] : attached;
    return target === undefined ? [] : [{ kind: 'write', word: target }];
  });
}

const keepsName = /^-[A-Za-z0-9]*O|^--remote-name/;

/** Files named after the last part of their URL. */
function downloads(name: string, given: readonly ShellWord[]): FileOperand[] {
  const isNamedSo =
    name === 'wget'
      ? !given.some(({ text }) => /^-[A-Za-z]*O|^--output-d/.test(text))
      : name === 'curl' && given.some(({ text }) => keepsName.test(text));
  // With curl, `-o '#1'` inserts a part of the URL.
  const isOpen = name === 'curl' && given.some(({ text }) => /#\d/.test(text));
  if (!isNamedSo && !isOpen) return [];
  return given.flatMap((word) => {
    if (word.text.startsWith('-')) return [];
    const written = word.pieces.map((piece) =>
      piece.kind === 'text' || piece.kind === 'glob' ? piece.value : unknownText,
    );
    const file = written.join('').replace(/[?#].*$/s, '');
    const names = /[{[]/.test(file) ? file.split(/[/{},[\]]/) : [file.slice(file.lastIndexOf('/') + 1)];
    return names
      .filter((one) => one !== '')
      .map((one): FileOperand => ({ kind: 'write', word: namedWord(one) }));
  });
}

/** A name that may contain a part only the shell can expand. */
function namedWord(name: string): ShellWord {
  return name.includes(unknownText) ? unknownWord() : wordOf(name);
}

/** The start of a short option's value, which may follow other options: `-sSo file`, `-uofile`. */
function valueStart(text: string, option: string): number {
  const bundle = /^-[A-Za-z0-9]+/.exec(text)?.[0] ?? '';
  return bundle.indexOf(option.slice(1), 1) + 1;
}

/** Long options may be abbreviated if they stay unambiguous. */
function isAbbreviation(name: string, option: string): boolean {
  return name === option || (name.length > 4 && option.startsWith(name));
}

function ddOperand(word: ShellWord): FileOperand[] {
  const text = leadingText(word);
  if (text.startsWith('if=')) return [{ kind: 'read', word: withoutStart(word, 3) }];
  return text.startsWith('of=') ? [{ kind: 'write', word: withoutStart(word, 3) }] : [];
}
