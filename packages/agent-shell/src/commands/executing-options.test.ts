import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from '../../../agent-core/src/permission/fixtures/real-workspace.ts';

let place: RealWorkspace;

beforeAll(() => {
  place = new RealWorkspace();
  place.write('a.txt', 'x\n');
  place.write('Makefile', 'CC = true\nbuild:\n\t$(CC) x\n');
  place.write('prog.awk', `BEGIN { system("touch ${place.canary}") }\n`);
  place.git('init', '-q');
  place.git('add', '-A');
  place.git('commit', '-qm', 'one');
  place.git('commit', '-qm', 'two', '--allow-empty');
});

afterAll(() => place.remove());

/** Commands under a rule whose wildcard must not cover them. CMD leaves the canary behind. */
const running: Readonly<Record<string, readonly string[]>> = {
  'python3 -m pytest *': ['python3 -m pytest -p evil', 'python3 -m pytest -q -c /tmp/x.ini'],
  'python -m unittest *': ['python -m unittest discover -s /tmp/evil'],
  'rspec *': ['rspec -r ./x', 'rspec --require ./x'],
  'bundle exec rspec *': ['bundle exec rspec -r ./x'],
  './gradlew test *': ['./gradlew test --init-script /tmp/x.gradle', './gradlew test -I /tmp/x.gradle'],
  'dotnet test *': ['dotnet test --test-adapter-path /tmp/x'],
  'mix test *': ['mix test --require /tmp/x.exs'],
  'ctest *': ['ctest -S /tmp/x.cmake'],
  'swift test *': ['swift test --package-path /tmp/x'],
  'ansible *': ['ansible -m shell -a id all'],
  'pnpm *': ['pnpm --config.script-shell=CMD test', 'pnpm --pnpmfile=CMD install'],
  'git *': [
    'git submodule--helper foreach CMD',
    'git format-patch -1 --output-directory=../out',
    'git format-patch -1 --output-d ../out',
    'git checkout-index --prefix=../out/ a.txt',
    'git fast-import --export-marks=../out',
    "git --no-pager filter-branch -f --tree-filter 'CMD' HEAD",
    "git grep -lO'CMD' x",
    "git grep --open-files-in-pager='CMD' x",
    "git difftool -yx 'CMD' HEAD",
    "git difftool -y --extcmd='CMD' HEAD",
    "git rebase -x 'CMD' HEAD~1",
    "git rebase --exec 'CMD' HEAD~1",
    "git bisect run sh -c 'CMD'",
    "git submodule foreach 'CMD'",
    "git -c alias.x='!CMD' x",
    "git -c core.fsmonitor='CMD' status",
    "git clone --upload-pack='CMD; false' . other",
    "git clone -u 'CMD; false' . other",
    "git clone -qu 'CMD; false' . other",
    "git clone -c core.fsmonitor='CMD' . other",
    "git fetch --upload-pack='CMD; false' .",
    "git ls-remote --upload-pack='CMD; false' .",
    "git push --receive-pack='CMD; false' . HEAD",
    "git push --exec='CMD; false' . HEAD",
    "git archive --remote=. --exec='CMD; false' HEAD",
    "git fetch 'ext::sh -c CMD'",
    "git config core.fsmonitor 'CMD'",
    "git merge-index -a 'CMD'",
    'git for-each-repo --config=x status',
    "git send-email --to-cmd='CMD' a.patch",
    'git send-email --smtp-server=/bin/x a.patch',
    'git instaweb --httpd=CMD',
    'git hook run pre-commit',
    'git init --template=evil other',
    'git --exec-path=evil status',
  ],
  'sed *': [
    "sed -i'../*' p a.txt",
    "sed -ni'/tmp/x/*' p a.txt",
    'sed --in-place=/tmp/x p a.txt',
    "sed '1p\ne CMD' a.txt",
    "sed 'p\nw out' a.txt",
    "sed 's/x/CMD/e' a.txt",
    "sed 's/x/CMD/ge' a.txt",
    "sed 's/x/CMD/pe' a.txt",
    "sed '1e CMD' a.txt",
    "sed -n '/x/{e CMD\n}' a.txt",
    "sed 's/x/y/w out' a.txt",
    "sed 's/x/y/gw out' a.txt",
    "sed -e p -e 'e CMD' a.txt",
    "sed ':a;e CMD' a.txt",
    'sed -f prog.sed a.txt',
    'sed --fil=prog.sed a.txt',
    'sed "$X" a.txt',
  ],
  'awk *': [
    'awk -f prog.awk a.txt',
    "awk '{ print > v }' v=out a.txt",
    'awk \'{ print > "out" }\' a.txt',
    'awk \'BEGIN { system("CMD") }\'',
    'awk \'{ print | "CMD" }\' a.txt',
    'awk \'{ "CMD" | getline }\' a.txt',
    'awk \'{ printf "x" >> v }\' v=out a.txt',
  ],
  'make build *': [
    "make build CC='CMD;'",
    'make build CC=./evil',
    'make build SHELL=./evil',
    "make build --eval='x: ; CMD'",
  ],
  'make *': [
    'make -f - build',
    'make -C ../other',
    'make -E x',
    "make X:='CMD'",
    "make X+='CMD'",
    'ls | xargs make',
  ],
  'test *': ["test -v 'a[$(CMD)]'", "test 1 -eq 1 -a -v 'a[$(CMD)]'"],
  '[ *': ["[ -v 'a[$(CMD)]' ]"],
  'printf *': ["printf -v 'a[$(CMD)]' x"],
  'read *': ["read 'a[$(CMD)]' < a.txt"],
  'unset *': ["unset 'a[$(CMD)]'"],
  'declare *': ["declare 'a[$(CMD)]=1'"],
  'export *': ['export GIT_EXTERNAL_DIFF=CMD', 'export PATH=/tmp/evil', 'export LD_PRELOAD=./x.so'],
  'wget *': [
    'wget --use-askpass=CMD http://x',
    'wget --use-ask=CMD http://x',
    'wget -e use_askpass=CMD http://x',
    'wget --config=x http://x',
  ],
  'python3 *': [
    'python3 -m pytest -p evil',
    'python3 -mpytest --override-ini=x',
    'python3 -I -m pytest -c /tmp/x',
    'python3 -Im pip install --config-settings=x y',
  ],
  'curl *': [
    ...[
      '-so',
      '-fsSLo',
      '--trace',
      '--trace-asc',
      '--stderr',
      '--libcurl',
      '--etag-save',
      '--hsts',
      '--alt-svc',
    ].map((option) => `curl ${option} ../out http://x`),
    'curl -sSo../out http://x',
    'curl -K x http://x',
    'curl -sK x http://x',
    'curl --config x',
    'curl -w @format http://x',
    'curl -sw @format http://x',
    'curl --write-out @format http://x',
    'curl --write @format http://x',
    'curl -w "$FORMAT" http://x',
    'curl --conf=x',
  ],
  'go test *': [
    'go test -exec CMD ./...',
    'go test --exec=CMD',
    'go test -toolexec CMD',
    'go test -vettool=CMD',
    'go test -overlay x',
  ],
  'go *': ['go generate', 'go env -w GOFLAGS=-exec=x', 'go run ../x'],
  'vim *': ['vim -u x a.txt', "vim -c ':!CMD' a.txt", 'vim +x a.txt', 'vim -S x', 'vim -U x'],
  'nvim *': ['nvim -l x.lua', 'nvim --cmd x'],
  'scp *': ['scp -D CMD a b', 'scp -S CMD a b', 'scp -oProxyCommand=CMD a b', 'scp -rS CMD a b'],
  'sftp *': ['sftp -D CMD x', 'sftp -b x h'],
  'ssh *': ['ssh -o ProxyCommand=CMD h', 'ssh -vF x h', 'ssh -I ./x.so h'],
  'rsync *': [
    'rsync -e CMD a h:b',
    'rsync -ave CMD a h:b',
    'rsync --rsh=CMD a h:b',
    'rsync --rs=CMD a h:b',
    'rsync --rsync-path=CMD a h:b',
  ],
  'tar *': [
    'tar xPf x.tar',
    'tar -xPf x.tar',
    'tar -xf x.tar --absolute-names',
    'tar --one-top-level=../out -xf x.tar',
    'tar -xzC.. -f x.tgz',
    "tar -cf x.tar --to-command='CMD' a.txt",
    "tar -xf x.tar --to-com='CMD'",
    "tar -cf x.tar --checkpoint=1 --checkpoint-action=exec='CMD' a.txt",
    "tar -I 'CMD' -cf x.tar a.txt",
    "tar cIf 'CMD' x.tar a.txt",
    'tar -cf x.tar -T list',
  ],
  'find *': ['find . -exec CMD \\;', 'find . -delete', 'find . -fprintf out x', 'find -files0-from list'],
  'xargs *': ['xargs -a list CMD'],
  'git log': ['ls | xargs git log', 'ls | xargs -n 1 git log'],
  'git add *': ['ls | xargs git add'],
  'npm test': ['ls | xargs npm test'],

  'env *': ["env -S 'CMD'", 'env PATH=. ls', 'env LD_PRELOAD=./x ls'],
  'docker run *': [
    'docker run -v /:/host alpine sh',
    'docker run --privileged alpine',
    'docker run --mount type=bind,src=/,dst=/h alpine',
    'docker run --pid=host alpine',
  ],
  'npm *': [
    'npm --prefix /tmp/evil test',
    'npm test --script-shell=CMD',
    'npm test --userconfig=CMD',
    'npm config set script-shell CMD',
    'npm --node-options=--require=x test',
  ],
  'npx eslint *': ['npx eslint --rulesdir evil .', 'npx eslint -c evil.js .', 'npx eslint --plugin x .'],
  'kubectl *': ['kubectl --kubeconfig=evil get pods'],
  'helm *': ['helm template x --post-renderer CMD'],
  'sort *': [
    'sort -uo ../out a.txt',
    'sort -ruo../out a.txt',
    'sort --compress-program=CMD a.txt',
    'sort --compress-pro=CMD a.txt',
  ],
  'split *': ["split --filter='CMD' a.txt"],
  'rg *': ['rg --pre CMD x'],
  'gcc *': ['gcc -wrapper CMD a.c', 'gcc -fplugin=./x.so a.c', 'gcc @list', 'gcc -B. a.c'],
  'psql *': ["psql -c '\\! CMD'", 'psql -f x.sql'],
  'sqlite3 *': ["sqlite3 x.db '.shell CMD'", "sqlite3 -cmd '.shell CMD' x.db"],
  'nc *': ['nc -e CMD h 1'],
  'pandoc *': ['pandoc -F CMD a.md', 'pandoc --lua-filter=x a.md'],
  'cargo test *': ['cargo test --config x', 'cargo test --manifest-path ../evil/Cargo.toml'],
  'pytest *': ['pytest -p evil', 'pytest -c evil.ini'],
  'yt-dlp *': ['yt-dlp --exec CMD x', 'yt-dlp --exec=CMD x', 'yt-dlp --config-loc x'],
  'just *': ['just --shell CMD', 'just -f ../x'],
  'rustc *': ['rustc -C linker=CMD a.rs', 'rustc -Clinker=CMD a.rs'],
  'nodemon *': ['nodemon -x CMD', 'nodemon --exec CMD'],
  'pylint *': ["pylint --init-hook='CMD' a"],
  'dc *': ["dc -e '!CMD'"],
};

