import { type ReadOnlySpec, wordList } from './read-only-spec.ts';

const changes =
  '--stat[= --shortstat --numstat --name-only --name-status --patch --no-patch --raw --summary --no-color ' +
  '--color[= --word-diff[= --check --quiet --exit-code --ignore-all-space --ignore-space-change ' +
  '--no-ext-diff --no-textconv --minimal --patience --histogram --function-context --full-index --binary ' +
  '--text --no-renames --find-renames[= --relative[= --diff-filter= --unified[= --abbrev[= --merge-base ' +
  '--cached --staged';
const commits =
  '--oneline --graph --all --decorate[= --no-decorate --follow --merges --no-merges --first-parent --reverse ' +
  '--abbrev-commit --branches[= --tags[= --remotes[= --topo-order --date-order --left-right --since= --until= ' +
  '--after= --before= --author= --committer= --grep= --format[= --pretty[= --date= --max-count= --skip=';
const both = wordList(`${changes} ${commits}`);
const log: ReadOnlySpec = {
  flags: 'abcgimpqstuwzRW',
  values: 'SGL',
  numbers: 'n',
  attached: 'UBCM',
  long: both,
  operands: 'files',
};

/** Read-only subcommands of git, with their second word if needed. */
export const readOnlyGit: Readonly<Record<string, ReadOnlySpec>> = {
  blame: {
    flags: 'bceflnpstw',
    values: 'L',
    attached: 'CM',
    long: wordList('--porcelain --line-porcelain --show-email --root'),
    operands: 'files',
  },
  branch: {
    flags: 'arv',
    long: wordList(
      '--all --remotes --list --show-current --verbose --merged[= --no-merged[= --contains[= --no-contains[= ' +
        '--points-at[= --sort= --format= --color[= --no-color',
    ),
    operands: 'files',
    // With any of these it lists, whatever the other arguments.
    operandsNeed: wordList('--list --merged --no-merged --contains --no-contains --points-at'),
  },
  'cat-file': { flags: 'epts', operands: 'files' },
  'check-ignore': { flags: 'qvn', long: wordList('--quiet --verbose --non-matching'), operands: 'files' },
  config: { long: wordList('--get --get-all'), operands: 'text', check: 'config' },
  'count-objects': { flags: 'vH', long: ['--verbose', '--human-readable'], operands: 'none' },
  describe: {
    long: wordList('--tags --all --always --long --dirty[= --exact-match --abbrev[= --match='),
    operands: 'files',
  },
  diff: { flags: 'abpuwzDRWs', values: 'SG', attached: 'UBCM', long: both, operands: 'files' },
  'diff-tree': {
    flags: 'abcmprstuwzRW',
    values: 'SG',
    attached: 'UBCM',
    long: [...both, '--no-commit-id', '--root'],
    operands: 'files',
  },
  'for-each-ref': {
    long: wordList('--format= --sort= --count= --merged[= --contains[='),
    operands: 'files',
  },
  grep: {
    flags: 'acEFGhHIilLnPpqvwWz',
    values: 'e',
    numbers: 'ABCm',
    long: wordList(
      '--text --ignore-case --invert-match --word-regexp --extended-regexp --basic-regexp --perl-regexp ' +
        '--fixed-strings --line-number --column --files-with-matches --name-only --files-without-match ' +
        '--count --only-matching --color[= --no-color --break --heading --show-function --function-context ' +
        '--cached --untracked --and --or --not --all-match --quiet --full-name --max-depth=',
    ),
    operands: 'pattern',
    patternOptions: ['-e'],
  },
  log,
  'ls-files': {
    flags: 'cdmoistuvz',
    long: wordList(
      '--cached --deleted --modified --others --ignored --stage --exclude-standard --full-name --error-unmatch',
    ),
    operands: 'files',
  },
  'ls-tree': {
    flags: 'drltz',
    long: wordList('--name-only --name-status --full-tree --full-name --long'),
    operands: 'files',
  },
  'merge-base': {
    flags: 'a',
    long: wordList('--all --is-ancestor --fork-point --octopus'),
    operands: 'files',
  },
  'name-rev': { long: wordList('--tags --all --name-only --always'), operands: 'files' },
  reflog: { ...log, operands: 'none' },
  'reflog show': log,
  remote: { flags: 'v', long: ['--verbose'], operands: 'none' },
  'remote get-url': { long: ['--all', '--push'], operands: 'text' },
  'rev-list': { ...log, values: 'SG', long: [...both, '--count', '--objects'] },
  'rev-parse': {
    flags: 'q',
    long: wordList(
      '--abbrev-ref[= --short[= --show-toplevel --verify --git-dir --is-inside-work-tree --show-prefix ' +
        '--quiet --show-cdup --symbolic-full-name',
    ),
    operands: 'files',
  },
  shortlog: {
    flags: 'nse',
    long: wordList('--numbered --summary --email --no-merges --all --since= --until='),
    operands: 'files',
  },
  show: { ...log, flags: 'abcmpqstuwzRW' },
  'stash list': {
    flags: 'p',
    long: wordList('--oneline --stat[= --patch --name-only --format[= --pretty[='),
    operands: 'none',
  },
  'stash show': { flags: 'pu', long: wordList(changes), operands: 'text', maximumOperands: 1 },
  status: {
    flags: 'bsvz',
    attached: 'u',
    long: wordList(
      '--short --branch --porcelain[= --long --verbose --show-stash --ignored[= --untracked-files[= ' +
        '--ahead-behind --no-renames',
    ),
    operands: 'files',
  },
  'submodule status': { long: ['--cached'], operands: 'none' },
  tag: {
    flags: 'l',
    attached: 'n',
    long: wordList(
      '--list --sort= --format= --contains[= --no-contains[= --merged[= --no-merged[= --points-at[=',
    ),
    operands: 'files',
    operandsNeed: wordList('-l --list --contains --no-contains --merged --no-merged --points-at'),
  },
  version: { operands: 'none' },
  'worktree list': { flags: 'v', long: ['--porcelain', '--verbose'], operands: 'none' },
};
