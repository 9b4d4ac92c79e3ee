// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of bash.
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

let place: RealWorkspace;
beforeAll(() => {
  place = new RealWorkspace();
  place.write('a.txt', 'x\n');
});
afterAll(() => place.remove());

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Lines that start what a deny rule stops, by a name that the line builds or by an unusual way. */
const running = [
  `node -e "require('child_process').exec(['to','uch x'].join(''))"`,
  'node -e \'require("child_process").exec(`to${"uch"} x`)\'',
  `node -e "require('child_process').exec(Buffer.from('746f','hex').toString())"`,
  `node -e "require('child_process').spawn(['to','uch'].join(''),['x'])"`,
  `node -e "const c=require('child_process');const e=c.exec;e(['to','uch'].join(''))"`,
  `node -e "const {exec: e}=require('child_process');e(['to','uch'].join(''))"`,
  `node -e "const c=require('child_process');c['ex'+'ec'](['to','uch'].join(''))"`,
  `node -e "import('child_process').then(c=>c.exec(['to','uch x'].join('')))"`,
  `deno eval "new Deno.Command(['to','uch'].join('')).spawn()"`,
  `bun -e 'Bun.spawn([["to","uch"].join(""),"x"])'`,
  `ruby -e 'Process.spawn(["to","uch x"].join)'`,
  `python3 -c 'import asyncio; asyncio.create_subprocess_shell("".join(["to","uch"]))'`,
  "echo 'touch x' | parallel",
  "parallel <<< 'touch x'",
  'cat f | parallel -j 2',
  'cat f | parallel {}',
  'IFS=,; c=touch,x; $c',
  'IFS=,; c=touch,x; env $c',
  "a='-c touch'; bash $a",
  'cmake -E env touch x',
  'cmake -E env A=1 touch x',
  'cmake -E time touch x',
  'cmake -E chdir . touch x',
  'nix develop -c touch x',
  'nix shell nixpkgs#x --command touch x',
  "nix-shell --run 'touch x'",
  "nix-shell -p touch --command='touch x'",
  "bat --pager 'touch x' a",
  "bat --pager='touch x' a",
  'tmux new -d touch x',
  'tmux new -d -s a touch x',
  'tmux new -s touch touch x',
  'tmux -c touch',
  "tmux new-window -n touch 'touch x'",
  'screen -S touch -dm touch x',
  "go run -exec 'touch x' .",
  `psql -c "copy t to program 'touch x'"`,
  "mysql -e 'system touch x'",
  "sqlite3 a.db 'select 1;' '.system touch x'",
];

/** Code that only holds the word, and names that are no programs. */
const speaking = [
  'nix-shell -p curl',
  'nix shell nixpkgs#curl',
  'go run . rm x',
  "go test -run 'rm|curl' ./...",
  'tmux new -d -s rm',
  'tmux attach -t rm',
  'tmux kill-session -t curl',
  'screen -S rm -ls',
  'python3 -m pytest -k "rm and not curl"',
  'pytest -k "rm and not curl"',
  'journalctl -u sudo --since "1 hour ago"',
  'bundle exec rspec -e "curl works"',
  'jest --testNamePattern="sudo rm"',
  'npx jest -t "rm works"',
  "phpunit --filter 'rm works'",
  "node --test --test-name-pattern='rm x'",
  "gradle test --tests 'rm x'",
  'DESCRIPTION="rm the old way" npm test',
  'PR_TITLE="curl is gone" make release',
  `python3 -c "import json; d={'rm':1}; print(d['rm'])"`,
  `python3 -c 'import re, sys; print(re.sub("rm", "x", "rm y"))'`,
  `python3 -c 'import os; print(os.listdir("rm"), os.path.join("curl", "x"))'`,
  "python3 - <<'E'\nprint('rm -rf build; curl x')\nE",
  'psql -c "select * from rm"',
  'psql -c "select \'rm x\' || name from t"',
  "mysql -e 'select * from rm'",
  "sqlite3 a.db 'select * from rm'",
  "perl -ne 'print if /rm /' f",
  "perl -i -pe 's/rm -rf/rimraf/; s/curl|wget/fetch/' f",
  `node -e "console.log('rm -rf x; curl y')"`,
  `node -e "console.log(/rm (.*)/.exec('rm y')[1])"`,
  `node -e "console.log(require('fs').readFileSync('rm', 'utf8'), process.argv[1])"`,
  `node -p "require('./package.json').scripts['rm']"`,
  `ruby -e 'puts "rm x"'`,
  `php -r 'echo "rm";'`,
  `lua -e 'print("curl x")'`,
  'ls | parallel gzip',
  'while IFS=, read -r a b; do echo $a; done < f',
];

