import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

let place: RealWorkspace;
beforeAll(() => {
  place = new RealWorkspace();
  place.write('a.txt', 'x\n');
  place.write('sub/b.txt', 'x\n');
  place.write('.git/config', '[core]\n');
});
afterAll(() => place.remove());

/** Commands that a rule for their program does not cover, and those that it does. */
const programs: Readonly<
  Record<string, { readonly asks: readonly string[]; readonly runs: readonly string[] }>
> = {
  npm: {
    asks: [
      'npm --silent config set script-shell ./x',
      'npm --loglevel silly config set script-shell ./x',
      'npm -s edit x',
      'npm --https-proxy=http://x i',
      'npm --strict-ssl=false i',
      'npm --//registry.npmjs.org/:_authToken=x publish',
    ],
    runs: ['npm -s test', 'npm run build -- --mode production', 'npm run config', 'npm install -D x'],
  },
  pnpm: { asks: ['pnpm -w config set x y', 'pnpm --silent set x y'], runs: ['pnpm -r build'] },
  yarn: { asks: ['yarn --silent config set x y'], runs: ['yarn workspace x config-check'] },
  pip: {
    asks: ['pip -q config set a b', 'pip install -vvi http://x y', 'pip install -qif x y'],
    runs: ['pip install -qr requirements.txt', 'pip install -U y'],
  },
  aws: { asks: ['aws --profile x configure set y z'], runs: ['aws --profile x s3 ls'] },
  git: {
    asks: [
      'git maintenance start',
      'git subtree --prefix=x push y z',
      'git ./x',
      'git --no-pager ./x',
      'git -C sub sub/x',
      'git rebase -s ./x b2',
      'git rebase -qs./x b2',
      'git rebase --strategy=./x b2',
      'git rebase --strat ./x b2',
      'git cherry-pick --strategy=./x b2',
      'git cherry-pick --strategy ./x b2',
      'git revert --strategy=sub/x b2',
      'git pull -s ./x . b2',
      'git merge -s ./x b2',
      'git merge -s $PWD b2',
    ],
    runs: [
      'git maintenance run',
      'git rebase -s ort origin/main',
      'git rebase --strategy=ours feature/x',
      'git cherry-pick -s feature/x',
      'git cherry-pick --strategy-option=theirs feature/x',
      'git merge feature/x',
      'git pull --rebase origin feature/x',
    ],
  },
  pyenv: { asks: ['pyenv ./x', 'pyenv sub/x'], runs: ['pyenv install 3.12'] },
  perf: { asks: ['perf ./x', 'perf --no-pager ./x', 'perf $X'], runs: ['perf stat ./program'] },
  oc: { asks: ['oc ./x', 'oc config set y z'], runs: ['oc apply -f ./x.yaml'] },
  kubectl: {
    asks: [
      'kubectl ./x',
      'kubectl sub/x y',
      'kubectl -n x config set y z',
      'kubectl -n x edit y',
      'kubectl -s http://x get y',
      'kubectl create ./x',
      'kubectl create secret ./x',
      'kubectl unknown ./x',
      'kubectl kustomize --helm-command=./x .',
    ],
    runs: [
      'kubectl create -f ./x.yaml',
      'kubectl create configmap x --from-file=./x',
      'kubectl exec deploy/x -- ls',
      'kubectl -n x logs deploy/x',
      'kubectl -n x get pods -o wide',
      'kubectl get config',
      'kubectl apply -f ./x.yaml',
    ],
  },
  kustomize: { asks: ['kustomize build --enable-exec .'], runs: ['kustomize build ./x'] },
  protoc: { asks: ['protoc --./x_out=. a.proto'], runs: ['protoc --go_out=./x -I ./y a.proto'] },
  rustup: {
    asks: ['rustup run ./x rustc', 'rustup default /x/y', 'rustup toolchain link a ./x'],
    runs: ['rustup target add wasm32-wasip1'],
  },
  rustc: { asks: ['rustc +/x/y a.rs'], runs: ['rustc +nightly src/a.rs'] },
  rustfmt: { asks: ['rustfmt +./x a.rs'], runs: ['rustfmt +nightly src/a.rs'] },
  clang: { asks: ['clang --config=./x a.c', 'clang --gcc-toolchain=./x a.c'], runs: ['clang -o a src/a.c'] },
  openssl: { asks: ['openssl engine /x/y.so'], runs: ['openssl x509 -in ./x -text'] },
  duckdb: { asks: ["duckdb a.db '.shell ls'"], runs: ["duckdb a.db 'select 1'"] },
  helm: {
    asks: [
      'helm --debug plugin install x',
      'helm --kube-apiserver http://x list',
      'helm repo add x http://y',
    ],
    runs: ['helm -n x list'],
  },
  systemctl: {
    asks: [
      'systemctl --user enable x',
      'systemctl --user --now link ./x.service',
      'systemctl -H host start x',
    ],
    runs: ['systemctl --user status x'],
  },
  docker: {
    asks: [
      'docker run -itv /:/x a',
      'docker run --rm -itv/:/x a',
      'docker run --cidfile=../x a',
      'docker run --label-file=/etc/passwd a',
      'docker --debug plugin install x',
    ],
    runs: ['docker run --rm -it a ls', 'docker ps -aq', 'docker build -t x .', 'docker exec -it web ls -la'],
  },
  cargo: {
    asks: ['cargo +/x build', 'cargo rustc -- -C linker=./x', 'cargo rustc -- -Clinker=./x'],
    runs: ['cargo +nightly test', 'cargo test -- --nocapture'],
  },
  awk: {
    asks: [
      `awk --source='BEGIN{system("id")}'`,
      'awk -We x',
      'awk -W exec x',
      `awk -e 'BEGIN{system("id")}'`,
    ],
    runs: ["awk -F: '{print $1}' a.txt"],
  },
  sqlite3: {
    asks: [
      "sqlite3 x '.sys id'",
      "sqlite3 x '.she id'",
      "sqlite3 x '.out ../y'",
      "sqlite3 x '.rea y'",
      "sqlite3 x '.lo ./y'",
      "sqlite3 x '.ar -x'",
      "sqlite3 x $'.tables\\n.sh id'",
      `sqlite3 x "select readfile('../y')"`,
    ],
    runs: ["sqlite3 x '.tables'", "sqlite3 -header x '.schema users'", "sqlite3 x 'select a.b from a'"],
  },
  tmux: {
    asks: [
      'tmux set -g default-command id',
      "tmux display -p '#(id)'",
      'tmux resp id',
      'tmux sour x',
      'tmux -vf x ls',
    ],
    runs: ['tmux ls', 'tmux -V', 'tmux capture-pane -p -t x', 'tmux kill-session -t x'],
  },
  magick: {
    asks: [
      'magick msl:x y',
      'magick x png:../y',
      'magick x ephemeral:y',
      'magick @x y',
      'magick text:@/etc/passwd x',
      'magick -script x',
      'magick x .git/y',
    ],
    runs: ['magick a.png -resize 50% b.png', 'magick a.png png:b.png'],
  },
  ffmpeg: { asks: ['ffmpeg -i x file:../y', 'ffmpeg -i x .git/y'], runs: ['ffmpeg -i a.mp4 b.mp4'] },
  gcc: {
    asks: [
      'gcc --prefix=./x a.c',
      'gcc --prefix ./x a.c',
      'gcc --for-linker=-plugin a.c',
      'gcc -o.git/hooks/x y.c',
      'gcc -MMD -MF../x y.c',
      'gcc -Wp,-MD,../x y.c',
      'gcc -Xassembler -o y.c',
    ],
    runs: ['gcc -O2 -o x x.c', 'gcc -Wall -MMD -MF x.d -c x.c'],
  },
  java: {
    asks: ['java -XX:Flags=x Y', 'java -Xloggc:../x Y', 'java -Xrunx Y', 'java -Xbootclasspath/a:x Y'],
    runs: ['java -jar x.jar'],
  },
  dotnet: {
    asks: [
      'dotnet build -logger:x.dll',
      'dotnet build @x',
      'dotnet test --diag:../x',
      'dotnet -d exec x.dll',
    ],
    runs: ['dotnet test --logger trx', 'dotnet build -c Release'],
  },
  deno: { asks: ['deno run -RWN x', 'deno eval x', 'deno -q eval x'], runs: ['deno task x', 'deno fmt'] },
  bun: { asks: ['bun exec id', 'bun install --registry=http://x'], runs: ['bun test', 'bun run build'] },
  gradle: { asks: ['gradle -sI x build'], runs: ['gradle build -x test'] },
  mysql: { asks: ["mysql -Be 'system id'", 'mysql -vvesystem'], runs: ['mysql -u root x'] },
  vim: { asks: ['vim -nu x y', 'vim .git/config', "vim --remote-send ':!id<CR>'"], runs: ['vim a.txt'] },
  tar: {
    asks: ['tar cf .git/hooks/x y', 'tar -cf .git/config a.txt'],
    runs: ['tar czf x.tgz sub', 'tar xzf x.tgz'],
  },
  zip: { asks: ['zip -qT -TTid x y', 'zip -r .git/hooks/x y'], runs: ['zip -r x.zip sub'] },
  unzip: { asks: ['unzip -: x', 'unzip -o: x'], runs: ['unzip -q x.zip'] },
  gzip: { asks: ['gzip -k .git/config'], runs: ['gzip -k a.txt'] },
  wget: { asks: ['wget -rnH http://x', 'wget -r -nd http://x', 'wget -i x'], runs: ['wget -nv http://a/b'] },
  pytest: {
    asks: ['pytest @x', 'pytest --cov-report=html:../x'],
    runs: ['pytest -x tests/test_a.py::test_b'],
  },
  tsc: { asks: ['tsc @x'], runs: ['tsc -p .'] },
  ansible: { asks: ["ansible x --ssh-common-args='-o ProxyCommand=id'"], runs: ['ansible --version'] },
};

