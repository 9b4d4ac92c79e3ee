import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { hostFiles } from './host-files.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import type { PermissionMode } from './policy/mode.ts';
import type { PermissionDecision, PermissionPolicy } from './policy/permission.ts';

type Row = readonly [command: string, verdict: PermissionDecision['verdict']];

function judge(
  command: string,
  rules: RuleTexts,
  policy: Partial<PermissionPolicy> = {},
): Promise<PermissionDecision> {
  const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
  const parsed = parseRules(rules, { source: 'settings.json', line: 3 }).rules;
  return decide(
    { mode: 'default', rules: parsed, workspace, ...policy },
    { tool: 'Bash', access: [{ kind: 'run', command, cwd: '/ws' }] },
  );
}

async function expectAll(rows: readonly Row[], rules: RuleTexts, mode: PermissionMode): Promise<void> {
  for (const [command, verdict] of rows) {
    const decision = await judge(command, rules, { mode });
    expect(decision.verdict, `${command}\n${decision.reason}`).toBe(verdict);
  }
}

const deny = (commands: readonly string[]): Row[] => commands.map((command) => [command, 'deny']);
const ask = (commands: readonly string[]): Row[] => commands.map((command) => [command, 'ask']);
const allow = (commands: readonly string[]): Row[] => commands.map((command) => [command, 'allow']);

describe('catastrophic commands', () => {
  it('refuses to remove the root, home or the system, however it is spelt', async () => {
    proves('E-40');
    const commands = [
      'rm -rf /*',
      'rm -rf "$HOME"/',
      `rm -rf $\{HOME}/*`,
      'rm -r -f -- ~/',
      'rm -rf /home/u',
      'rm -rf /home',
      'rm -rf ../../..',
      'rm -rf /usr',
      'rm -rf /{bin,etc}',
      'rm -rf --no-preserve-root /',
      'cd / && rm -rf *',
      'cd ~; rm -rf .',
      'D=/; rm -rf $D',
      'mv ~ /tmp/x',
      'find / -delete',
      'find ~ -type f -exec rm {} +',
      'chmod -R 777 /',
      'chown -R u /etc',
    ];
    await expectAll(deny(commands), { allow: ['Bash'] }, 'bypassPermissions');
  });

  it('refuses other accounts, shutdown, disks and fork bombs behind wrappers, quotes and scripts', async () => {
    proves('E-40');
    const commands = [
      'X="sudo id"; $X',
      's""udo id',
      's$@udo id',
      `s$\{X}udo id`,
      'cat <<EOF | bash\nsudo id\nEOF',
      '/usr/bin/sudo id',
      "$'\\x73udo' id",
      'sud\\\no id',
      '/usr/bin/sud? id',
      'echo hi | sudo tee /etc/x',
      'echo $(sudo id)',
      'env -i A=1 sudo id',
      "env -S 'sudo id'",
      'timeout 5 nice -n 3 sudo id',
      'sh -c \'bash -c "sudo id"\'',
      'find . -exec sudo rm {} \\;',
      'xargs -I{} sudo rm {}',
      'echo "sudo id" | bash',
      'bash <<EOF\nsudo id\nEOF',
      'bash <<< "sudo id"',
      'if true; then sudo x; fi',
      'eval "su"do id',
      'command sudo id',
      'exec sudo id',
      '! sudo id',
      '{ sudo id; }',
      `${'nice '.repeat(20)}sudo id`,
      'echo "unclosed; sudo id',
      'systemctl reboot',
      'init 0',
      'kill -9 -1',
      ':(){ :|:& };:',
      'bomb(){ bomb & bomb; }; bomb',
      'cat x > /dev/sda',
      'cat x | tee /dev/nvme0n1',
      'mkfs.ext4 /dev/sdb1',
    ];
    await expectAll(deny(commands), { allow: ['Bash'] }, 'bypassPermissions');
  });

  it('leaves the harmless look-alikes alone', async () => {
    proves('E-40');
    const commands = [
      'rm -rf ~/project/dist',
      'rm -rf node_modules/*',
      'rm -rf /ws/dist',
      'rm -rf *',
      'find . -name "*.log" -delete',
      'echo "sudo"',
      'which sudo',
      'command -v sudo',
      'grep -r sudo .',
      'git commit -m "sudo reboot"',
      'npm run reboot',
      'mv a.txt ~',
      'cp a ~/',
      'echo x > /dev/null',
      'Sudo id',
      'f(){ f; }',
    ];
    await expectAll(allow(commands), {}, 'bypassPermissions');
  });

  it('names the built-in rule and offers none that would allow it', async () => {
    proves('E-40');
    const decision = await judge('nohup sudo id', { allow: ['Bash'] });
    expect(decision).toMatchObject({
      verdict: 'deny',
      rule: { text: 'Bash(sudo *)', origin: { source: 'built-in catastrophic commands' } },
      reason: expect.stringContaining('Bash(sudo *)'),
    });
    expect(decision.wouldAllow).toBeUndefined();
  });
});

