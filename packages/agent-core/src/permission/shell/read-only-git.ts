import { list, type ReadOnlySpec } from './read-only-commands.ts';

const history = list(
  '--oneline --graph --all --decorate --no-decorate --stat --shortstat --numstat --name-only ' +
    '--name-status --patch --no-patch --raw --summary --follow --merges --no-merges --first-parent ' +
    '--reverse --cached --staged --abbrev-commit --no-color --color --word-diff --check --quiet ' +
    '--exit-code --ignore-all-space --ignore-space-change --no-ext-diff --no-textconv --minimal ' +
    '--patience --histogram --function-context --full-index --binary --text --branches --tags --remotes ' +
    '--topo-order --date-order --left-right --merge-base --no-renames --find-renames --relative --since= ' +
    '--until= --after= --before= --author= --committer= --grep= --format= --pretty= --pretty --date= ' +
    '--max-count= --skip= --diff-filter= --unified= --color= --stat= --abbrev= --decorate= --word-diff=',
);

/** Subcommands of git that only read, with the options that keep them so. */
export const readOnlyGit: Readonly<Record<string, ReadOnlySpec>> = {
  blame: {
    options: list('--porcelain --line-porcelain --show-email --root'),
    letters: 'bcefllnstwCM',
    valued: ['-L'],
    operands: 'text',
  },
  branch: {
    options: list(
      '--all --remotes --list --show-current --verbose --merged --no-merged --sort= --format= --no-color',
    ),
    letters: 'arv',
    operands: 'none',
  },
  'cat-file': { options: [], letters: 'epts', operands: 'text' },
  'count-objects': { options: ['--verbose', '--human-readable'], letters: 'vH', operands: 'none' },
  describe: {
    options: list('--tags --all --always --long --dirty --exact-match --abbrev= --match='),
    operands: 'text',
  },
  diff: { options: history, letters: 'abpuwzBCDMRWs', valued: ['-U', '-S', '-G'], operands: 'text' },
  'for-each-ref': {
    options: list('--format= --sort= --count= --merged --contains'),
    operands: 'text',
  },
  log: {
    options: history,
    letters: 'abcgimpqstuwz',
    valued: list('-n -U -S -G -L --author --grep --since --until --format --max-count'),
    operands: 'text',
  },
  'ls-files': {
    options: list(
      '--cached --deleted --modified --others --ignored --stage --exclude-standard --full-name ' +
        '--error-unmatch',
    ),
    letters: 'cdmoistuvz',
    operands: 'text',
  },
  'ls-tree': {
    options: list('--name-only --name-status --full-tree --full-name --long'),
    letters: 'drltz',
    operands: 'text',
  },
  'merge-base': {
    options: list('--all --is-ancestor --fork-point --octopus'),
    letters: 'a',
    operands: 'text',
  },
  'name-rev': { options: list('--tags --all --name-only --always'), operands: 'text' },
  'rev-list': {
    options: [...history, '--count', '--objects'],
    letters: 'z',
    valued: ['-n', '--max-count'],
    operands: 'text',
  },
  'rev-parse': {
    options: list(
      '--abbrev-ref --short --short= --show-toplevel --verify --git-dir --is-inside-work-tree --show-prefix ' +
        '--quiet --show-cdup --symbolic-full-name',
    ),
    letters: 'q',
    operands: 'text',
  },
  shortlog: {
    options: list('--numbered --summary --email --no-merges --all --since= --until='),
    letters: 'nse',
    operands: 'text',
  },
  show: { options: history, letters: 'abpqswz', valued: ['-U', '--format'], operands: 'text' },
  status: {
    options: list(
      '--short --branch --porcelain --porcelain= --long --verbose --show-stash --ignored --untracked-files= ' +
        '--ahead-behind --no-renames --untracked-files',
    ),
    letters: 'bsvz',
    operands: 'text',
  },
};

/** Subcommands that read only with one of these words behind them, and how many operands may follow it. */
export const readOnlyGitActions: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  reflog: { show: 1 },
  remote: { '--verbose': 0, '-v': 0, 'get-url': 1 },
  stash: { list: 0 },
  tag: { '--list': 1, '-l': 1 },
  worktree: { list: 0 },
};
