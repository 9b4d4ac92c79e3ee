import { type ReadOnlySpec, wordList } from './read-only-spec.ts';

/** A command that prints file contents, whatever its options. */
const reader = (flags: string, more: Partial<ReadOnlySpec> = {}): ReadOnlySpec => ({
  flags,
  operands: 'files',
  startingGlobs: true,
  ...more,
});
const speaker: ReadOnlySpec = { operands: 'free' };
const searcher: ReadOnlySpec = {
  flags: 'EFGPiywxzsvVbnHhoqaIrLlcTZU',
  values: 'edD',
  numbers: 'ABCm',
  long: wordList(
    '--extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --ignore-case --no-ignore-case ' +
      '--word-regexp --line-regexp --null-data --no-messages --invert-match --version --help --max-count= ' +
      '--byte-offset --line-number --line-buffered --with-filename --no-filename --label= --only-matching ' +
      '--quiet --silent --binary-files= --text --directories= --devices= --recursive --include= --exclude= ' +
      '--exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null ' +
      '--before-context= --after-context= --context= --group-separator= --no-group-separator --color[= ' +
      '--colour[= --binary',
  ),
  operands: 'pattern',
  patternOptions: ['-e', '--regexp'],
  startingGlobs: true,
};
// Not `--check`, which reads the files that a list names.
const checksum = reader('btz', { long: wordList('--binary --tag --text --zero') });
const pager: ReadOnlySpec = { flags: 'EFMNRSXein', operands: 'files', check: 'pager' };

/** Programs that only print their version if `--version` is the only argument. */
export const versionPrinters: ReadonlySet<string> = new Set(
  wordList('bash clang cmake docker g++ gcc git make node npm npx perl php pip pip3 python python3 ruby tsc'),
);

