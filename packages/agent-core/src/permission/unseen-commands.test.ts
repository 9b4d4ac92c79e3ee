// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of bash.
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import type { PermissionMode } from './policy/mode.ts';
import type { PermissionDecision } from './policy/permission.ts';

function judge(
  command: string,
  rules: RuleTexts = {},
  mode: PermissionMode = 'default',
): Promise<PermissionDecision> {
  const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
  const policy = { mode, rules: parseRules(rules, { source: 'test' }).rules, workspace };
  return decide(policy, { tool: 'Bash', access: [{ kind: 'run', command, cwd: '/ws' }] });
}

describe('text that is evaluated again', () => {
  it.each([
    "echo x {a['$(rm -rf /)']}>/dev/null",
    "[[ -n ${PWD:'$(sudo id)'} ]]",
    "echo hi >&'$(sudo id)'",
    "x='a[$(sudo id)]'; echo $((x))",
    "printf -v 'a[$(sudo id)]' x",
    "while read x; do echo $((x)); done <<< 'a[`sudo id`]'",
    `eval "[[ -v 'a[\\$(sudo id)]' ]]"`,
    "ev${x}al 'sudo id'",
    'env$x sudo id',
    "ba$(true)sh -c 'sudo id'",
  ])('what is never allowed is refused inside it in every mode: %s', async (command) => {
    proves('E-39', 'E-40');
    for (const mode of ['default', 'plan', 'acceptEdits', 'bypassPermissions'] as const)
      expect((await judge(command, {}, mode)).verdict).toBe('deny');
  });

  it.each([
    "echo '$(id)'",
    "grep '`x`' README.md",
    "grep -n '${HOME}' src/a.ts",
    "git log --format='%h $(x)'",
    "[[ -n '$(id)' ]]",
    "cat <<'E'\n${PWD:'$(id)'}\nE",
    "awk '{print $1}' f",
    "jq '.[0]' f",
    'ls src 2>&1',
    'ls >/dev/null 2>&1',
    'ls src/[a-z]*.ts',
    "find . -name '[ab]*'",
    "grep -E '(<(a|b)>)' f",
    'echo "2>(x)"',
    "cat <<'E O'\n$x\nE O",
    'cat <<-END.of-file\nx\nEND.of-file',
  ])('quoted text that is only read stays unasked: %s', async (command) => {
    proves('R-11');
    expect((await judge(command)).verdict).toBe('allow');
  });

  it.each(['echo ${sha:0:7}', 'echo "${PWD: -3}"', 'echo $X', "echo 'a[$(id)]'"])(
    'a wildcard still covers plain expansions: %s',
    async (command) => {
      proves('R-12');
      expect((await judge(command, { allow: ['Bash(echo:*)'] })).verdict).toBe('allow');
    },
  );

  it.each(['echo [$TOKEN]', 'echo a[$TOKEN]b', 'ls [${TOKEN}]*'])(
    'a variable in brackets asks, since it may hold a secret: %s',
    async (command) => {
      proves('E-39');
      expect((await judge(command)).verdict).toBe('ask');
    },
  );

  it('a descriptor in a variable asks, since it sets the variable', async () => {
    proves('E-39');
    expect((await judge('echo x {PATH}>/dev/null; ls')).verdict).toBe('ask');
  });

  it.each(['echo "${x:-"$"(id)}"', 'echo "${x:=$"$"(id)}"', 'echo "${x:-"$"TOKEN}"'])(
    'a wildcard does not cover quotes in a quoted parameter that hide an expansion: %s',
    async (command) => {
      proves('E-39');
      expect((await judge(command, { allow: ['Bash(echo:*)'] })).verdict).toBe('ask');
      expect((await judge('echo "${x:-"$HOME"}"', { allow: ['Bash(echo:*)'] })).verdict).toBe('allow');
    },
  );

  it('an exact rule does not allow quoted text that is evaluated again', async () => {
    proves('E-39');
    const command = "echo ${PWD:'$(id)'}";
    expect((await judge(command, { allow: [`Bash(${command})`] })).verdict).toBe('ask');
  });
});

