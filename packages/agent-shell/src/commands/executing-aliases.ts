import { wordList } from '../read-only/read-only-spec.ts';

const otherNames: Readonly<Record<string, string>> = {
  test: '[',
  tar: 'bsdtar gtar',
  gcc: 'c++ cc clang clang++ g++',
  vim: 'ex mvim nvim vi view vimdiff',
  fd: 'fdfind',
  awk: 'gawk mawk nawk',
  magick: 'composite convert identify mogrify montage',
  make: 'gmake',
  gradle: 'gradlew',
  sed: 'gsed',
  eslint: 'jest mocha prettier stylelint vitest',
  mysql: 'mariadb',
  nc: 'ncat netcat',
  pip: 'pip3',
  docker: 'podman',
  mapfile: 'readarray',
  scp: 'sftp',
  rustc: 'clippy-driver rustdoc',
  sqlite3: 'duckdb',
  pdflatex: 'xelatex',
};

/** Programs that take the place of others in the table. */
export const executingAliases: ReadonlyMap<string, string> = new Map(
  Object.entries(otherNames).flatMap(([name, words]) => wordList(words).map((word) => [word, name] as const)),
);