/** The same rules cover these. */
const ordinary: Readonly<Record<string, readonly string[]>> = {
  'git *': [
    'git add -A',
    "git commit -m 'x: y'",
    'git push origin main',
    'git checkout -b x',
    'git stash',
    'git rebase main',
    'git fetch --all',
    'git clone https://x/y.git',
    'git -C src status',
    'git grep -n x',
  ],
  'sed *': [
    "sed -i 's/a/b/g' a.txt",
    "sed '/x/a a new line we add' a.txt",
    "sed -n '1,5p' a.txt",
    "sed -e ':a' -e 'N;ba' a.txt",
    "sed '1i\\\ntext' a.txt",
    "sed 's/[0-9]\\{4\\}/w/' a.txt",
  ],
  'awk *': ["awk '{ print $1 }' a.txt", "awk -F: '$3 > 5 { print $1 }' a.txt", "awk 'NR==1' a.txt"],
  'make *': ['make', 'make -j4 test', 'make V=1', 'make -C sub all'],
  'curl *': [
    'curl -sS https://x',
    'curl -X POST -d a=b https://x',
    "curl -sw '%{http_code}' https://x",
    'curl -fsSL https://x -o out',
  ],
  'wget *': ['wget -q https://x'],
  'docker *': ['docker ps', 'docker run --rm alpine ls', 'docker logs -n 5 x', 'docker build -t x .'],
  'npm *': ['npm test', 'npm run build -- --watch', 'npm install', 'npm ci'],
  'go test *': ['go test ./...', 'go test -run X -v ./pkg'],
  'tar *': ['tar -xzf x.tgz', 'tar czf x.tgz src'],
  'cargo *': ['cargo test', 'cargo build --release', 'cargo clippy -- -D warnings'],
  'rsync *': ['rsync -av --delete a/ b/'],
  'pytest *': ['pytest -q tests/a.py', 'pytest -x -k name'],
  'python3 -m pytest *': ['python3 -m pytest -q tests/a.py', 'python3 -m pytest -x -k name'],
  'rspec *': ['rspec spec/a_spec.rb', 'rspec spec/a_spec.rb:12'],
  './gradlew test *': ['./gradlew test --info'],
  'tsc *': ['tsc -p tsconfig.json', 'tsc --noEmit'],
  'npx eslint *': ['npx eslint --fix src'],
  'find *': ["find . -name '*.ts' -type f"],
  'export *': ['export NODE_ENV=test', 'export CI=1'],
  'vim *': ['vim a.txt'],
  'test *': ['test -f a.txt', 'test a = b'],
  'printf *': ["printf '%s\\n' x"],
};