describe('deny rules', () => {
  it('hit any command anywhere, in every reading', async () => {
    proves('R-10', 'E-39');
    const commands = [
      'x && (y; case a in a) rm b;; esac)',
      '/bin/rm x',
      '$EMPTY rm x',
      '{rm,-rf,x}',
      'X=rm; $X -rf x',
      'for c in rm ls; do $c x; done',
      'trap "rm x" EXIT',
      'find . -exec rm {} +',
      'watch rm x',
      'flock /tmp/l rm x',
      'coproc rm x',
      'cat <<EOF\n$(rm x)\nEOF',
      `echo $\{X:-$(rm x)}`,
      'a[$(rm x)]=1',
      'bash -lc "rm x"',
      'busybox rm x',
      'timeout --unknown 5 rm x',
      `${"bash -c '".repeat(1)}rm x'`,
      `echo a${'; echo a'.repeat(200)}; rm x`,
    ];
    await expectAll(deny(commands), { deny: ['Bash(rm *)'], allow: ['Bash'] }, 'bypassPermissions');
  });

  it('do not hit what only looks like the command', async () => {
    proves('R-10', 'E-39');
    const commands = [
      'timeout 10 grep rm file',
      'echo rm x',
      'rmdir x',
      "cat <<'EOF'\n$(rm x)\nEOF",
      'ls # rm x',
    ];
    await expectAll(allow(commands), { deny: ['Bash(rm *)'] }, 'bypassPermissions');
  });

  it('look past the options before a subcommand', async () => {
    proves('R-10');
    const commands = ['git --git-dir=x push', 'git -c a=b --no-pager push', 'git -C . push origin main'];
    await expectAll(deny(commands), { deny: ['Bash(git push *)'] }, 'bypassPermissions');
    await expectAll(deny(['npm --prefix x publish']), { deny: ['Bash(npm publish:*)'] }, 'bypassPermissions');
  });

  it('find options in any order and spelling', async () => {
    proves('R-10');
    const commands = [
      'rm -fr x',
      'rm -r -f x',
      'rm x -rf',
      'rm --force --recursive x',
      'rm -Rf x',
      'rm -rvf x',
    ];
    await expectAll(
      [...deny(commands), ...allow(['rm -r x', 'rm x'])],
      { deny: ['Bash(rm -rf *)'] },
      'bypassPermissions',
    );
    await expectAll(
      [...deny(['git push origin main --force', 'git push -f']), ...allow(['git push', 'git fetch --force'])],
      { deny: ['Bash(git push --force *)'] },
      'bypassPermissions',
    );
  });

  it('keep an allow rule from covering what may become the denied command', async () => {
    proves('R-10');
    await expectAll(ask(['git $X']), { allow: ['Bash(git *)'], deny: ['Bash(git push *)'] }, 'default');
  });

  it('name the rule with its file and line', async () => {
    proves('R-10');
    const decision = await judge('ls && rm x', { deny: ['Bash(rm *)'] });
    expect(decision.reason).toBe('`rm x` is refused by the deny rule Bash(rm *) (settings.json:3).');
    expect(decision.rule?.origin).toEqual({ source: 'settings.json', line: 3 });
  });

  it('for files reach commands and redirections', async () => {
    proves('R-10');
    const reading = [
      'grep KEY .env',
      'cp .env x',
      'git show HEAD:.env',
      'cat sub/.env',
      'cd sub && cat .env',
      'cat < .env',
      'tee .env',
    ];
    await expectAll(deny(reading), { deny: ['Read(.env)'] }, 'bypassPermissions');
    await expectAll(
      deny(['cat $HOME/.ssh/id_rsa', 'cat ~/.ssh/id_rsa']),
      { deny: ['Read(~/.ssh/**)'] },
      'bypassPermissions',
    );
    const writing = [
      'echo x > src/a.ts',
      'sed -i s/a/b/ src/a.ts',
      'rm src/a.ts',
      'cp a src/a.ts',
      'dd if=x of=src/a.ts',
    ];
    await expectAll(deny(writing), { deny: ['Edit(/src/**)'] }, 'bypassPermissions');
    await expectAll(
      allow(['cat src/a.ts', 'cp src/a.ts b']),
      { deny: ['Edit(/src/**)'] },
      'bypassPermissions',
    );
    await expectAll(
      [...ask(['cat .e*', 'cat .en?']), ...allow(['cat *.ts', 'grep .env src/a.ts'])],
      { deny: ['Read(.env)'] },
      'default',
    );
  });
});

