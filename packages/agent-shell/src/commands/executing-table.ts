import { isReadingAwkProgram } from '../read-only/read-only-awk.ts';
import { list } from '../read-only/read-only-spec.ts';
import { isHarmlessVariable } from '../word/harmless-variables.ts';

/** By which arguments a command runs another program, obeys another directory or file, or removes what it finds. */
export interface ExecutingSpec {
  /** Long options count when they are cut short, and short ones with a value behind them. */
  readonly options?: readonly string[];
  /** Options that only count where their value leads out of the current directory. */
  readonly elsewhere?: readonly string[];
  /** Letters that count wherever they stand behind one dash. */
  readonly letters?: string;
  /** True if a word counts by what it says. */
  readonly word?: (text: string, index: number, next: string | undefined) => boolean;
  /** A variable may stand for an option, so that every word that is not known counts. */
  readonly isOpen?: true;
}

const awk: ExecutingSpec = {
  options: list(
    '-f -i -l -o -d -p -D -E --file --include --load --pretty-print --dump-variables --profile --debug --exec',
  ),
  word: (text) => !text.startsWith('-') && !isReadingAwkProgram(text),
};
const editor: ExecutingSpec = {
  options: list('-c --cmd -S -s -u -U -i -w -W -l --listen --server --remote -q -t --startuptime'),
  word: (text) => text.startsWith('+'),
};
const container: ExecutingSpec = {
  options: list(
    '-v --volume --volumes-from --mount --privileged --cap-add --device --device-cgroup-rule --security-opt --pid --ipc --uts ' +
      '--userns --cgroupns --cgroup-parent --network --net --env-file -H --host --context --config --tlscacert --ssh --secret ' +
      '--build-context --allow --output --group-add --runtime --gpus --connection --url --identity --hooks-dir',
  ),
  elsewhere: list('-f --file --project-directory'),
};
/** Programs of the shell that evaluate subscripts of the names they are given, and run what those hold. */
const naming: ExecutingSpec = { word: (text) => /[[`]|\$\(/.test(text) };
const setting: ExecutingSpec = { word: (text) => setsVariable(text) || /[[`]|\$\(/.test(text) };
const remoteShell: ExecutingSpec = {
  options: list('-o -F -S -D -I -J -E -b -W -w'),
  letters: 'oFSDIJEbWw',
  isOpen: true,
};
const compiler: ExecutingSpec = {
  options: list(
    '-B -wrapper -specs --specs -fplugin -fplugin-arg -Xclang -load -fpass-plugin -fuse-ld --ld-path -include -Xlinker -iplugindir',
  ),
  word: (text) => /^@|^-Wl,|^-f(?:plugin|pass-plugin|use-ld)|^--?specs=/.test(text),
};
const hub: ExecutingSpec = {
  word: (text, index) =>
    index === 0 && /^(?:alias|auth|codespace|config|cs|ext|extension|gpg-key|ssh-key)$/.test(text),
};
const multiplexer: ExecutingSpec = {
  options: list('-f -S -L -c -X'),
  word: (text) =>
    /\s|^(?:run|if|source|new|neww|splitw|send|popup|bind|set-hook|pipe-pane|respawn|split|display-popup)(?:-\w+)*$/.test(
      text,
    ),
};
const javascriptTests = list(
  '-c --config --require -r --import --loader --plugin --rulesdir --parser --resolve-plugins-relative-to --format -f --formatter ' +
    '--reporter --reporters -R --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner --runner ' +
    '--transform --resolver --testEnvironment --environment --watchPlugins --root --rootDir --ui --opts',
);
const nodePackages = list(
  '--registry --script-shell --node-options --shell --editor --viewer --git --init-module --globalconfig --browser --call -c --use-node-version',
);

/** Programs that take the place of others in the table. */
export const executingAliases: Readonly<Record<string, string>> = {
  '[': 'test',
  bsdtar: 'tar',
  'c++': 'gcc',
  cc: 'gcc',
  clang: 'gcc',
  'clang++': 'gcc',
  ex: 'vim',
  fdfind: 'fd',
  'g++': 'gcc',
  gawk: 'awk',
  gmake: 'make',
  gradlew: 'gradle',
  gsed: 'sed',
  gtar: 'tar',
  jest: 'eslint',
  mariadb: 'mysql',
  mawk: 'awk',
  mocha: 'eslint',
  mvim: 'vim',
  nawk: 'awk',
  ncat: 'nc',
  netcat: 'nc',
  nvim: 'vim',
  pip3: 'pip',
  podman: 'docker',
  prettier: 'eslint',
  readarray: 'mapfile',
  sftp: 'scp',
  stylelint: 'eslint',
  vi: 'vim',
  view: 'vim',
  vimdiff: 'vim',
  vitest: 'eslint',
  xelatex: 'pdflatex',
};

/** Options that execute code, by program. */
export const executingSpecs: Readonly<Record<string, ExecutingSpec>> = {
  ag: { options: ['--pager'] },
  ansible: {
    options: list(
      '-i --inventory -e --extra-vars -M --module-path -m --module-name -a --args --vault-password-file',
    ),
    letters: 'ieMma',
  },
  'ansible-playbook': { options: list('-i --inventory -e --extra-vars -M --module-path'), letters: 'ieM' },
  'apt-get': { options: list('-o --option -c --config-file'), letters: 'oc' },
  apt: { options: list('-o --option -c --config-file'), letters: 'oc' },
  aws: {
    options: list('--endpoint-url --cli-input-json --cli-input-yaml --no-verify-ssl --ca-bundle'),
    word: (text, index) => index === 0 && text === 'configure',
  },
  awk,
  bazel: {
    options: list(
      '--run_under --workspace_status_command --bazelrc --override_repository --shell_executable',
    ),
  },
  bun: {
    options: list('-r --preload --require --config -c --shell --env-file -e --eval -p --print'),
    elsewhere: ['--cwd'],
  },
  cargo: { options: list('--config -Z --index --registry'), elsewhere: list('-C --manifest-path') },
  cmake: {
    options: list('-P -E -C --toolchain --preset'),
    word: (text) => /^-D.*(?:COMPILER|LAUNCHER|COMMAND|TOOLCHAIN|PROGRAM|INCLUDE)/s.test(text),
  },
  composer: {
    options: list('-d --working-dir'),
    word: (text, index) => index === 0 && /^(?:exec|config|global)$/.test(text),
  },
  curl: {
    options: list(
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
    options: list('-A --allow-all --allow-run --allow-ffi --config -c --import-map --preload --env-file'),
  },
  diff3: { options: ['--diff-program'] },
  docker: container,
  dotnet: {
    options: list(
      '--settings -s --additional-deps --additionalprobingpath --test-adapter-path --depsfile --runtimeconfig',
    ),
    word: (text) => /^[-/]{1,2}p(?:roperty)?:/i.test(text),
  },
  emacs: {
    options: list(
      '--eval -eval -l --load -load -f --funcall -funcall --script -script --execute -execute -x',
    ),
  },
  env: { word: setsVariable },
  eslint: { options: javascriptTests },
  export: setting,
  fd: { options: list('-x -X --exec --exec-batch'), letters: 'xX', isOpen: true },
  find: {
    options: list('-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from'),
    isOpen: true,
  },
  gcc: compiler,
  gcloud: { word: (text, index) => index === 0 && /^(?:auth|config)$/.test(text) },
  getopts: naming,
  gh: hub,
  glab: hub,
  git: {
    options: list(
      '-c --config-env --exec-path --git-dir --work-tree --namespace --attr-source --super-prefix --upload-pack --receive-pack ' +
        '--ext-diff --textconv --open-files-in-pager --exec --extcmd --sendmail-cmd --to-cmd --cc-cmd --header-cmd --smtp-server',
    ),
    elsewhere: ['-C'],
    word: (text) => /^(?:[a-z-]+=)?(?:ext|fd)::/.test(text),
  },
  go: {
    options: list(
      '-exec --exec -toolexec --toolexec -vettool --vettool -overlay --overlay -modfile --modfile -ldflags --ldflags -gcflags ' +
        '--gcflags -asmflags --asmflags -gccgoflags --gccgoflags -compiler --compiler -C -pkgdir -installsuffix',
    ),
    word: (text, index) => index === 0 && /^(?:env|generate|tool|run|install|get|work)$/.test(text),
  },
  gpg: {
    options: list(
      '--exec-path --photo-viewer --agent-program --dirmngr-program --homedir --options --keyserver',
    ),
  },
  gradle: {
    options: list('-I --init-script -b --build-file -c --settings-file -D -P --include-build'),
    elsewhere: list('-p --project-dir -g'),
  },
  helm: {
    options: list('--post-renderer --kubeconfig'),
    word: (text, index) => index === 0 && text === 'plugin',
  },
  hg: { options: list('--config -R --repository --cwd --rsh -e --ssh --remotecmd') },
  install: { options: list('--strip-program') },
  java: {
    options: list('-javaagent -agentlib -agentpath -XX:OnError -XX:OnOutOfMemoryError'),
    word: (text) => /^-(?:javaagent|agent|XX:On)|^@/.test(text),
  },
  kubectl: {
    options: list('--kubeconfig'),
    word: (text, index) => index === 0 && /^(?:config|plugin|edit|krew)$/.test(text),
  },
  launchctl: { word: (_, index) => index === 0 },
  less: {
    options: list('-k --lesskey-file --lesskey-src --lesskey-content -o -O --log-file --LOG-FILE'),
    letters: 'koO',
    word: (text) => text.startsWith('+'),
  },
  let: naming,
  local: setting,
  make: {
    options: list('--eval -E'),
    letters: 'E',
    elsewhere: list('-f --file --makefile -C --directory -I --include-dir'),
    word: (text) =>
      /^-f-?$|^--(?:file|makefile)=-$/.test(text) ||
      /^[^-=\s][^=\s]*?(?:[:?+!]|::)?=(?!(?:\d+|yes|no|true|false|on|off|)$)/s.test(text),
  },
  man: {
    options: list('-P --pager -H --html --preprocessor -C --config-file -M -T -p'),
    letters: 'PHCMTp',
    isOpen: true,
  },
  mapfile: { options: ['-C'], word: (text) => /[[`]|\$\(/.test(text) },
  mvn: {
    options: list('-f --file -s --settings -gs --global-settings -t'),
    word: (text) => /^-D(?:exec|maven\.ext|argLine|jvm|surefire)|^exec:|^org\.codehaus\.mojo:exec/.test(text),
  },
  mysql: {
    options: list(
      '-e --execute --init-command --pager --tee --plugin-dir --defaults-file --defaults-extra-file --init-file',
    ),
    isOpen: true,
  },
  nc: { options: list('-e -c --exec --sh-exec --lua-exec'), letters: 'ec' },
  npm: {
    options: nodePackages,
    elsewhere: list('--prefix -C --userconfig'),
    word: (text, index) => index === 0 && /^(?:config|c|set|edit|explore)$/.test(text),
  },
  npx: { options: nodePackages },
  openssl: { options: list('-engine -provider -provider-path -config -dynamic') },
  pandoc: { options: list('-F --filter -L --lua-filter --pdf-engine --data-dir -d --defaults --template') },
  pdflatex: {
    options: list('-shell-escape --shell-escape -enable-write18 --enable-write18 -shell-restricted'),
    word: (text) => text.includes('\\') || text.startsWith('|'),
  },
  phpunit: { options: list('--bootstrap -c --configuration --extension --printer') },
  pip: {
    options: list(
      '--python --config-settings --global-option --build-option --use-pep517 -i --index-url --extra-index-url -f --find-links ' +
        '--trusted-host --proxy',
    ),
    word: (text, index) => index === 0 && text === 'config',
  },
  pnpm: {
    options: nodePackages,
    elsewhere: list('-C --dir'),
    word: (text, index) => index === 0 && /^(?:config|set|c)$/.test(text),
  },
  printf: { word: (text, index) => index === 0 && text.startsWith('-v') },
  psql: {
    options: list('-c --command -f --file -o --output -L --log-file -v --set --variable'),
    letters: 'cfoLv',
    isOpen: true,
  },
  pytest: {
    options: list('-p -c --rootdir --confcutdir -o --override-ini --pdbcls --config-file'),
    letters: 'pco',
  },
  rake: {
    options: list(
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
  sbt: { options: list('-J -D --addPluginSbtFile'), word: (text) => /^\s*(?:apply|eval|set)\s/.test(text) },
  scp: remoteShell,
  sdiff: { options: ['--diff-program', '-o', '--output'] },
  sed: {},
  socat: { word: (text) => /(?:EXEC|SYSTEM|SHELL):/i.test(text) },
  sort: { options: ['--compress-program', '--files0-from'], isOpen: true },
  split: { options: ['--filter'] },
  sqlite3: {
    options: list('-cmd -init'),
    word: (text) =>
      /\.(?:archive|backup|cd|clone|excel|import|load|log|once|open|output|read|save|shell|system|trace)|load_extension|writefile|edit\(|attach|vacuum\s+into/i.test(
        text,
      ),
  },
  ssh: remoteShell,
  svn: {
    options: list('--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd --merge-cmd'),
    word: (text) => text.startsWith('svn+'),
  },
  systemctl: {
    word: (text, index) =>
      index === 0 && /^(?:edit|enable|import-environment|link|set-environment)$/.test(text),
  },
  tar: {
    options: list(
      '-I -F --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script ' +
        '--rsh-command --rmt-command -T --files-from -P --absolute-names',
    ),
    letters: 'IFTP',
    word: (text, index) => index === 0 && /^[A-Za-z]*[IFTP]/.test(text),
    isOpen: true,
  },
  tcpdump: { options: list('-z -w -F'), letters: 'zwF' },
  terraform: {
    options: list('-chdir -plugin-dir --chdir --plugin-dir -var-file'),
    word: (text, index) => index === 0 && /^(?:console|login)$/.test(text),
  },
  test: { word: (text) => text === '-v' || text === '-R' || (text.includes('[') && /[$`(]/.test(text)) },
  typeset: setting,
  unset: naming,
  vim: editor,
  wait: naming,
  wget: {
    options: list('--use-askpass -e --execute --config --content-disposition --trust-server-names'),
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

/** The same for subcommands of git, beside what holds for all of them. */
export const gitSpecs: Readonly<Record<string, ExecutingSpec>> = {
  archive: { options: ['--remote'] },
  bisect: { word: (text) => text === 'run' || text === 'visualize' || text === 'view' },
  clone: { options: list('-u --config --template'), letters: 'uc' },
  config: { word: (text, index) => index === 0 && !/^(?:--get.*|--list|-l|get|list)$/.test(text) },
  difftool: { options: list('-x -t --tool -g --gui'), letters: 'xtg' },
  grep: { options: ['-O'], letters: 'O' },
  init: { options: ['--template'] },
  'ls-remote': { options: ['-u'] },
  mergetool: { options: list('-t --tool -g --gui'), letters: 'tg' },
  notes: { word: (text) => text === 'edit' },
  push: { options: ['-e'] },
  rebase: { options: ['-x'], letters: 'x' },
  replace: { options: list('-e --edit') },
  submodule: { word: (text) => text === 'foreach' },
  subtree: { word: (text, index) => index === 0 && text === 'push' },
};

/** Subcommands of git that are there to run something, to serve, or to write whatever a patch says. */
export const runningSubcommands: ReadonlySet<string> = new Set(
  list(
    'am apply cvsimport cvsserver daemon filter-branch filter-repo for-each-repo hook http-backend instaweb merge-index p4 remote-ext ' +
      'remote-fd send-email send-pack shell svn upload-pack receive-pack upload-archive web--browse citool gui',
  ),
);

function setsVariable(text: string): boolean {
  const [, name, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(text) ?? [];
  return name !== undefined && !isHarmlessVariable(name, value);
}
