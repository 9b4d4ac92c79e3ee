import { isReadingAwkProgram } from '../read-only/read-only-awk.ts';
import { wordList } from '../read-only/read-only-spec.ts';
import { isHarmlessVariable } from '../word/harmless-variables.ts';

/** The arguments by which a command runs another program, uses another directory or file, or deletes what it finds. */
export interface ExecutingSpec {
  /** Abbreviated long options count, and short ones with an attached value. */
  readonly options?: readonly string[];
  /** Options that matter only if their value is outside the current directory. */
  readonly elsewhere?: readonly string[];
  /** Option letters, anywhere after one dash. */
  readonly letters?: string;
  /** True if a word matters because of its content. */
  readonly word?: (text: string, index: number, next: string | undefined) => boolean;
  /** A variable may contain an option, so every unknown word counts. */
  readonly isOpen?: true;
}

const awk: ExecutingSpec = {
  options: wordList(
    '-f -i -l -o -d -p -D -E --file --include --load --pretty-print --dump-variables --profile --debug --exec',
  ),
  word: (text) => !text.startsWith('-') && !isReadingAwkProgram(text),
};
const editor: ExecutingSpec = {
  options: wordList('-c --cmd -S -s -u -U -i -w -W -l --listen --server --remote -q -t --startuptime'),
  word: (text) => text.startsWith('+'),
};
const container: ExecutingSpec = {
  options: wordList(
    '-v --volume --volumes-from --mount --privileged --cap-add --device --device-cgroup-rule --security-opt --pid --ipc --uts ' +
      '--userns --cgroupns --cgroup-parent --network --net --env-file -H --host --context --config --tlscacert --ssh --secret ' +
      '--build-context --allow --output --group-add --runtime --gpus --connection --url --identity --hooks-dir',
  ),
  elsewhere: wordList('-f --file --project-directory'),
};
/** Shell builtins that evaluate subscripts in names and run what those contain. */
const naming: ExecutingSpec = { word: (text) => /[[`]|\$\(/.test(text) };
const setting: ExecutingSpec = { word: (text) => setsVariable(text) || /[[`]|\$\(/.test(text) };
const remoteShell: ExecutingSpec = {
  options: wordList('-o -F -S -D -I -J -E -b -W -w'),
  letters: 'oFSDIJEbWw',
  isOpen: true,
};
const compiler: ExecutingSpec = {
  options: wordList(
    '-B -wrapper -specs --specs -fplugin -fplugin-arg -Xclang -load -fpass-plugin -fuse-ld --ld-path -include -Xlinker -iplugindir',
  ),
  word: (text) => /^@|^-Wl,|^-f(?:plugin|pass-plugin|use-ld)|^--?specs=/.test(text),
};
const hub: ExecutingSpec = {
  word: (text, index) =>
    index === 0 && /^(?:alias|auth|codespace|config|cs|ext|extension|gpg-key|ssh-key)$/.test(text),
};
const multiplexer: ExecutingSpec = {
  options: wordList('-f -S -L -c -X'),
  word: (text) =>
    /\s|^(?:run|if|source|new|neww|splitw|send|popup|bind|set-hook|pipe-pane|respawn|split|display-popup)(?:-\w+)*$/.test(
      text,
    ),
};
const javascriptTests = wordList(
  '-c --config --require -r --import --loader --plugin --rulesdir --parser --resolve-plugins-relative-to --format -f --formatter ' +
    '--reporter --reporters -R --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner --runner ' +
    '--transform --resolver --testEnvironment --environment --watchPlugins --root --rootDir --ui --opts --pool --execArgv',
);
const nodePackages = wordList(
  '--registry --script-shell --node-options --shell --editor --viewer --git --init-module --globalconfig --browser --call -c --use-node-version --userconfig --pnpmfile --global-pnpmfile',
);

const otherNames: Readonly<Record<string, string>> = {
  test: '[',
  tar: 'bsdtar gtar',
  gcc: 'c++ cc clang clang++ g++',
  vim: 'ex mvim nvim vi view vimdiff',
  fd: 'fdfind',
  awk: 'gawk mawk nawk',
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
  pdflatex: 'xelatex',
};

/** Programs that take the place of others in the table. */
export const executingAliases: ReadonlyMap<string, string> = new Map(
  Object.entries(otherNames).flatMap(([name, words]) => wordList(words).map((word) => [word, name] as const)),
);

/** Options that execute code, by program. */
export const executingSpecs: Readonly<Record<string, ExecutingSpec>> = {
  ag: { options: ['--pager'] },
  ansible: {
    options: wordList(
      '-i --inventory -e --extra-vars -M --module-path -m --module-name -a --args --vault-password-file',
    ),
    letters: 'ieMma',
  },
  'ansible-playbook': {
    options: wordList('-i --inventory -e --extra-vars -M --module-path'),
    letters: 'ieM',
  },
  'apt-get': { options: wordList('-o --option -c --config-file'), letters: 'oc' },
  apt: { options: wordList('-o --option -c --config-file'), letters: 'oc' },
  aws: {
    options: wordList('--endpoint-url --cli-input-json --cli-input-yaml --no-verify-ssl --ca-bundle'),
    word: (text, index) => index === 0 && text === 'configure',
  },
  awk,
  bazel: {
    options: wordList(
      '--run_under --workspace_status_command --bazelrc --override_repository --shell_executable',
    ),
  },
  bun: {
    options: wordList('-r --preload --require --config -c --shell --env-file -e --eval -p --print'),
    elsewhere: ['--cwd'],
  },
  cargo: { options: wordList('--config -Z --index --registry'), elsewhere: wordList('-C --manifest-path') },
  cmake: {
    options: wordList('-P -E -C --toolchain --preset'),
    word: (text) => /^-D.*(?:COMPILER|LAUNCHER|COMMAND|TOOLCHAIN|PROGRAM|INCLUDE)/s.test(text),
  },
  composer: {
    options: wordList('-d --working-dir'),
    word: (text, index) => index === 0 && /^(?:exec|config|global)$/.test(text),
  },
  curl: {
    options: wordList(
      '-K --config --engine --netrc-file -E --cert --unix-socket --abstract-unix-socket -J --remote-header-name --variable',
    ),
    letters: 'KEJ',
    word: (text, _index, next) =>
      /%output\{|^--expand-|^-[A-Za-z]{0,20}w@|^--write-out=@/.test(text) ||
      (/^(?:-[A-Za-z]{0,20}w|--wri[a-z-]{0,9})$/.test(text) && /^@/.test(next ?? '@')),
    isOpen: true,
  },
  crontab: { word: (text) => text !== '-l' },
  declare: setting,
  deno: {
    options: wordList('-A --allow-all --allow-run --allow-ffi --config -c --import-map --preload --env-file'),
  },
  diff3: { options: ['--diff-program'] },
  docker: container,
  dotnet: {
    options: wordList(
      '--settings -s --additional-deps --additionalprobingpath --test-adapter-path --depsfile --runtimeconfig',
    ),
    word: (text) => /^[-/]{1,2}p(?:roperty)?:/i.test(text),
  },
  emacs: {
    options: wordList(
      '--eval -eval -l --load -load -f --funcall -funcall --script -script --execute -execute -x',
    ),
  },
  env: { word: setsVariable },
  eslint: { options: javascriptTests },
  export: setting,
  fd: { options: wordList('-x -X --exec --exec-batch'), letters: 'xX', isOpen: true },
  find: {
    options: wordList('-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from'),
    isOpen: true,
  },
  gcc: compiler,
  gcloud: { word: (text, index) => index === 0 && /^(?:auth|config)$/.test(text) },
  getopts: naming,
  gh: hub,
  glab: hub,
  git: {
    options: wordList(
      '-c --config-env --exec-path --git-dir --work-tree --namespace --attr-source --super-prefix --upload-pack --receive-pack ' +
        '--ext-diff --textconv --open-files-in-pager --exec --extcmd --sendmail-cmd --to-cmd --cc-cmd --header-cmd --smtp-server',
    ),
    elsewhere: ['-C'],
    word: (text) => /^(?:[a-z-]+=)?(?:ext|fd)::/.test(text),
  },
  go: {
    options: wordList(
      '-exec --exec -toolexec --toolexec -vettool --vettool -overlay --overlay -modfile --modfile -ldflags --ldflags -gcflags ' +
        '--gcflags -asmflags --asmflags -gccgoflags --gccgoflags -compiler --compiler -C -pkgdir -installsuffix',
    ),
    word: (text, index) => index === 0 && /^(?:env|generate|tool|run|install|get|work)$/.test(text),
  },
  gpg: {
    options: wordList(
      '--exec-path --photo-viewer --agent-program --dirmngr-program --homedir --options --keyserver',
    ),
  },
  gradle: {
    options: wordList('-I --init-script -b --build-file -c --settings-file -D -P --include-build'),
    elsewhere: wordList('-p --project-dir -g'),
  },
  helm: {
    options: wordList('--post-renderer --kubeconfig'),
    word: (text, index) => index === 0 && text === 'plugin',
  },
  hg: { options: wordList('--config -R --repository --cwd --rsh -e --ssh --remotecmd') },
  install: { options: wordList('--strip-program') },
  java: {
    options: wordList('-javaagent -agentlib -agentpath -XX:OnError -XX:OnOutOfMemoryError'),
    word: (text) => /^-(?:javaagent|agent|XX:On)|^@/.test(text),
  },
  kubectl: {
    options: wordList('--kubeconfig'),
    word: (text, index) => index === 0 && /^(?:config|plugin|edit|krew)$/.test(text),
  },
  launchctl: { word: (_, index) => index === 0 },
  less: {
    options: wordList('-k --lesskey-file --lesskey-src --lesskey-content -o -O --log-file --LOG-FILE'),
    letters: 'koO',
    word: (text) => text.startsWith('+'),
  },
  let: naming,
  local: setting,
  make: {
    options: wordList('--eval -E'),
    letters: 'E',
    elsewhere: wordList('-f --file --makefile -C --directory -I --include-dir'),
    word: (text) =>
      /^-f-?$|^--(?:file|makefile)=-$/.test(text) ||
      /^[^-=\s][^=\s]*?(?:[:?+!]|::)?=(?!(?:\d+|yes|no|true|false|on|off|)$)/s.test(text),
  },
  man: {
    options: wordList('-P --pager -H --html --preprocessor -C --config-file -M -T -p'),
    letters: 'PHCMTp',
    isOpen: true,
  },
  mapfile: { options: ['-C'], word: (text) => /[[`]|\$\(/.test(text) },
  mvn: {
    options: wordList('-f --file -s --settings -gs --global-settings -t'),
    word: (text) => /^-D(?:exec|maven\.ext|argLine|jvm|surefire)|^exec:|^org\.codehaus\.mojo:exec/.test(text),
  },
  mysql: {
    options: wordList(
      '-e --execute --init-command --pager --tee --plugin-dir --defaults-file --defaults-extra-file --init-file',
    ),
    isOpen: true,
  },
  nc: { options: wordList('-e -c --exec --sh-exec --lua-exec'), letters: 'ec' },
  npm: {
    options: nodePackages,
    elsewhere: wordList('--prefix -C'),
    word: (text, index) => index === 0 && /^(?:config|c|set|edit|explore)$/.test(text),
  },
  npx: { options: nodePackages },
  openssl: { options: wordList('-engine -provider -provider-path -config -dynamic') },
  pandoc: {
    options: wordList('-F --filter -L --lua-filter --pdf-engine --data-dir -d --defaults --template'),
  },
  pdflatex: {
    options: wordList('-shell-escape --shell-escape -enable-write18 --enable-write18 -shell-restricted'),
    word: (text) => text.includes('\\') || text.startsWith('|'),
  },
  phpunit: { options: wordList('--bootstrap -c --configuration --extension --printer') },
  pip: {
    options: wordList(
      '--python --config-settings --global-option --build-option --use-pep517 -i --index-url --extra-index-url -f --find-links ' +
        '--trusted-host --proxy',
    ),
    word: (text, index) => index === 0 && text === 'config',
  },
  pnpm: {
    options: nodePackages,
    elsewhere: wordList('-C --dir'),
    // `--config.script-shell=x` sets a setting.
    word: (text, index) => text.startsWith('--config.') || (index === 0 && /^(?:config|set|c)$/.test(text)),
  },
  printf: { word: (text, index) => index === 0 && text.startsWith('-v') },
  psql: {
    options: wordList('-c --command -f --file -o --output -L --log-file -v --set --variable'),
    letters: 'cfoLv',
    isOpen: true,
  },
  pytest: {
    options: wordList('-p -c --rootdir --confcutdir -o --override-ini --pdbcls --config-file'),
    letters: 'pco',
  },
  rake: {
    options: wordList(
      '-e -E -p -r --require -f --rakefile -R --libdir --execute --execute-print --execute-continue -I',
    ),
  },
  read: naming,
  readonly: setting,
  rg: { options: ['--pre', '--hostname-bin'], isOpen: true },
  rsync: {
    options: ['-e', '--rsh', '--rsync-path', '--config', '-M', '--remote-option'],
    letters: 'eM',
    isOpen: true,
  },
  sbt: {
    options: wordList('-J -D --addPluginSbtFile'),
    word: (text) => /^\s*(?:apply|eval|set)\s/.test(text),
  },
  scp: remoteShell,
  sdiff: { options: ['--diff-program', '-o', '--output'] },
  sed: {},
  socat: { word: (text) => /(?:EXEC|SYSTEM|SHELL):/i.test(text) },
  sort: { options: ['--compress-program', '--files0-from'], isOpen: true },
  split: { options: ['--filter'] },
  sqlite3: {
    options: wordList('-cmd -init'),
    word: (text) =>
      /\.(?:archive|backup|cd|clone|excel|import|load|log|once|open|output|read|save|shell|system|trace)|load_extension|writefile|edit\(|attach|vacuum\s+into/i.test(
        text,
      ),
  },
  ssh: remoteShell,
  svn: {
    options: wordList('--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd --merge-cmd'),
    word: (text) => text.startsWith('svn+'),
  },
  systemctl: {
    word: (text, index) =>
      index === 0 && /^(?:edit|enable|import-environment|link|set-environment)$/.test(text),
  },
  tar: {
    options: wordList(
      '-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script ' +
        '--rsh-command --rmt-command -T --files-from -P --absolute-names',
    ),
    letters: 'IFTP',
    word: (text, index) => index === 0 && /^[A-Za-z]*[IFTP]/.test(text),
    isOpen: true,
  },
  tcpdump: { options: wordList('-z -w -F'), letters: 'zwF' },
  terraform: {
    options: wordList('-chdir -plugin-dir --chdir --plugin-dir -var-file'),
    word: (text, index) => index === 0 && /^(?:console|login)$/.test(text),
  },
  test: { word: (text) => text === '-v' || text === '-R' || (text.includes('[') && /[$`(]/.test(text)) },
  typeset: setting,
  unset: naming,
  vim: editor,
  wait: naming,
  wget: {
    options: wordList('--use-askpass -e --execute --config --content-disposition --trust-server-names'),
    letters: 'e',
    isOpen: true,
  },
  yarn: {
    options: nodePackages,
    elsewhere: ['--cwd'],
    word: (text, index) => index === 0 && /^(?:config|plugin|set)$/.test(text),
  },
  tmux: multiplexer,
  screen: multiplexer,
  zip: { options: ['-TT', '--unzip-command'], isOpen: true },
};

/** The same for subcommands of git, in addition to git's own options. */
export const gitSpecs: Readonly<Record<string, ExecutingSpec>> = {
  archive: { options: ['--remote'] },
  bisect: { word: (text) => text === 'run' || text === 'visualize' || text === 'view' },
  clone: { options: wordList('-u --config --template'), letters: 'uc' },
  config: { word: (text, index) => index === 0 && !/^(?:--get.*|--list|-l|get|list)$/.test(text) },
  difftool: { options: wordList('-x -t --tool -g --gui'), letters: 'xtg' },
  grep: { options: ['-O'], letters: 'O' },
  init: { options: ['--template'] },
  'ls-remote': { options: ['-u'] },
  mergetool: { options: wordList('-t --tool -g --gui'), letters: 'tg' },
  notes: { word: (text) => text === 'edit' },
  push: { options: ['-e'] },
  rebase: { options: ['-x'], letters: 'x' },
  replace: { options: wordList('-e --edit') },
  submodule: { word: (text) => text === 'foreach' },
  subtree: { word: (text, index) => index === 0 && text === 'push' },
};

/** Subcommands of git that run something, serve, or write whatever a patch contains. */
export const runningSubcommands: ReadonlySet<string> = new Set(
  wordList(
    'am apply cvsimport cvsserver daemon filter-branch filter-repo for-each-repo hook http-backend instaweb merge-index p4 remote-ext ' +
      'remote-fd send-email send-pack shell svn upload-pack receive-pack upload-archive submodule--helper web--browse citool gui',
  ),
);

function setsVariable(text: string): boolean {
  const [, name, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(text) ?? [];
  return name !== undefined && !isHarmlessVariable(name, value);
}