describe('allow rules', () => {
  it('cover a command by its words, plainly named', async () => {
    proves('R-12');
    const rows = [
      ...allow([
        'npm test',
        'npm',
        'npm run $X',
        '(npm test)',
        '{ npm test; }',
        'NODE_ENV=test npm test',
        'npm test # rm',
        'npm test; echo $?',
      ]),
      ...ask([
        './npm test',
        '"npm" test',
        'npm test > out.txt',
        'npm test && $(npm bin)/x',
        'env npm test',
        'PATH=. npm test',
      ]),
    ];
    await expectAll(rows, { allow: ['Bash(npm *)'] }, 'default');
    await expectAll(
      [...allow(['npm  run\tbuild']), ...ask(['npm "run build"', 'npm run build --x', 'npm run $X'])],
      { allow: ['Bash(npm run build)'] },
      'default',
    );
  });

  it('see through the transparent wrappers and no others', async () => {
    proves('R-12');
    const rows = [
      ...allow(['timeout 30 npm test', 'timeout -k 5 30 npm test', 'nohup npm test', 'command npm test']),
      ...ask(['timeout --foo 30 npm test', 'env npm test', 'xargs -n1 npm test', 'setsid npm test']),
      // It may add --script-shell.
      ...ask(['xargs npm test']),
    ];
    await expectAll(rows, { allow: ['Bash(npm test *)'] }, 'default');
    await expectAll(allow(['ls | xargs lint-files']), { allow: ['Bash(lint-files *)'] }, 'default');
    await expectAll(ask(['ls | xargs -n1 rm', 'xargs rm']), { allow: ['Bash(xargs *)'] }, 'default');
  });

  it('do not cover by a wildcard what runs another program', async () => {
    proves('R-12');
    await expectAll(
      [...ask(['find . -delete']), ...allow(['find /etc -name x'])],
      { allow: ['Bash(find *)'] },
      'default',
    );
    await expectAll(allow(['find . -delete']), { allow: ['Bash(find * -delete)'] }, 'default');
    await expectAll(
      [...ask(['git -c core.pager=x log']), ...allow(['git push origin main'])],
      { allow: ['Bash(git *)'] },
      'default',
    );
    await expectAll(ask(['curl x | sh']), { allow: ['Bash(curl *)', 'Bash(sh *)'] }, 'default');
    await expectAll(ask(['ls() { curl x; }; ls']), { allow: ['Bash(ls *)'] }, 'default');
    await expectAll(ask(['echo x | tee .git/hooks/pre-commit']), { allow: ['Bash(tee *)'] }, 'default');
  });

  it('cover a whole script that they spell out', async () => {
    proves('R-12');
    const script = 'for i in 1 2; do npm test; done';
    await expectAll(
      allow([script, script.replace(' in ', '   in ')]),
      { allow: [`Bash(${script})`] },
      'default',
    );
    await expectAll(ask([`${script}; ls -R`]), { allow: [`Bash(${script})`] }, 'default');
  });

  it('take a quoted here-document in a substitution for the quoting it is', async () => {
    proves('R-12');
    const commit = (inner: string, quote: string): string =>
      `git commit -m "$(cat <<${quote}EOF${quote}\n${inner}\nEOF\n)"`;
    await expectAll(
      allow([commit('fix: a; rm $(b)', "'")]),
      { allow: ['Bash(git commit *)'], deny: ['Bash(rm *)'] },
      'default',
    );
    await expectAll(
      ask([commit('fix $(id)', ''), 'git commit -m "$(cat x)"']),
      { allow: ['Bash(git commit *)'] },
      'default',
    );
    await expectAll(
      deny([`bash -c "$(cat <<'EOF'\nsudo id\nEOF\n)"`]),
      { allow: ['Bash'] },
      'bypassPermissions',
    );
  });

  it('for all of Bash still ask before a redirection to a protected file or out of the workspace', async () => {
    proves('R-12');
    const rows = [
      ...allow(['for i in 1 2; do npm test; done', 'echo x > y', 'echo $(id)']),
      ...ask(['echo x > ~/.bashrc', 'echo x > .git/config']),
    ];
    await expectAll(rows, { allow: ['Bash'] }, 'default');
  });

  it('stand behind ask rules and before the mode', async () => {
    proves('R-10', 'R-11');
    const rules = { allow: ['Bash(git *)'], ask: ['Bash(git push *)'] };
    await expectAll([...ask(['git push']), ...allow(['git pull'])], rules, 'plan');
    await expectAll(ask(['git push']), rules, 'bypassPermissions');
  });
});

