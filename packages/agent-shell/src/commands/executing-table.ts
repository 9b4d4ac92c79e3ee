import { isReadingAwkProgram } from '../read-only/read-only-awk.ts';
import { wordList } from '../read-only/read-only-spec.ts';
import { isHarmlessVariable } from '../word/harmless-variables.ts';

/** The arguments by which a command runs another program, uses another directory or file, or deletes what it finds. */
export interface ExecutingSpec {
  /** Abbreviated long options count, and short ones with an attached value. */
  readonly options?: readonly string[];
  /** Options that matter only if their value is outside the current directory. */
  readonly elsewhere?: readonly string[];
  /** Options whose value becomes part of a program's name: with a slash, that program is a file. */
  readonly naming?: readonly string[];
  /** The same for its subcommand: an unknown one runs a program that is named after it. */
  readonly namesProgram?: true;
  /** The first words that are its own subcommands, where the name of a program may have several words. */
  readonly own?: RegExp;
  /** Option letters, anywhere after one dash. */
  readonly letters?: string;
  /** Subcommands that matter, with any options before them. */
  readonly first?: RegExp;
  /** True if a word matters because of its content. */
  readonly word?: (text: string, index: number, next: string | undefined) => boolean;
  /** A variable may contain an option, so every unknown word counts. */
  readonly isOpen?: true;
}

const awk: ExecutingSpec = {
  options: wordList(
    '-f -i -l -o -d -p -D -E -W -e --file --include --load --pretty-print --dump-variables --profile --debug --exec --source',
  ),
  word: (text) => !text.startsWith('-') && !isReadingAwkProgram(text),
};
const editor: ExecutingSpec = {
  options: wordList(
    '-c --cmd -S -s -u -U -i -w -W -l --listen --server --remote --remote-send --remote-expr -q -t --startuptime',
  ),
  letters: 'cSsuUwWlqt',
  word: (text) => text.startsWith('+'),
};
const container: ExecutingSpec = {
  options: wordList(
    '-v --volume --volumes-from --mount --privileged --cap-add --device --device-cgroup-rule --security-opt --pid --ipc --uts ' +
      '--userns --cgroupns --cgroup-parent --network --net --env-file -H --host --context --config --tlscacert --ssh --secret ' +
      '--build-context --allow --output --group-add --runtime --gpus --connection --url --identity --hooks-dir --cidfile ' +
      '--iidfile --label-file --metadata-file --pidfile --conmon-pidfile --rootfs',
  ),
  letters: 'vH',
  first: /^(?:machine|plugin|swarm)$/,
  elsewhere: wordList('-f --file --project-directory'),
};
const remoteShell: ExecutingSpec = {
  options: wordList('-o -F -S -D -I -J -E -b -W -w'),
  letters: 'oFSDIJEbWw',
  isOpen: true,
};
const compiler: ExecutingSpec = {
  options: wordList(
    '-B -wrapper -specs --specs -fplugin -fplugin-arg -Xclang -load -fpass-plugin -fuse-ld --ld-path -include -Xlinker -iplugindir ' +
      '--prefix --config --gcc-toolchain --gcc-install-dir --for-linker --for-assembler -fmodule-mapper',
  ),
  word: (text) =>
    /^@|^-W[alp],|^-X(?:assembler|preprocessor)$|^-MF(?:\/|.*\.\.\/)|^-f(?:plugin|pass-plugin|use-ld)|^--?specs=/.test(
      text,
    ),
};
const hub: ExecutingSpec = {
  first: /^(?:alias|auth|codespace|config|cs|ext|extension|gpg-key|ssh-key)$/,
};
const multiplexer: ExecutingSpec = {
  options: wordList('-f -S -L -c -X'),
  letters: 'fSLcX',
  word: (text) => /\s|#\(/.test(text),
};
/** tmux accepts any unambiguous start of a command, so only harmless ones are listed. */
const harmfulTmux =
  /^(?!-|(?:a|attach|attach-session|capture-pane|capturep|clearhist|clear-history|detach|detach-client|display|display-message|has|has-session|info|kill-(?:pane|server|session|window)|killp|killw|list-[a-z]+|ls|lsb|lsc|lscm|lsk|lsp|lsw|next|next-window|prev|previous-window|rename|rename-session|rename-window|renamew|resize-pane|resizep|select-(?:layout|pane|window)|selectp|selectw|show|show-[a-z]+|wait|wait-for)$)/;