describe('a wildcard', () => {
  it.each(Object.entries(programs))(
    'does not cover what %s may run or write elsewhere',
    async (name, lines) => {
      proves('E-39', 'R-11');
      const judged = async (command: string) =>
        (await place.judge(command, { allow: [`Bash(${name} *)`] })).verdict;
      for (const line of lines.asks) expect([line, await judged(line)]).toEqual([line, 'ask']);
      for (const line of lines.runs) expect([line, await judged(line)]).toEqual([line, 'allow']);
    },
  );

  it('and the read-only commands do not cover a builtin that assigns a variable', async () => {
    proves('E-39', 'R-11');
    const rules = {
      allow: 'builtin export printf read set unset wait'.split(' ').map((name) => `Bash(${name} *)`),
    };
    const assigning = [
      'printf %n PATH; ls',
      "printf 'abc%n' PATH && ls",
      'printf %-5.3lln PATH; ls',
      'printf -- %n PATH; ls',
      'builtin printf %n HOME',
      'printf "$PWD" PATH; ls',
      'printf -v PATH 0; ls',
      'read PATH <<< 0; ls',
      'export FOO=1',
      'unset PATH',
      'wait -n -p PATH',
      'set -k; ls PATH=0',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of bash
      'echo ${PATH:=0}',
    ];
    for (const line of assigning)
      for (const mode of ['default', 'plan', 'acceptEdits'] as const) {
        const { verdict } = await place.judge(line, mode === 'plan' ? {} : rules, { mode });
        expect([line, verdict]).toEqual([line, mode === 'plan' ? 'deny' : 'ask']);
      }
    for (const line of [
      "printf '%s\n' x",
      "printf '100%%\n'",
      'printf %d 5 && ls',
      'export LANG=C',
      'set -e; ls',
    ])
      expect([line, (await place.judge(line, rules)).verdict]).toEqual([line, 'allow']);
    const spelled = { allow: ['Bash(export FOO=1)'] };
    expect((await place.judge('export FOO=1', spelled)).verdict).toBe('allow');
  });

  it('does not cover links out of the workspace or to protected files', async () => {
    proves('E-39');
    const judged = async (command: string) =>
      (await place.judge(command, { allow: ['Bash(ln *)'] }, { mode: 'acceptEdits' })).verdict;
    const far = [
      'ln -s /etc e && cat e/passwd',
      'ln -sf ~/.bashrc e; echo x >> e',
      'ln -s .git e; echo x > e/config',
      'ln -s ../x sub/../e',
      'ln -s ../../x sub',
      'ln -s .. e',
      'ln -st sub ../../x',
      'ln ../x',
      'ln -s /etc',
      'ln -s "$TARGET" e',
      'ln -s a.txt ../x',
      'timeout 5 ln -s /etc e',
    ];
    for (const line of far) expect([line, await judged(line)]).toEqual([line, 'ask']);
    const near = ['ln -s a.txt x', 'ln -s ../a.txt sub/x', 'ln -s ../a.txt sub', 'ln a.txt x'];
    for (const line of near) expect([line, await judged(line)]).toEqual([line, 'allow']);
  });
});

