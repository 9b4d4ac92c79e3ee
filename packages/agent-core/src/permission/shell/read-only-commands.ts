/** Which uses of a command only read. */
export interface ReadOnlySpec {
  /** `any` where no option of the command writes or runs anything; else the options that keep it read-only. */
  readonly options: 'any' | readonly string[];
  /** Letters that may stand together behind one dash, where `options` is a list. */
  readonly letters?: string;
  /** Options that take the next word, or what follows in the same word, as a value that is not a file. */
  readonly valued?: readonly string[];
  /** What the operands are: files, text, a pattern and then files, or nothing. */
  readonly operands: 'files' | 'text' | 'pattern' | 'none';
  readonly maximumOperands?: number;
  /** Options that give the pattern or make it needless, so that every operand is a file: a letter, and long ones. */
  readonly patternOptions?: { readonly letter?: string; readonly long: readonly string[] };
  /** A further condition by name; see `read-only-checks.ts`. */
  readonly check?: 'awk' | 'date' | 'jq' | 'page' | 'processes' | 'sed' | 'test' | 'text';
  /** Where `options` is `any`: letters and long options that are refused all the same. */
  readonly refused?: { readonly letter: string; readonly long: string };
}

/** The words of a text, to keep long lists readable. */
export function list(text: string): readonly string[] {
  return text.split(' ');
}

const reader: ReadOnlySpec = { options: 'any', operands: 'files' };
const speaker: ReadOnlySpec = { options: 'any', operands: 'text' };
const searcher: ReadOnlySpec = {
  options: 'any',
  valued: list('-A -B -C -m -d -D --include --exclude --exclude-dir --color --max-count'),
  operands: 'pattern',
  patternOptions: { letter: 'e', long: ['--regexp'] },
  refused: { letter: 'f', long: '--file' },
};
const pager: ReadOnlySpec = { options: [], letters: 'EFMNRSXein', operands: 'files' };

/** Commands that run without asking, as long as what they are given stays within these descriptions. */
export const readOnlyCommands: Readonly<Record<string, ReadOnlySpec>> = {
  ':': speaker,
  '[': { ...speaker, check: 'test' },
  arch: { options: 'any', operands: 'none' },
  awk: { options: [], valued: ['-F'], operands: 'pattern', check: 'awk' },
  b2sum: reader,
  base64: { options: ['--decode', '--ignore-garbage'], letters: 'dDi', valued: ['-w'], operands: 'files' },
  basename: speaker,
  cat: reader,
  cksum: reader,
  cmp: reader,
  comm: reader,
  cut: { options: 'any', valued: list('-d -f -c -b'), operands: 'files' },
  date: {
    options: list('--utc --universal --rfc-email --iso-8601 --iso-8601= --rfc-3339='),
    letters: 'uRI',
    valued: ['-d', '--date'],
    operands: 'text',
    check: 'date',
  },
  df: reader,
  diff: reader,
  dirname: speaker,
  du: reader,
  echo: speaker,
  egrep: searcher,
  expand: reader,
  expr: speaker,
  false: speaker,
  fgrep: searcher,
  file: {
    options: list('--brief --mime --mime-type --mime-encoding --dereference'),
    letters: 'bhiLN0',
    operands: 'files',
  },
  find: {
    options: list(
      '-a -and -not -o -or -true -false -daystart -depth -empty -executable -follow -ls -mount -noleaf ' +
        '-nogroup -nouser -print -print0 -prune -quit -readable -writable -xdev -E -H -L -P -X',
    ),
    valued: list(
      '-amin -atime -cmin -ctime -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname ' +
        '-maxdepth -mindepth -mmin -mtime -name -path -perm -printf -regex -regextype -size -type -user ' +
        '-wholename -xtype -newermt',
    ),
    operands: 'files',
  },
  fmt: reader,
  fold: reader,
  grep: searcher,
  groups: speaker,
  head: reader,
  hexdump: reader,
  hostname: { options: [], operands: 'none' },
  id: speaker,
  join: reader,
  jq: {
    options: list('--raw-output --compact-output --sort-keys --slurp --exit-status'),
    letters: 'CMSacejrs',
    operands: 'pattern',
    check: 'jq',
  },
  less: pager,
  ls: reader,
  man: { options: [], operands: 'text', check: 'page' },
  md5sum: reader,
  more: pager,
  nl: reader,
  nproc: { options: 'any', operands: 'none' },
  od: reader,
  paste: reader,
  printf: { options: [], operands: 'text', check: 'text' },
  ps: { options: list('-ef -A -e -aux'), operands: 'text', check: 'processes' },
  pwd: { options: 'any', operands: 'none' },
  readlink: reader,
  realpath: reader,
  rev: reader,
  rg: {
    options: list(
      '--files --files-with-matches --files-without-match --fixed-strings --hidden --ignore-case ' +
        '--invert-match --json --line-number --multiline --no-heading --no-ignore --no-line-number ' +
        '--no-filename --only-matching --pcre2 --smart-case --stats --trim --type-list --vimgrep ' +
        '--with-filename --word-regexp --count --count-matches --column --heading --null --quiet --color= ' +
        '--colors= --glob= --type= --type-not= --max-count= --max-depth= --sort= --context=',
    ),
    letters: 'cFHIiLlNnoPpqSsUuvwx0.',
    valued: list(
      '-A -B -C -M -T -d -g -m -r -t --glob --iglob --type --max-count --max-depth --sort --color',
    ),
    operands: 'pattern',
    patternOptions: { long: ['--files', '--type-list'] },
  },
  sed: {
    options: list('--quiet --silent --regexp-extended --posix'),
    letters: 'nErsuz',
    operands: 'pattern',
    check: 'sed',
  },
  seq: speaker,
  sha1sum: reader,
  sha224sum: reader,
  sha256sum: reader,
  sha384sum: reader,
  sha512sum: reader,
  sleep: speaker,
  sort: {
    options: list(
      '--reverse --unique --numeric-sort --ignore-case --human-numeric-sort --version-sort --stable --check',
    ),
    letters: 'bCcdfghiMmnRrsuVz',
    valued: list('-k -t --key --field-separator'),
    operands: 'files',
  },
  stat: { options: 'any', valued: ['-c', '-f', '--format'], operands: 'files' },
  strings: reader,
  tac: reader,
  tail: reader,
  test: { ...speaker, check: 'test' },
  tr: speaker,
  tree: {
    options: list('--dirsfirst --noreport --gitignore --prune --du --si --ignore-case --matchdirs'),
    letters: 'aACDdfFghinpQrsStuU',
    valued: list('-I -L -P --filelimit --charset'),
    operands: 'files',
  },
  true: speaker,
  tty: { options: 'any', operands: 'none' },
  type: speaker,
  uname: { options: 'any', operands: 'none' },
  unexpand: reader,
  uniq: { options: 'any', operands: 'files', maximumOperands: 1 },
  wc: reader,
  which: speaker,
  whoami: { options: 'any', operands: 'none' },
  xxd: {
    options: [],
    letters: 'abCcdeEgipu',
    valued: list('-c -g -l -s'),
    operands: 'files',
    maximumOperands: 1,
  },
};