const javascriptTests = wordList(
  '-c --config --require -r --import --loader --plugin --rulesdir --parser --resolve-plugins-relative-to --format -f --formatter ' +
    '--reporter --reporters -R --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner --runner ' +
    '--transform --resolver --testEnvironment --environment --watchPlugins --root --rootDir --ui --opts --pool --execArgv',
);
const nodePackages = wordList(
  '--registry --script-shell --node-options --shell --editor --viewer --git --init-module --globalconfig --browser --call -c --use-node-version --userconfig --pnpmfile --global-pnpmfile --proxy --https-proxy --cafile --ca --strict-ssl',
);

const pluginHost: ExecutingSpec = { namesProgram: true };
const cluster: ExecutingSpec = {
  options: wordList(
    '--kubeconfig --server -s --insecure-skip-tls-verify --helm-command --enable-alpha-plugins --enable-exec',
  ),
  first: /^(?:config|plugin|edit|krew)$/,
  namesProgram: true,
  // `create` is missing on purpose: `kubectl create a b` runs the program `kubectl-create-a-b`.
  own: /^(?:adm|alpha|annotate|api-resources|api-versions|apply|attach|auth|autoscale|cancel-build|certificate|cluster-info|completion|cordon|cp|debug|delete|describe|diff|drain|events|exec|explain|expose|extract|get|idle|import-image|kustomize|label|login|logout|logs|new-app|new-build|new-project|observe|options|patch|policy|port-forward|process|project|projects|proxy|replace|rollback|rollout|rsh|rsync|run|scale|set|start-build|status|tag|taint|top|uncordon|version|wait|whoami)$/,
};

