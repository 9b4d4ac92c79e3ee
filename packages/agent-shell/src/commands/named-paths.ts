import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, textWord } from '../word/shell-word.ts';
import { wordSet } from '../word/word-set.ts';
import { knownTextUse } from './code-programs.ts';
import { gitArguments, namesIn } from './git-operands.ts';
import { baseName } from './nested-runs.ts';
import { interpreters, shells, wrappers } from './wrappers.ts';

/** A word that a program may treat as a path. */
export interface NamedPath {
  readonly word: ShellWord;
  /** True if it is written like a path, not like any other name. */
  readonly isPathLike: boolean;
  /** True if it may name more files than are checked. */
  readonly isOpen?: true;
}

/** Longer texts are not paths on any system. */
const longestPath = 4_096;
const maximumNames = 64;

/** Programs that handle names and open no file. */
const speakers = wordSet(
  ': [ [[ alias basename bg break cd command compgen continue declare dirname echo exit export false fg find hash help ' +
    'jobs kill let local man popd printf pushd pwd read readlink readonly realpath return seq set shift sleep test ' +
    'times tr trap true type typeset ulimit umask unalias unset wait which',
);
/** True if a program opens no file named in its arguments. */
export function opensNothing(name: string): boolean {
  return speakers.has(name);
}

/** Programs whose operands may be tasks or files. */
const taskRunners = wordSet(
  'bun bundle cargo deno docker go gradle just kubectl make mvn npm pnpm rake task yarn',
);
/** Subcommands of git that change their file operands. */
const gitChangers = wordSet('apply checkout checkout-index clean mv reset restore rm');
/** Programs that read their files and may replace them. */
const replacers = wordSet(
  'bunzip2 bzip2 emacs ex gunzip gzip nano perl ruby split unxz vi vim xxd xz zip zstd lz4 lzma brotli compress',
);
const removers = wordSet('chgrp chmod chown mv rm rsync shred');
const recursiveOption = /^-[A-Za-z]*[rRiw]|^--(?:delete|fix|in-place|recursive|write)/;

/** All words of a command that may name a file it reads, for any program. */
export function mayRead(command: SimpleCommand): NamedPath[] {
  const name = baseName(command.words[0]) ?? '';
  if (name === 'xargs' || name === 'parallel') return argumentFiles(command.words);
  if (name === '' || name === 'git' || speakers.has(name) || Object.hasOwn(wrappers, name)) return [];
  const words = command.words.slice(1);
  // `sqlite3 y '.import x z'` names a file inside a text.
  const inner = knownTextUse(name) === 'escape' ? words.flatMap(partsOf) : [];
  const named = [...words, ...inner].flatMap(pathsIn);
  return taskRunners.has(name) ? named.filter((one) => one.isPathLike) : named;
}

/** The paths a command may change, and whether that includes everything below a directory. */
export interface MayChange {
  readonly paths: readonly NamedPath[];
  readonly isRecursive: boolean;
}

/** All words that may name a file which a command changes; `isReader` if it is known to only read its files. */
export function mayChange(command: SimpleCommand, { isReader }: { isReader: boolean }): MayChange {
  const name = baseName(command.words[0]) ?? '';
  const rest = command.words.slice(1);
  const isRecursive = rest.some((word) => recursiveOption.test(word.text));
  if (name === 'git') return gitChanges(rest);
  if (removers.has(name))
    return { paths: isRecursive || name === 'mv' ? rest.flatMap(pathsIn) : [], isRecursive: true };
  if (replacers.has(name)) return { paths: replaces(name, rest) ? rest.flatMap(pathsIn) : [], isRecursive };
  if (name === '' || isReader || speakers.has(name) || Object.hasOwn(wrappers, name)) return nothing;
  const operands = interpreters.has(name) || shells.has(name) ? withoutScript(rest) : rest;
  const paths = operands.flatMap(pathsIn).filter((one) => one.isPathLike || isRecursive);
  return { paths, isRecursive };
}

const nothing: MayChange = { paths: [], isRecursive: false };