describe('a deny rule', () => {
  const deny = ['Bash(rm *)'];
  const judged = async (command: string) =>
    (await place.judge(command, { deny }, { mode: 'bypassPermissions' })).verdict;

  it.each([
    "cat > x.sh <<'E'\nrm -rf build\nE\nsh x.sh",
    "cat <<'E' > x.sh && chmod +x x.sh && ./x.sh\nrm -rf build\nE\n",
    "echo 'rm -rf build' > x; . ./x",
    "printf 'rm -rf build' > /tmp/x && timeout 5 bash -x /tmp/x",
    "tee x.sh <<< 'rm -rf build'; sh ./x.sh",
    "cat > x.py <<'E'\nimport os\nos.system('rm -rf build')\nE\npython3 x.py",
    "cat > x.js <<'E'\nrequire('child_process').execSync('rm -rf build')\nE\nenv A=1 node x.js",
    'ip netns exec x rm -rf build',
    'guix shell -- rm -rf build',
  ])('applies to scripts that a line writes and runs, and to what other programs run: %s', async (line) => {
    proves('E-39');
    expect(await judged(line)).toBe('deny');
  });

  it.each([
    "sed -n 'r .env' a.txt",
    "sed '1r.env' a.txt",
    'parallel -a .env echo',
    "sqlite3 x '.import .env t'",
    `sqlite3 x "select readfile('.env')"`,
    'git hash-object -w .env',
    'git apply .env',
  ])('for a file applies to commands that name it in a text: %s', async (line) => {
    proves('E-39');
    const files = { deny: ['Read(.env)'] };
    expect((await place.judge(line, files, { mode: 'bypassPermissions' })).verdict).toBe('deny');
  });

  it.each([
    "cat > x.sh <<'E'\necho rm -rf build\nE\nsh x.sh",
    "cat > x.md <<'E'\nrm -rf build\nE\nsh x.sh",
    "cat > x.sh <<'E'\nrm -rf build\nE\ngit add x.sh",
  ])('does not apply to text that is only written: %s', async (line) => {
    proves('E-39');
    expect(await judged(line)).toBe('allow');
  });
});