/** Options that execute code, by program. */
export const executingSpecs: Readonly<Record<string, ExecutingSpec>> = {
  ansible: {
    options: wordList(
      '-i --inventory -e --extra-vars -M --module-path -m --module-name -a --args --vault-password-file --playbook-dir ' +
        '--ssh-common-args --ssh-extra-args --sftp-extra-args --scp-extra-args',
    ),
    letters: 'ieMma',
  },
  'ansible-playbook': {
    options: wordList(
      '-i --inventory -e --extra-vars -M --module-path --ssh-common-args --ssh-extra-args --sftp-extra-args --scp-extra-args',
    ),
    letters: 'ieM',
  },
  'apt-get': { options: wordList('-o --option -c --config-file'), letters: 'oc' },
  apt: { options: wordList('-o --option -c --config-file'), letters: 'oc' },
  aws: {
    options: wordList('--endpoint-url --cli-input-json --cli-input-yaml --no-verify-ssl --ca-bundle'),
    first: /^configure$/,
  },
  awk,
  bun: {
    options: wordList(
      '-r --preload --require --config -c --shell --env-file -e --eval -p --print --registry',
    ),
    elsewhere: ['--cwd'],
    first: /^(?:exec|repl)$/,
  },
  bundle: { options: ['--gemfile'], first: /^(?:config|open|plugin)$/ },
  cargo: {
    options: wordList('--config -Z --index --registry'),
    elsewhere: wordList('-C --manifest-path'),
    // A toolchain in a directory, and the linker of `cargo rustc`.
    word: (text) => isToolchainPath(text) || /^(?:-C)?linker=/.test(text),
  },
  cmake: {
    options: wordList('-P -E -C --toolchain --preset'),
    word: (text) => /^-D.*(?:COMPILER|LAUNCHER|COMMAND|TOOLCHAIN|PROGRAM|INCLUDE)/s.test(text),
  },
  composer: {
    options: wordList('-d --working-dir'),
    first: /^(?:exec|config|global)$/,
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
  deno: {
    options: wordList(
      '-A --allow-all --allow-run --allow-ffi --allow-write --config -c --import-map --preload --env-file',
    ),
    letters: 'AW',
    first: /^(?:eval|jupyter|repl)$/,
  },
  docker: container,
  dotnet: {
    options: wordList(
      '--settings -s --additional-deps --additionalprobingpath --test-adapter-path --depsfile --runtimeconfig',
    ),
    first: /^(?:exec|fsi|script)$/,
    word: (text) =>
      /^@|^[-/]{1,2}(?:p(?:roperty)?|rsp):|^[-/]{1,2}(?:l|logger|dl|distributedlogger):.{0,1000}(?:[,;]|\.dll)/is.test(
        text,
      ),
  },
  env: { word: setsVariable },
  eslint: { options: javascriptTests },
  fd: { options: wordList('-x -X --exec --exec-batch'), letters: 'xX', isOpen: true },
  find: {
    options: wordList('-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from'),
    isOpen: true,
  },
  gcc: compiler,
  gcloud: { first: /^(?:auth|config)$/ },
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
    first: /^(?:env|generate|tool|run|install|get|work)$/,
  },
  gradle: {
    letters: 'IbcDP',
    options: wordList('-I --init-script -b --build-file -c --settings-file -D -P --include-build'),
    elsewhere: wordList('-p --project-dir -g'),
  },
  helm: {
    options: wordList('--post-renderer --kubeconfig --kube-apiserver --repo'),
    first: /^(?:plugin|repo)$/,
  },
  hg: {
    options: wordList('--config -R --repository --cwd --rsh -e --ssh --remotecmd --debugger'),
    first: /^debug/,
  },
  java: {
    options: wordList('-javaagent -agentlib -agentpath -XX:OnError -XX:OnOutOfMemoryError'),
    word: (text) => /^-(?:javaagent|agent|XX:(?:Flags|On|VMOptionsFile)|Xbootclasspath|Xrun)|^@/.test(text),
  },
  kubectl: cluster,
  launchctl: { word: (_, index) => index === 0 },
  less: {
    options: wordList('-k --lesskey-file --lesskey-src --lesskey-content -o -O --log-file --LOG-FILE'),
    letters: 'koO',
    word: (text) => text.startsWith('+'),
  },
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
  magick: {
    options: wordList('-write +write -script -print'),
    // Formats that are scripts, delete files or connect somewhere, and lists of arguments.
    word: (text) => /^@|^\||:@|^(?:delegate|ephemeral|ftp|https?|msl|msvg|mvg|show|url|win|x):/i.test(text),
  },
  mapfile: { options: ['-C'] },
  mvn: {
    options: wordList('-f --file -s --settings -gs --global-settings -t'),
    word: (text) => /^-D(?:exec|maven\.ext|argLine|jvm|surefire)|^exec:|^org\.codehaus\.mojo:exec/.test(text),
  },
  mysql: {
    options: wordList(
      '-e --execute --init-command --pager --tee --plugin-dir --defaults-file --defaults-extra-file --init-file',
    ),
    letters: 'e',
    isOpen: true,
  },
  nc: { options: wordList('-e -c --exec --sh-exec --lua-exec'), letters: 'ec' },
  npm: {
    options: nodePackages,
    elsewhere: wordList('--prefix -C'),
    first: /^(?:config|c|set|edit|explore)$/,
    word: (text) => text.startsWith('--//'),
  },
  npx: { options: nodePackages },
  pdflatex: {
    options: wordList('-shell-escape --shell-escape -enable-write18 --enable-write18 -shell-restricted'),
    word: (text) => text.includes('\\') || text.startsWith('|'),
  },
  pip: {
    options: wordList(
      '--python --config-settings --global-option --build-option --use-pep517 -i --index-url --extra-index-url -f --find-links ' +
        '--trusted-host --proxy',
    ),
    letters: 'if',
    first: /^config$/,
  },
  pnpm: {
    options: nodePackages,
    elsewhere: wordList('-C --dir'),
    // `--config.script-shell=x` sets a setting.
    first: /^(?:config|set|c)$/,
    word: (text) => /^--(?:config\.|\/\/)/.test(text),
  },
  openssl: { options: wordList('-engine -provider -provider-path -config -dynamic'), first: /^engine$/ },
  protoc: { options: ['--plugin'], word: (text) => /^--[^=]*\//.test(text) },
  psql: {
    options: wordList('-c --command -f --file -o --output -L --log-file -v --set --variable -P --pset'),
    letters: 'cfoLvP',
    isOpen: true,
  },
  pytest: {
    options: wordList('-p -c --rootdir --confcutdir -o --override-ini --pdbcls --config-file'),
    letters: 'pco',
    word: (text) => text.startsWith('@'),
  },
  rg: { options: ['--pre', '--hostname-bin'], isOpen: true },
  rsync: {
    options: ['-e', '--rsh', '--rsync-path', '--config', '-M', '--remote-option'],
    letters: 'eM',
    isOpen: true,
  },
  rustc: { options: wordList('-C --codegen -Z --extern -L'), word: isToolchainPath },
  rustfmt: { word: isToolchainPath },
  // Every path it takes is that of a toolchain.
  rustup: { word: (text) => text.includes('/') },
  sbt: {
    options: wordList('-J -D --addPluginSbtFile'),
    word: (text) => /^\s*(?:apply|eval|set)\s/.test(text),
  },
  scp: remoteShell,
  sed: {},
  socat: { word: (text) => /(?:EXEC|SYSTEM|SHELL):/i.test(text) },
  sort: { options: ['--compress-program', '--files0-from'], isOpen: true },
  sqlite3: {
    options: wordList('-cmd -init'),
    word: isFarSqlite,
  },
  ssh: remoteShell,
  svn: {
    options: wordList('--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd --merge-cmd'),
    word: (text) => text.startsWith('svn+'),
  },
  systemctl: {
    options: wordList('-H --host --root --image'),
    first:
      /^(?:add-(?:requires|wants)|edit|enable|import-environment|link|preset|reenable|set-(?:default|environment|property))$/,
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
    first: /^(?:console|login)$/,
  },
  test: { word: (text) => text === '-v' || text === '-R' || (text.includes('[') && /[$`(]/.test(text)) },
  vim: editor,
  wget: {
    options: wordList(
      '--use-askpass -e --execute --config --content-disposition --trust-server-names --input-file -i --no-host-directories ' +
        '--no-directories --cut-dirs',
    ),
    letters: 'ei',
    // `-nH` and `-nd`: the server names the files of a recursive download.
    word: (text) => /^-[A-Za-z]{0,20}n[Hd]/.test(text),
    isOpen: true,
  },
  brew: pluginHost,
  conda: pluginHost,
  goenv: pluginHost,
  jenv: pluginHost,
  mamba: pluginHost,
  mkfs: { naming: ['-t', '--type'] },
  nodenv: pluginHost,
  oc: cluster,
  perf: pluginHost,
  phpenv: pluginHost,
  plenv: pluginHost,
  pyenv: pluginHost,
  rbenv: pluginHost,
  stack: pluginHost,
  tfenv: pluginHost,
  yarn: {
    options: nodePackages,
    elsewhere: ['--cwd'],
    first: /^(?:config|plugin|set)$/,
  },
  tsc: { word: (text) => text.startsWith('@') },
  tmux: { ...multiplexer, first: harmfulTmux },
  screen: multiplexer,
  // `-:` lets members leave the directory.
  unzip: { word: (text) => /^-[A-Za-z]*:/.test(text) },
  zip: { options: ['-TT', '--unzip-command'], word: (text) => /^-[A-Za-z]*TT/.test(text), isOpen: true },
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
  'cherry-pick': { naming: ['--strategy'] },
  merge: { naming: wordList('-s --strategy') },
  pull: { naming: wordList('-s --strategy') },
  push: { options: ['-e'] },
  rebase: { options: ['-x'], letters: 'x', naming: wordList('-s --strategy') },
  replace: { options: wordList('-e --edit') },
  revert: { naming: ['--strategy'] },
  submodule: { word: (text) => text === 'foreach' },
  maintenance: { first: /^(?:register|start|stop|unregister)$/ },
  subtree: { first: /^push$/ },
};

/** Subcommands of git that run something, serve, or write whatever a patch contains. */
export const runningSubcommands: ReadonlySet<string> = new Set(
  wordList(
    'am apply cvsimport cvsserver daemon filter-branch filter-repo for-each-repo hook http-backend instaweb merge-index p4 remote-ext ' +
      'remote-fd send-email send-pack shell svn upload-pack receive-pack upload-archive submodule--helper web--browse citool gui',
  ),
);

/** sqlite3 accepts any start of a command, so only harmless ones are listed. */
const harmlessSqlite =
  /^(?:bail|binary|changes|databases|dbinfo|dump|echo|eqp|exit|explain|fullschema|headers?|help|indexes|indices|limit|mode|nullvalue|print|quit|schema|separator|show|stats|tables|timeout|timer|version|width)$/i;

/** True if a text for sqlite3 may run a program or open other files. */
function isFarSqlite(text: string): boolean {
  if (/^-{1,2}A/.test(text)) return true;
  if (/load_extension|(?:read|write)file|edit\(|attach|vacuum\s+into/i.test(text)) return true;
  return text.split('\n').some((line) => {
    const [, command] = /^\.([a-z]+)/i.exec(line.trimStart()) ?? [];
    return command !== undefined && !harmlessSqlite.test(command);
  });
}

/** `+path` is a toolchain whose programs are run instead. */
function isToolchainPath(text: string): boolean {
  return text.startsWith('+') && text.includes('/');
}

function setsVariable(text: string): boolean {
  const [, name, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(text) ?? [];
  return name !== undefined && !isHarmlessVariable(name, value);
}