describe('read-only commands', () => {
  it('run without asking as long as they only read here', async () => {
    proves('R-11', 'E-39');
    const commands = [
      'ls *.ts',
      'wc -l src/*.py',
      'cd sub && ls',
      'cd sub && cat ../a',
      'cd /ws/sub',
      "awk '{print $1}' f",
      "sed 's/a/b/g' f",
      "sed -n '$p' f",
      'grep -n /api/v1 src/a.ts',
      'rg foo src',
      'jq .name package.json',
      'date +%F',
      'git branch',
      'git log --oneline -5',
      'test -f x && cat x',
      '[[ -f x ]] && cat x',
      'echo hi 2>/dev/null',
      'cat <<< hi',
    ];
    await expectAll(allow(commands), {}, 'default');
    await expectAll(allow(commands), {}, 'plan');
  });

  it('ask when they leave the workspace, show secrets, write or run something', async () => {
    proves('E-39');
    const commands = [
      'sort *.txt',
      'cat /etc/passwd',
      'cat ~/.ssh/id_rsa',
      'cd sub && cat ../../a',
      '(cd sub) && cat ../a',
      'cd && ls',
      'cd -',
      'env',
      'printenv',
      'ps auxe',
      'uniq a b',
      'awk \'{print > "x"}\' f',
      "sed 's/a/b/w out' f",
      "sed 's/a/id/e' f",
      'grep -f /etc/passwd x',
      'grep --file=/etc/passwd x',
      'jq env.HOME package.json',
      "jq -n '$ ENV.HOME'",
      "jq -n '$ # x\n__prog_args'",
      'date 01010000',
      'git branch -D x',
      'git stash',
      'git remote -v update',
      'base64 -o out x',
      'git -C /tmp status',
      "[ -v 'a[$(id)]' ]",
      'cat < ../x',
      'cat <<< $X',
      `echo $\{X@P}`,
      '\\ls',
    ];
    await expectAll(ask(commands), {}, 'default');
  });

  it('in plan mode only reading is left, and reading outside is asked for', async () => {
    proves('R-11');
    await expectAll(
      [...ask(['cat ../x']), ...deny(['npm test', 'echo x > y', 'touch y', 'for i in 1; do ls; done'])],
      {},
      'plan',
    );
    await expectAll(deny(['npm test > out.txt']), { allow: ['Bash(npm *)', 'Edit(out.txt)'] }, 'plan');
  });

  it('in acceptEdits a redirection in the workspace is a write like any other', async () => {
    proves('R-11');
    await expectAll(
      [...allow(['echo x > y']), ...ask(['echo x > ../y', 'echo x > .VSCODE/tasks.json', 'touch y'])],
      {},
      'acceptEdits',
    );
  });

  it('follow links where the policy can resolve them', async () => {
    proves('E-39');
    const realPath = (file: string): string => file.replace('/ws/link', '/out');
    const files = { ...hostFiles, realPath };
    expect((await judge('cat link/secret', {}, { files })).verdict).toBe('ask');
    expect((await judge('cd link && cat secret', {}, { files })).verdict).toBe('ask');
    expect((await judge('echo x > link/secret', {}, { files, mode: 'acceptEdits' })).verdict).toBe('ask');
    expect((await judge('cat link/secret', { deny: ['Read(//out/**)'] }, { files })).verdict).toBe('deny');
    expect((await judge('cat src/a', {}, { files })).verdict).toBe('allow');
  });
});