/** Commands that run without asking if their arguments match these descriptions. */
export const readOnlyCommands: Readonly<Record<string, ReadOnlySpec>> = {
  ':': speaker,
  '[': { ...speaker, check: 'test' },
  arch: { operands: 'none' },
  awk: { values: 'Fv', operands: 'pattern', check: 'awk' },
  b2sum: { ...checksum, numbers: 'l' },
  base64: {
    flags: 'dDi',
    numbers: 'w',
    long: wordList('--decode --ignore-garbage --wrap='),
    operands: 'files',
  },
  basename: speaker,
  cat: reader('AbeEnstTuv', {
    long: wordList(
      '--show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting',
    ),
  }),
  cksum: reader('z', { values: 'a', numbers: 'l', long: wordList('--algorithm= --zero --tag') }),
  cmp: reader('bls', {
    values: 'i',
    numbers: 'n',
    long: wordList('--print-bytes --verbose --quiet --silent --bytes= --ignore-initial='),
  }),
  column: {
    flags: 'tedLJx',
    values: 'nONEHRTWripos',
    numbers: 'lc',
    long: wordList('--table --json --fillrows --separator= --output-separator= --table-columns='),
    operands: 'files',
  },
  comm: reader('123z', {
    long: wordList('--check-order --nocheck-order --output-delimiter= --total --zero-terminated'),
  }),
  cut: reader('nsz', {
    values: 'bcdf',
    long: wordList(
      '--bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= ' +
        '--zero-terminated',
    ),
  }),
  date: {
    flags: 'uR',
    values: 'd',
    attached: 'I',
    long: wordList('--utc --universal --rfc-email --iso-8601[= --rfc-3339= --date='),
    operands: 'text',
    check: 'date',
  },
  df: reader('ahHiklPTv', {
    values: 'Btx',
    long: wordList(
      '--all --block-size= --human-readable --si --inodes --local --portability --total --print-type',
    ),
  }),
  diff: reader('abBcdeEiNnpqrstTuwyZ', {
    values: 'FIx',
    numbers: 'CUW',
    long: wordList(
      '--normal --brief --report-identical-files --context[= --unified[= --ed --rcs --side-by-side --width= ' +
        '--left-column --suppress-common-lines --show-c-function --label= --expand-tabs --initial-tab ' +
        '--recursive --no-dereference --new-file --exclude= --ignore-case --ignore-tab-expansion ' +
        '--ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines ' +
        '--ignore-matching-lines= --text --strip-trailing-cr --minimal --color[=',
    ),
  }),
  dirname: speaker,
  du: reader('0abchHDklmPSsx', {
    values: 'Bt',
    numbers: 'd',
    long: wordList(
      '--null --all --apparent-size --block-size= --bytes --total --max-depth= --human-readable --inodes ' +
        '--count-links --no-dereference --separate-dirs --si --summarize --threshold= --time[= --time-style= ' +
        '--exclude= --one-file-system',
    ),
  }),
  echo: speaker,
  egrep: searcher,
  expand: reader('i', { values: 't', long: wordList('--initial --tabs=') }),
  expr: speaker,
  false: speaker,
  fgrep: searcher,
  file: {
    flags: 'bhiLN0kr',
    long: wordList('--brief --mime --mime-type --mime-encoding --dereference --extension --keep-going --raw'),
    operands: 'files',
  },
  find: {
    words: {
      ...counted(
        0,
        '-a -and -not -o -or -true -false -daystart -depth -empty -executable -ls -mount -noleaf -nogroup ' +
          '-nouser -print -print0 -prune -quit -readable -writable -xdev -E -H -P -X',
      ),
      ...counted(
        1,
        '-amin -atime -cmin -ctime -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname ' +
          '-maxdepth -mindepth -mmin -mtime -name -newer -newermt -path -perm -printf -regex -regextype ' +
          '-size -type -user -wholename -xtype',
      ),
    },
    fileWords: ['-newer'],
    operands: 'files',
  },
  fmt: reader('cstu', {
    values: 'p',
    numbers: 'wg',
    long: wordList('--width= --goal= --prefix= --split-only'),
  }),
  fold: reader('bs', { numbers: 'w', long: wordList('--bytes --spaces --width=') }),
  grep: searcher,
  groups: speaker,
  head: reader('qvz', {
    numbers: 'cn',
    long: wordList('--bytes= --lines= --quiet --silent --verbose --zero-terminated'),
  }),
  hexdump: reader('bcCdoxv', { values: 'e', numbers: 'ns', long: wordList('--canonical --no-squeezing') }),
  hostname: { operands: 'none' },
  id: speaker,
  join: reader('iz', {
    values: 'eot',
    numbers: 'ajv12',
    long: wordList('--ignore-case --check-order --nocheck-order --header --zero-terminated'),
  }),
  jq: {
    flags: 'CMSacejnrRs',
    words: { ...counted(1, '--indent'), ...counted(2, '--arg --argjson') },
    long: wordList(
      '--raw-output --compact-output --sort-keys --slurp --exit-status --null-input --raw-input --join-output ' +
        '--ascii-output --color-output --monochrome-output --tab',
    ),
    operands: 'pattern',
    check: 'jq',
  },
  less: pager,
  ls: reader('aAbBcCdDfFgGhHiklmnNopqQrRsStuUvxXZ1', {
    values: 'I',
    numbers: 'Tw',
    long: wordList(
      '--all --almost-all --author --escape --block-size= --ignore-backups --color[= --directory ' +
        '--classify[= --file-type --format= --full-time --group-directories-first --no-group ' +
        '--human-readable --si --hide= --hyperlink[= --indicator-style= --inode --ignore= --kibibytes ' +
        '--numeric-uid-gid --literal --quote-name --quoting-style= --reverse --recursive ' +
        '--size --sort= --time= --time-style= --tabsize= --width= --zero',
    ),
  }),
  man: { operands: 'text', check: 'page' },
  md5sum: checksum,
  more: pager,
  nl: reader('p', {
    values: 'bdfhns',
    numbers: 'ilvw',
    long: wordList('--body-numbering= --number-format= --number-separator= --number-width= --no-renumber'),
  }),
  nproc: { long: ['--all', '--ignore='], operands: 'none' },
  npm: {
    flags: 'al',
    long: wordList('--all --json --long --parseable --depth='),
    operands: 'text',
    reading: ['ls', 'list'],
    check: 'packages',
  },
  od: reader('abcdfilosxv', {
    values: 'At',
    numbers: 'jNS',
    attached: 'w',
    long: wordList('--address-radix= --skip-bytes= --read-bytes= --format= --output-duplicates --width[='),
  }),
  paste: reader('sz', { values: 'd', long: wordList('--delimiters= --serial --zero-terminated') }),
  printf: { ...speaker, check: 'text' },
  ps: { flags: 'Aef', values: 'o', words: { '-aux': 0 }, operands: 'text', check: 'processes' },
  pwd: { flags: 'LP', operands: 'none' },
  readlink: reader('femnqsvz', {
    long: wordList(
      '--canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --zero',
    ),
  }),
  realpath: reader('emLPqsz', {
    long: wordList(
      '--canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero',
    ),
  }),
  rev: reader(''),
  rg: {
    flags: 'abcFHhIilNnoPpqSsUuVvwx0.',
    values: 'ETegrt',
    numbers: 'ABCMdjm',
    long: wordList(
      '--files --files-with-matches --files-without-match --fixed-strings --hidden --ignore-case ' +
        '--invert-match --json --line-number --line-regexp --multiline --multiline-dotall --no-heading ' +
        '--no-ignore --no-ignore-vcs --no-line-number --no-messages --no-filename --only-matching --passthru ' +
        '--pcre2 --pretty --smart-case --case-sensitive --stats --text --trim --type-list --vimgrep ' +
        '--with-filename --word-regexp --count --count-matches --column --heading --null --quiet ' +
        '--byte-offset --version --no-config --color= --colors= --glob= --iglob= --type= --type-not= ' +
        '--max-count= --max-depth= --max-columns= --max-filesize= --sort= --sortr= --context= ' +
        '--after-context= --before-context= --replace= --threads= --regexp=',
    ),
    operands: 'pattern',
    patternOptions: wordList('-e --regexp --files --type-list'),
  },
  sed: {
    flags: 'nErsuz',
    values: 'e',
    long: wordList('--quiet --silent --regexp-extended --posix --expression='),
    operands: 'pattern',
    patternOptions: ['-e', '--expression'],
    check: 'sed',
  },
  seq: speaker,
  sha1sum: checksum,
  sha224sum: checksum,
  sha256sum: checksum,
  sha384sum: checksum,
  sha512sum: checksum,
  sleep: speaker,
  sort: {
    flags: 'bCcdfghiMmnRrsuVz',
    values: 'kt',
    long: wordList(
      '--reverse --unique --numeric-sort --ignore-case --human-numeric-sort --version-sort --stable --check[= ' +
        '--general-numeric-sort --ignore-leading-blanks --merge --zero-terminated --key= --field-separator= ' +
        '--sort=',
    ),
    operands: 'files',
  },
  stat: reader('Lftx', {
    values: 'c',
    long: wordList('--dereference --file-system --format= --printf= --terse'),
  }),
  // `@list` names a file with more operands, even if a glob matches it.
  strings: {
    flags: 'adfow',
    values: 'tse',
    numbers: 'n',
    long: wordList('--all --data --print-file-name --bytes= --radix= --encoding='),
    operands: 'files',
    check: 'listless',
  },
  tac: reader('br', { values: 's', long: wordList('--before --regex --separator=') }),
  tail: reader('fFqvzr', {
    numbers: 'cns',
    long: wordList('--bytes= --follow[= --lines= --quiet --silent --retry --verbose --zero-terminated'),
  }),
  tar: { operands: 'archive', check: 'archive' },
  tee: { flags: 'a', operands: 'text', check: 'devices' },
  test: { ...speaker, check: 'test' },
  tr: speaker,
  tree: {
    flags: 'aACcDdfFghiJnNpqQrsStuUvx',
    values: 'IP',
    numbers: 'L',
    separate: true,
    long: wordList(
      '--dirsfirst --filesfirst --noreport --gitignore --prune --du --si --ignore-case --matchdirs --inodes ' +
        '--filelimit= --charset= --sort=',
    ),
    operands: 'files',
  },
  true: speaker,
  tty: { flags: 's', operands: 'none' },
  type: speaker,
  uname: {
    flags: 'asnrvmpio',
    long: wordList('--all --kernel-name --nodename --kernel-release --kernel-version --machine'),
    operands: 'none',
  },
  unexpand: reader('a', { values: 't', long: wordList('--all --first-only --tabs=') }),
  uniq: {
    flags: 'cdDiuz',
    numbers: 'fsw',
    long: wordList(
      '--count --repeated --all-repeated[= --skip-fields= --group[= --ignore-case --skip-chars= --unique ' +
        '--zero-terminated --check-chars=',
    ),
    operands: 'files',
    maximumOperands: 1,
  },
  unzip: { operands: 'archive', check: 'zip' },
  wc: reader('cmlLw', { long: wordList('--bytes --chars --lines --max-line-length --words') }),
  which: speaker,
  whoami: { operands: 'none' },
  xxd: {
    words: { ...counted(0, '-a -b -C -d -e -E -i -p -ps -u'), ...counted(1, '-c -g -l -s') },
    numbers: 'cgls',
    operands: 'files',
    maximumOperands: 1,
  },
  zcat: { operands: 'files' },
};

function counted(count: number, names: string): Record<string, number> {
  return Object.fromEntries(wordList(names).map((name) => [name, count]));
}