function gitChanges(rest: readonly ShellWord[]): MayChange {
  const { subcommand, rest: given } = gitArguments(rest);
  if (!gitChangers.has(subcommand)) return nothing;
  const named = given
    .flatMap((word) => namesIn(literalOf(word) ?? word.text))
    .filter((text) => !text.startsWith('-'));
  const texts = named.length === 0 && subcommand === 'clean' ? ['.'] : named;
  return { paths: texts.map((text) => ({ word: textWord(text), isPathLike: true })), isRecursive: true };
}

/** Compressors replace a file unless they write to stdout; perl and ruby only with `-i`, xxd only with `-r`. */
function replaces(name: string, rest: readonly ShellWord[]): boolean {
  const has = (pattern: RegExp) => rest.some((word) => pattern.test(word.text));
  if (name === 'perl' || name === 'ruby') return has(/^-[A-Za-z0-9]*i/);
  if (name === 'xxd') return has(/^-[a-z]*r/) || rest.filter((word) => !word.text.startsWith('-')).length > 1;
  return !has(/^-[A-Za-z0-9]*[clt]|^--(?:stdout|to-stdout|list|test)/);
}

/** An interpreter's first operand is its script, which it only reads. */
function withoutScript(rest: readonly ShellWord[]): readonly ShellWord[] {
  const at = rest.findIndex((word) => !word.text.startsWith('-'));
  return at === -1 ? [] : rest.slice(at + 1);
}

/** The parts of a text that may be names of files. */
function partsOf(word: ShellWord): ShellWord[] {
  const parts = (literalOf(word) ?? '').split(/[\s'"()]+/, maximumNames).filter((part) => part !== '');
  return parts.length < 2 ? [] : parts.map(textWord);
}

/** The files that xargs and parallel themselves read. */
function argumentFiles(given: readonly ShellWord[]): NamedPath[] {
  return given.flatMap((word, index) => {
    const [, attached] = /^(?:-a|--arg-f[a-z]*)=?(.*)$/s.exec(literalOf(word) ?? '') ?? [];
    if (attached === undefined) return [];
    const target = attached === '' ? given[index + 1] : textWord(attached);
    return target === undefined ? [] : [{ word: target, isPathLike: true }];
  });
}

/** `x`, `-dx`, `--data=x`, `@x`, `name@x`, `name=@x;type=y`, `file://x` and `x:y` may all name the file x. */
function pathsIn(word: ShellWord): NamedPath[] {
  const text = literalOf(word);
  if (text === undefined) {
    const [first, ...pieces] = word.pieces;
    // `-d@$HOME/x`: the text before the expansion is not part of the path.
    const isPrefixed = first?.kind === 'text' && /^(?:.*(?:[@=<:]|file:\/\/)|-[A-Za-z])$/s.test(first.value);
    return [
      { word, isPathLike: true },
      ...(isPrefixed ? [{ word: { ...word, pieces }, isPathLike: true }] : []),
    ];
  }
  const stems = text.startsWith('--') ? [] : text.startsWith('-') ? [text.slice(2)] : [text];
  const starts = [...text.matchAll(/=/g)].map((match) => match.index + 1);
  const values = [...stems, ...starts.slice(0, maximumNames).map((start) => text.slice(start))];
  const names = values.flatMap((value) => {
    const address = /^fileb?:\/\/[^/]*(\/.*)$/is.exec(value)?.[1];
    if (address !== undefined) return [address.replaceAll(/%([0-9a-f]{2})/gi, decodeByte)];
    if (/^[a-z][a-z+.-]*:\/\//i.test(value)) return [];
    const bare = value.replace(/^[@<]+/, '');
    const parts = [...bare.split(':', maximumNames + 1), ...bare.split('@', maximumNames + 1)];
    return [bare, bare.split(/[;,]/, 1)[0] ?? '', ...parts];
  });
  const distinct = [...new Set(names)].filter(
    (name) => name !== '' && name.length <= longestPath && !name.includes('\n'),
  );
  if (distinct.length > maximumNames || starts.length > maximumNames)
    return [{ word, isPathLike: false, isOpen: true }];
  return distinct.map((name) => ({ word: textWord(name), isPathLike: /[./]/.test(name) || name !== text }));
}

function decodeByte(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}