const filled = (command: string): string => command.replaceAll('CMD', `touch ${place.canary}`);

describe('wildcards of rules', () => {
  it.each(Object.keys(running))('Bash(%s) does not cover what runs something else', async (rule) => {
    proves('E-39');
    const allow = [`Bash(${rule})`];
    for (const command of running[rule] ?? []) {
      const { verdict, reason } = await place.judge(filled(command), { allow });
      expect(verdict, `${command}\n${reason}`).not.toBe('allow');
    }
  });

  it.each(Object.keys(ordinary))('Bash(%s) covers ordinary uses', async (rule) => {
    proves('E-39');
    for (const command of ordinary[rule] ?? []) {
      const { verdict, reason } = await place.judge(command, { allow: [`Bash(${rule})`] });
      expect(verdict, `${command}\n${reason}`).toBe('allow');
    }
  });

  it('the exact rule covers what a wildcard does not', async () => {
    proves('E-39');
    for (const command of [
      'make build CC=gcc',
      "sed 's/x/y/w out' a.txt",
      'docker run --privileged alpine',
    ]) {
      const { wouldAllow = [] } = await place.judge(command, {
        allow: ['Bash(make *)', 'Bash(sed *)', 'Bash(docker *)'],
      });
      expect(wouldAllow).toEqual([`Bash(${command})`]);
      expect(await place.judge(command, { allow: wouldAllow })).toMatchObject({ verdict: 'allow' });
    }
  });

  it('no sed script under a wildcard runs or writes anything', async () => {
    proves('E-39');
    const part = fc.constantFrom(
      'p',
      '1',
      '/x/',
      's/x/y/',
      's/x/y/g',
      'e',
      'w',
      ' ',
      ';',
      '\n',
      '{',
      '}',
      '!',
      'a',
      '\\',
      'b',
      ':a',
      'CMD',
      'g',
      'I',
      'r',
      '$',
      ',',
    );
    const script = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(script, async (text) => {
        const command = filled(`sed '${text}' a.txt`);
        const { verdict } = await place.judge(command, { allow: ['Bash(sed *)'] });
        if (verdict === 'allow') expect(place.run(`timeout 2 ${command}`).hasCanary, command).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