describe('a rule that may apply', () => {
  const deny = ['Bash(curl:*)'];

  it.each([
    '$(printf curl) x',
    'c?rl x',
    'x=$(echo curl); $x',
    'x=ls; x=$(echo curl); $x y',
    'x=cu; x+=rl; $x y',
    'x=CURL; ${x,,} y',
    'x=xcurl; ${x#x} y',
    'x=ls; ${x:+curl} y',
    'x=; : ${x:=curl}; $x y',
    '"$TOOL" y',
    'bash -c "$SCRIPT"',
    'eval "$(cat script)"',
    'find . -exec bash -c "$SCRIPT" \\;',
    'mapfile -C curl -c 1 a',
    'x=([0]=curl); $x y',
    'BASH_CMDS[ls]=/usr/bin/curl; ls',
    "printf -v x 'a[\\44(curl x)]'; ((x))",
    "x='a[$Q(curl x)]'; y=${x/Q}; ((y))",
    "command printf -v x 'a[%.1s(curl x)]' '$x'; ((x))",
    "builtin printf -v x 'a[\\44(curl x)]'; ((x))",
    'command -p printf -v x %q $\'\\n\'; y="a[${x:0:1}(curl x)]"; ((y))',
    "builtin set -- 'a[$Q(curl x)]'; y=${1/Q}; ((y))",
    'echo "${x:-"a$"(curl x)}"',
    'y="${x:+"$"(curl x)}"',
    '[[ -n "${x:-"$"(curl x)}" ]]',
    'y=\'$x\'; x="a[${y%x}(curl x)]"; ((x))',
    "cat <<E\n${x:-'}$(curl x)'}\nE",
    'unset *',
    'command unset [a]*',
    'declare {x,a*}',
    'let @(a*)',
    'test -v *',
    'printf -v a* x',
    'printf *',
    'echo x >&a*',
    'echo $((x)); echo "a[\\$(c\'\'url x)]"',
    'cat script | bash',
    'cat script | env bash -s',
    'cat script | { cat | sh; }',
    '{ bash; } < script',
    'exec < script; bash',
    'bash <(cat script)',
    '. <(cat script)',
    'timeout 5 source /dev/stdin < script',
    'bash /dev/fd/3 3< script',
    "printf '\\x63url x' | sh",
    'f() { bash; }; f < script',
    'cat words | xargs bash',
    "cat words | xargs -I% sh -c '% x'",
    "cat words | xargs -i sh -c '{} x'",
    'hash -p /usr/bin/curl ls; ls x',
    'history -s x; fc -s x',
    'x=1;x=2;x=3;x=4;x=5;x=6;x=7;x=8;x=9;x=10;x=curl;$x y',
  ])('asks even under bypassPermissions: %s', async (command) => {
    proves('E-39', 'R-10');
    const decision = await judge(command, { deny }, 'bypassPermissions');
    expect(decision.verdict).not.toBe('allow');
    expect(decision.rule?.text).toBe('Bash(curl:*)');
    expect((await judge(command, {}, 'bypassPermissions')).verdict).toBe('allow');
  });

  it.each([
    "{ bash; } <<< 'curl x'",
    "if true; then sh; fi <<< 'curl x'",
    'cat <<E | (bash)\ncurl x\nE',
    "echo 'curl x' | { cat | sh; }",
    'ld.so /usr/bin/curl x',
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/curl x',
    'start-stop-daemon -S -x /usr/bin/curl -- x',
    "gdb -batch -ex 'shell curl x'",
    "split --filter='curl x' a.txt",
    "zip a.zip a.txt -T -TT 'curl x'",
    "sqlite3 :memory: '.shell curl x'",
  ])('a denied command that a shell or program is given in the line is denied: %s', async (command) => {
    proves('E-39', 'R-10');
    expect((await judge(command, { deny }, 'bypassPermissions')).verdict).toBe('deny');
    const refused = command.replace('/usr/bin/curl', 'sudo').replace('curl', 'sudo');
    expect((await judge(refused, {}, 'bypassPermissions')).verdict).toBe('deny');
  });

  it.each(['bash build.sh < data', 'sh -c ls', "bash <<< 'ls'", 'ls | xargs grep x', 'bash --version'])(
    'a shell whose script is known does not ask under bypassPermissions: %s',
    async (command) => {
      proves('R-11');
      expect((await judge(command, { deny }, 'bypassPermissions')).verdict).toBe('allow');
    },
  );

  it.each(['unset *', 'test -v a*', 'declare a*'])(
    'a rule does not allow names of files that are evaluated: %s',
    async (command) => {
      proves('E-39');
      const name = command.split(' ')[0] ?? '';
      expect((await judge(command, { allow: [`Bash(${name} *)`, `Bash(${command})`] })).verdict).toBe('ask');
    },
  );

  it.each([
    'npm test',
    "printf '%s\\n' *.ts",
    'test -f *.ts',
    "n=$(awk '{print $1}' f); echo $((n + 1))",
    'export PATH="$PWD/bin:$PATH"',
    'echo $HOME',
    'for i in 1 2; do echo $((i * 2)); done',
    "awk '{print $1}' f | sort",
  ])('nothing else asks under bypassPermissions: %s', async (command) => {
    proves('R-11');
    expect((await judge(command, { deny }, 'bypassPermissions')).verdict).toBe('allow');
  });

  it('a glob that may be a denied file asks under bypassPermissions', async () => {
    proves('E-39');
    expect((await judge('cat .en?', { deny: ['Read(.env)'] }, 'bypassPermissions')).verdict).toBe('ask');
  });
});

