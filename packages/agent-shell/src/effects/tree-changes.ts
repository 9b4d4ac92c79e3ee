import { fileOperands } from '../commands/file-operands.ts';
import { gitArguments } from '../commands/git-operands.ts';
import { baseName } from '../commands/nested-runs.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord } from '../word/shell-word.ts';
import { wordSet } from '../word/word-set.ts';

/** Subcommands of git that write files of the working tree. */
export const gitChangers = wordSet(
  'am apply bisect checkout checkout-index cherry-pick clone init lfs merge mv pull read-tree rebase reset restore revert ' +
    'sparse-checkout stash submodule subtree switch unpack-file worktree',
);
/** Programs that unpack, download or copy files of any name. */
const unpackers = wordSet(
  '7z 7za 7zr ar aria2c bsdtar busybox cpio curl degit gh git-lfs glab hg http jar patch pax rclone rsync scp sftp svn tar unar unrar ' +
    'unzip wget',
);
/** Programs that copy whole trees, possibly with a repository inside. */
const copiers = wordSet('cp dd install ln mv rsync');
/** Files and folders that make git treat a directory as a repository. */
const repositoryNames = /(?:^|\/)(?:\.git|HEAD|config|commondir|gitdir|objects|packed-refs|refs)(?:\/|$)/;
/** Package managers. */
export const installers = wordSet('bun bundle cargo composer gem go npm npx pip pip3 pnpm poetry uv yarn');
/** Words that make a package manager write files. */
export const installing = /^(?:add|ci|clone|create|dlx|get|i|init|install|update|upgrade)$/;

/** True if a command may put files of any name into the working tree, judging by its name and arguments. */
export function changesTree(command: SimpleCommand): boolean {
  const name = baseName(command.words[0]) ?? '';
  const given = command.words.slice(1);
  if (name === 'git') {
    const { subcommand } = gitArguments(given);
    if (gitChangers.has(subcommand)) return true;
  }
  if (unpackers.has(name)) return true;
  if (installers.has(name) && given.some((word) => installing.test(literalOf(word) ?? ''))) return true;
  const isWritten = ({ kind, target }: SimpleCommand['redirections'][number]): boolean =>
    kind === 'write' && target !== undefined && !target.text.startsWith('/dev/');
  return (
    command.redirections.some(isWritten) ||
    fileOperands(command).some(({ kind }) => kind === 'write') ||
    innerRuns(command).some(changesTree)
  );
}

/** True if a command may change the configuration of the repository in whose root it runs. */
export function mayReplaceRepository(command: SimpleCommand): boolean {
  const name = baseName(command.words[0]) ?? '';
  return unpackers.has(name) || copiers.has(name) || innerRuns(command).some(mayReplaceRepository);
}

/**
 * True if a command may turn a directory into a repository: git itself can, by checking out a branch that contains one.
 */
export function mayPlantRepository(command: SimpleCommand): boolean {
  const name = baseName(command.words[0]) ?? '';
  if (mayReplaceRepository(command)) return true;
  if (name === 'git' && gitChangers.has(gitArguments(command.words.slice(1)).subcommand)) return true;
  const targets = [
    ...command.redirections.flatMap(({ kind, target }) => (kind === 'write' && target ? [target] : [])),
    ...fileOperands(command).flatMap(({ kind, word }) => (kind === 'write' ? [word] : [])),
  ];
  const mayBePart = (target: ShellWord) => repositoryNames.test(literalOf(target) ?? 'config');
  return targets.some(mayBePart) || innerRuns(command).some(mayPlantRepository);
}

function innerRuns(command: SimpleCommand): readonly SimpleCommand[] {
  return [...command.runs, ...(command.reaches ?? [])];
}