describe('commands that are not what they seem', () => {
  it.each([
    'npm test\u00a0x',
    'npm test \u202egnp',
    'npm test\u200b',
    'npm test\r',
    'npm \u001b[2J',
    'npm \ue001',
    'npm \u{e0041}',
    'npm "unclosed',
    'npm )',
    'npm test \u2028 x',
  ])('never allows %j by a rule', async (command) => {
    proves('E-39');
    const decision = await judge(command, { allow: ['Bash', 'Bash(npm *)'] });
    expect(decision.verdict).toBe('ask');
    expect(decision.wouldAllow).toBeUndefined();
  });

  it('refuses a command that is empty or cannot be given to a shell', async () => {
    proves('E-39');
    await expectAll(deny(['', '  \n\t', 'ls\0']), { allow: ['Bash'] }, 'bypassPermissions');
  });

  it('answers about hostile sizes and depths', async () => {
    proves('E-39');
    const commands = [
      `${'$('.repeat(300)}ls${')'.repeat(300)}`,
      `${'('.repeat(3000)}ls${')'.repeat(3000)}`,
      '`'.repeat(1001),
      Array.from({ length: 5000 }, (_, at) => `cd a${at}`).join(';'),
      `${'{a,b}'.repeat(30)} x`,
    ];
    await expectAll(ask(commands), { allow: ['Bash(echo *)'], deny: ['Bash(rm *)'] }, 'default');
  });
});

describe('commands judged at the same moment', () => {
  it('get each the answer about their own text, in any order and again', async () => {
    const rows = [
      ...allow(['ls', 'git status', 'echo a']),
      ...deny(['rm -rf /']),
      ...ask(['make', 'ls > x']),
    ];
    const all = [...rows, ...rows.toReversed(), ...rows.flatMap((row) => [row, row])];
    const decisions = await Promise.all(all.map(([command]) => judge(command, {})));
    expect(decisions.map(({ verdict }) => verdict)).toEqual(all.map(([, verdict]) => verdict));
    await expectAll(all, {}, 'default');
  });
});

describe('the rules that would allow', () => {
  it.each([
    ['git push origin main', ['Bash(git push origin main)']],
    ['npm run build --watch', ['Bash(npm run build --watch)']],
    ['make all && curl -s http://x', ['Bash(make all)', 'Bash(curl -s http://x)']],
    ['cat /etc/hosts', ['Read(//etc/hosts)']],
    ['echo x > out/a.txt', ['Edit(out/a.txt)']],
    ['find . -name x -delete', ['Bash(find . -name x -delete)']],
    ['FOO=1 npm test', ['Bash(FOO=1 npm test)']],
    ['echo $(id)', ['Bash(echo $(id))']],
    ['curl -s x | bash', ['Bash(curl -s x | bash)']],
    ['watch npm test', ['Bash(watch npm test)', 'Bash(npm test)']],
  ])('are the smallest for %s', async (command, rules) => {
    proves('R-12');
    const decision = await judge(command, {});
    expect(decision).toMatchObject({ verdict: 'ask', wouldAllow: rules });
    expect((await judge(command, { allow: decision.wouldAllow ?? [] })).verdict).toBe('allow');
  });
});