describe('the budget of a decision', () => {
  const repeated: Readonly<Record<string, string>> = {
    'escapes of sed': `sed 's/${'\\([0-9]\\{4\\}\\)-'.repeat(60)}/\\1\\/\\2/g' app.log`,
    'substitutions of sed': `sed '${'s/'.repeat(30_000)}' f`,
    'wrappers with unknown options': `${'xargs -x -y -z '.repeat(25)}ls`,
    evals: `${'eval '.repeat(300)}ls`,
    'calls in code': `perl -e '${'exec'.repeat(20_000)}'`,
    'equal signs': `foo ${'a='.repeat(50_000)}`,
    'actions of find': `find . ${'-exec xargs -x -y ls ; '.repeat(2_000)}`,
    operators: `echo $((${'1+'.repeat(20_000)}1))`,
    'texts evaluated again': "echo ${PWD:'$(id)'};".repeat(3_000),
    'layers of text': Array.from({ length: 9 }).reduce<string>(
      (text) => `echo \${PWD:'$(${text.replaceAll("'", `'\\''`)})'}`,
      'id',
    ),
  };

  it.each(Object.entries(repeated).map(([what, command]) => ({ what, command })))(
    'any number of $what gets an answer',
    async ({ command }) => {
      proves('E-39');
      for (const mode of ['default', 'bypassPermissions'] as const)
        expect((await judge(command, { deny: ['Bash(curl:*)', 'Read(.env)'] }, mode)).reason).not.toBe('');
    },
  );

  it('what exceeds it is not allowed where a rule may apply, and refused where it shows', async () => {
    proves('E-39');
    const wrapped = 'xargs -x -y -z '.repeat(25);
    expect((await judge(`${wrapped}ls`, { allow: ['Bash(xargs *)'] })).verdict).toBe('ask');
    expect((await judge(`${wrapped}ls`, { deny: ['Bash(curl:*)'] }, 'bypassPermissions')).verdict).toBe(
      'ask',
    );
    expect((await judge(`${wrapped}curl x`, { deny: ['Bash(curl:*)'] }, 'bypassPermissions')).verdict).toBe(
      'deny',
    );
    expect((await judge(`${wrapped}sudo id`, {}, 'bypassPermissions')).verdict).toBe('deny');
  });

  it('a sed script of everyday length is still read', async () => {
    proves('E-39');
    const command =
      "sed 's/\\([0-9]\\{4\\}\\)-\\([0-9]\\{2\\}\\)-\\([0-9]\\{2\\}\\)/\\3\\/\\2\\/\\1/g' app.log";
    expect((await judge(command)).verdict).toBe('allow');
    expect(
      (await judge("sed 's/x/curl y/e' f", { deny: ['Bash(curl:*)'] }, 'bypassPermissions')).verdict,
    ).toBe('deny');
  });

  it('a command longer than a shell takes is refused with a reason', async () => {
    proves('E-39');
    const decision = await judge(`echo ${'x'.repeat(140_000)}`, {}, 'bypassPermissions');
    expect(decision).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('131,071') });
  });
});

describe('files that a wildcard does not cover', () => {
  const allow = ['cp', 'tee', 'touch', 'rm', 'mkdir'].map((name) => `Bash(${name} *)`);

  it.each([
    'cp post-index-change .gi?/hooks',
    'cp x .[g]it/hooks/pre-commit',
    'cp x .g*/config',
    'tee "${NOPE}.git/hooks/x"',
    'cp x "${NOPE}$PWD/../outside"',
    'cp x "${PWD%/*}/outside"',
    'touch $(echo .git)/hooks/x',
    'touch .github/work*/x.yml',
    'touch lefth*.yml',
    'cp x "$TARGET"',
  ])('a place that is open or may be protected asks: %s', async (command) => {
    proves('E-39', 'R-12');
    expect((await judge(command, { allow })).verdict).toBe('ask');
  });

  it.each([
    'rm -rf dist/*',
    'rm *.log',
    'rm -f src/*/*.js',
    'cp a.ts b.ts',
    'mkdir -p "$PWD/out"',
    'touch a[12].txt',
  ])('a place in the workspace stays covered: %s', async (command) => {
    proves('R-12');
    expect((await judge(command, { allow })).verdict).toBe('allow');
  });

  it.each(['echo x > .gi?/hooks/x', 'echo x > "${NOPE}.git/hooks/x"'])(
    'nor does a rule for all of Bash cover writing it: %s',
    async (command) => {
      proves('E-39', 'R-12');
      expect((await judge(command, { allow: ['Bash'] })).verdict).toBe('ask');
      expect((await judge('echo x > "$LOG"', { allow: ['Bash'] })).verdict).toBe('allow');
    },
  );
});

describe('text that takes long to read', () => {
  it.each(['echo {', '[[ {', 'echo {a,', 'echo x{"a":'])(
    'is not read, and asks: %s again and again',
    async (start) => {
      proves('E-40');
      const [head = '', tail = ''] = start.split(' ');
      const command = `${head} ${tail.repeat(20_000)}`;
      expect((await judge(command, { allow: ['Bash(echo *)'] })).verdict).toBe('ask');
      expect(
        (await judge(`${command}; touch x`, { deny: ['Bash(touch *)'] }, 'bypassPermissions')).verdict,
      ).not.toBe('allow');
    },
    20_000,
  );

  it('a long text with the braces of code is read', async () => {
    proves('R-12');
    const code = 'const x = { a: 1 };\nfunction f() {\n  return `${x.a}`;\n}\n'.repeat(300);
    expect((await judge(`cat > src/x.ts <<'E'\n${code}E\n`, {}, 'acceptEdits')).verdict).toBe('allow');
  });
});
