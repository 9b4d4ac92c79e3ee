import type { Redirection as RedirectNode } from 'unbash';
import { readOnlyGit } from '../read-only/read-only-git.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, wordsFrom } from '../word/shell-word.ts';
import { wordSet } from '../word/word-set.ts';
import { gitArguments } from './git-operands.ts';
import { baseName } from './nested-runs.ts';
import { shells, wrappers } from './wrappers.ts';

/** Programs that print, count, change or store their input and never run it. All others may run it. */
const dataReaders = wordSet(
  ': [ b2sum base32 base64 basename bunzip2 bzcat bzip2 cat cksum cmp column comm cut date diff dirname echo egrep expand ' +
    'false fgrep file fmt fold grep gunzip gzip head hexdump iconv join less ls mapfile md5sum more nl od paste pbcopy ' +
    'printf pwd read readarray readlink realpath rev rg seq sha1sum sha224sum sha256sum sha384sum sha512sum shuf sleep sort ' +
    'stat strings sum tac tail tee test tr true tsort unexpand uniq unxz wc wl-copy xclip xsel xxd xz xzcat zcat zgrep zstd',
);
/** Programs that follow their arguments and treat input as text, unless an argument names a script file. */
const programmed = wordSet('awk gawk jq mawk nawk sed yq');
const namesProgramFile = /^-[A-Za-z0-9]*[filEL]|^--(?:exec|file|from-file|include|load|library-path)/;

const gitMessages = wordSet('commit notes tag');
/** Programs that only pass a pipe on to a task of the project. */
const taskRunners = wordSet('bun npm pnpm yarn');
const hubMessages = /^(?:issue|pr|release) (?:close|comment|create|edit|merge|review)$/;

/** True if a redirection provides input; closing the input or `/dev/null` does not. */
export function feedsInput(redirect: RedirectNode): boolean {
  if (redirect.type !== 'Redirect') return true;
  if (!redirect.operator.startsWith('<') || redirect.target === undefined)
    return redirect.operator.startsWith('<');
  const [target, another] = wordsFrom(redirect.target).map(literalOf);
  return another !== undefined || (target !== '/dev/null' && target !== '-');
}

/** True if a shell gets literal text as its script, which is judged like the rest of the line. */
export function isJudgedInside(command: SimpleCommand, redirects: readonly RedirectNode[]): boolean {
  const name = baseName(command.words[0]) ?? '';
  const options = command.words.slice(1).map((word) => literalOf(word) ?? 'unknown');
  return (
    shells.has(name) &&
    !command.expandsInput &&
    options.every((option) => /^-[a-bd-z]+$/.test(option)) &&
    redirects.filter(feedsInput).every((one) => one.type !== 'Redirect' && one.descriptor === undefined)
  );
}

/** True if a command may run its input as a program or follow it in another way. */
export function interpretsInput(command: SimpleCommand, fedBy: 'pipe' | 'text'): boolean {
  const { runs } = command;
  const name = baseName(command.words[0]);
  if (name === undefined) return command.words.length > 0;
  const given = command.words.slice(1).map((word) => literalOf(word) ?? word.text);
  if (dataReaders.has(name)) return false;
  if (programmed.has(name)) return given.some((text) => namesProgramFile.test(text));
  // The script after `-c` is judged separately, with the same input.
  if (shells.has(name)) return !given.some((text) => /^-[abd-z]*c[a-z]*$/.test(text));
  if (name === 'git') {
    const { subcommand } = gitArguments(command.words.slice(1));
    return !gitMessages.has(subcommand) && !Object.hasOwn(readOnlyGit, subcommand);
  }
  if (fedBy === 'pipe' && taskRunners.has(name)) return !/^(?:run|run-script|test)$/.test(given[0] ?? '');
  if (name === 'gh') return !hubMessages.test(given.slice(0, 2).join(' '));
  // Commands run by xargs have no input, unless the arguments come from a file.
  if (name === 'xargs' && !given.some((text) => /^-[A-Za-z0-9]*a|^--arg/.test(text))) return false;
  if (!Object.hasOwn(wrappers, name)) return true;
  return runs.length === 0
    ? wrappers[name]?.transparent !== 'always'
    : runs.some((one) => interpretsInput(one, fedBy));
}