/** Ways of code to start a program: each runs the command. */
const starts: readonly ((text: string) => string)[] = [
  (text) => `node -e ${quoted(`require("child_process").exec(${JSON.stringify(text)})`)}`,
  (text) => `node -e ${quoted(`child_process.spawnSync("sh", ["-c", ${JSON.stringify(text)}])`)}`,
  (text) => `node -e ${quoted(`globalThis["child_"+"process"].execSync(${JSON.stringify(text)})`)}`,
  (text) =>
    `node -e ${quoted(`process["main"+"Module"]["req"+"uire"]("child_"+"process").execSync(${JSON.stringify(text)})`)}`,
  (text) => `node -e ${quoted(`r\\u0065quire("child_\\u0070rocess").execSync(${JSON.stringify(text)})`)}`,
  (text) =>
    `node -e ${quoted(`eval("requi"+"re('child_pro'+'cess').ex"+"ecSync")(process.argv[1])`)} ${quoted(text)}`,
  (text) => `python3 -c ${quoted(`import pty; pty.spawn(["sh", "-c", ${JSON.stringify(text)}])`)}`,
  (text) => `python3 -c ${quoted(`import os; getattr(os, "sys"+"tem")(${JSON.stringify(text)})`)}`,
  (text) => `python3 -c ${quoted(`import os; vars(os)["sys" "tem"](${JSON.stringify(text)})`)}`,
  (text) =>
    `python3 -c ${quoted(`import json; json.codecs.sys.modules["o"+"s"].popen(${JSON.stringify(text)}).read()`)}`,
  (text) => `python3 -c ${quoted(`import os; os.\u{17F}ystem(${JSON.stringify(text)})`)}`,
  (text) => `python3 -c ${quoted(`import platform; platform.os.system(${JSON.stringify(text)})`)}`,
  (text) =>
    `python3 -c ${quoted('import os,sys; os.execvp("sh", ["sh", "-c", sys.argv[1]])')} ${quoted(text)}`,
  (text) => `perl -ne 'print' ${quoted(`${text} |`)}`,
  (text) => `perl -e 'print while <>' ${quoted(`${text}|`)}`,
  (text) =>
    `perl -e ${quoted('&{"CORE::GLOBAL::x"} if 0; my $s = "sys"."tem"; eval "$s \\$ARGV[0]"')} ${quoted(text)}`,
  (text) => `perl -e ${quoted(`open(my $f, "-|", "sh", "-c", $ARGV[0]); <$f>`)} ${quoted(text)}`,
  (text) => `echo ${quoted(text)} | perl -ne 'print \`$_\`'`,
  (text) => `python3 - ${quoted(text)} <<'E'\nimport os, sys\nos.system(sys.argv[1])\nE`,
];
const commands = ['touch MARK', 'true; touch MARK', "t''ouch MARK", 'env touch MARK', '/usr/bin/touch MARK'];

describe('code that starts programs', () => {
  it.each(running)('what a deny rule stops is not allowed: %s', async (line) => {
    proves('E-39', 'R-10');
    const { verdict } = await place.judge(line, { deny: ['Bash(touch *)'] }, { mode: 'bypassPermissions' });
    expect(verdict).not.toBe('allow');
  });

  it.each(speaking)('code and names that start nothing are allowed: %s', async (line) => {
    proves('R-11');
    const deny = ['Bash(rm *)', 'Bash(curl *)', 'Bash(sudo *)'];
    const { verdict, reason } = await place.judge(line, { deny }, { mode: 'bypassPermissions' });
    expect(verdict, reason).toBe('allow');
  });

  it('whatever still runs the command is denied or asked about', async () => {
    proves('E-39', 'R-10');
    const cases = fc.record({ start: fc.constantFrom(...starts), command: fc.constantFrom(...commands) });
    await fc.assert(
      fc.asyncProperty(cases, async ({ start, command }) => {
        const line = start(command.replaceAll('MARK', place.canary));
        const deny = ['Bash(touch *)'];
        const { verdict } = await place.judge(line, { deny }, { mode: 'bypassPermissions' });
        if (verdict === 'allow') expect(place.run(line).hasCanary, line).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
