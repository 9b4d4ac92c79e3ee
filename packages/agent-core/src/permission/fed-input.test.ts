import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { parseRules } from './parse-rule.ts';
import type { PermissionDecision } from './policy/permission.ts';

function judge(command: string, allow: readonly string[] = []): Promise<PermissionDecision> {
  const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
  const { rules } = parseRules({ allow }, { source: 'test' });
  return decide(
    { mode: 'default', rules, workspace },
    { tool: 'Bash', access: [{ kind: 'run', command, cwd: '/ws' }] },
  );
}

const interpreters = [
  'python3 -',
  'python3',
  'python3 /dev/stdin',
  'python3 tool.py',
  'node',
  'node -',
  'perl',
  'ruby -',
  'php',
  'lua -',
  'psql -d shop',
  'mysql shop',
  'sqlite3 x.db',
  'ssh host',
  'docker exec -i web sh',
  'kubectl exec -i pod -- sh',
  'osascript',
  'gdb -x /dev/stdin',
  'make -f -',
  'git apply',
  'patch -p1',
  'sed -f - x',
  'awk -f /dev/stdin x',
  'crontab -',
  'terraform console',
  'unheard-of --of',
];
const wraps = ['', 'timeout 5 ', 'env ', 'nice -n 3 ', 'command ', 'nohup '];
const feeds: readonly ((command: string, text: string) => string)[] = [
  (command, text) => `${command} <<'E'\n${text}\nE`,
  (command, text) => `${command} <<< '${text}'`,
  (command, text) => `${command} < ${text}`,
  (command, text) => `cat ${text} | ${command}`,
  (command, text) => `echo ${text} | ${command}`,
  (command, text) => `{ ${command}; } <<'E'\n${text}\nE`,
  (command, text) => `(${command}) < ${text}`,
  (command, text) => `cat ${text} | { ls; ${command}; }`,
  (command, text) => `cat ${text} | (${command})`,
  (command, text) => `exec < ${text}; ${command}`,
  (command, text) => `bash -c '${command}' < ${text}`,
  (command, text) => `bash <<'E'\n${command}\n${text}\nE`,
];

describe('input that may be code', () => {
  it('is allowed by no rule for the command without it', async () => {
    proves('E-39');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...interpreters),
        fc.constantFrom(...wraps),
        fc.constantFrom(...feeds),
        async (program, wrap, feed) => {
          const command = `${wrap}${program}`;
          const name = program.split(' ')[0];
          const allow = [
            `Bash(${program})`,
            `Bash(${command})`,
            `Bash(${name} *)`,
            'Bash(env *)',
            'Bash(bash *)',
            'Bash(exec *)',
            'Bash(echo *)',
          ];
          const { verdict, reason } = await judge(feed(command, 'one'), allow);
          expect(verdict, `${feed(command, 'one')}\n${reason}`).toBe('ask');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is covered by the rule that was offered for it, and that rule by no other text', async () => {
    proves('E-39');
    for (const feed of feeds) {
      for (const program of ['python3 -', 'psql -d shop']) {
        const { wouldAllow = [] } = await judge(feed(program, 'one'));
        expect(wouldAllow).toHaveLength(1);
        expect(await judge(feed(program, 'one'), wouldAllow)).toMatchObject({ verdict: 'allow' });
        expect(await judge(feed(program, 'two'), wouldAllow)).toMatchObject({ verdict: 'ask' });
        expect(await judge(program, wouldAllow)).toMatchObject({ verdict: 'ask' });
      }
    }
  });

  it('counts with its layout, which is part of a program', async () => {
    proves('E-39');
    const script = (indent: string) => `python3 - <<'E'\nif x:\n  a()\n${indent}b()\nE`;
    const { wouldAllow = [] } = await judge(script('  '));
    expect(await judge(script('  '), wouldAllow)).toMatchObject({ verdict: 'allow' });
    expect(await judge(script(' '), wouldAllow)).toMatchObject({ verdict: 'ask' });
    expect(await judge(script(''), wouldAllow)).toMatchObject({ verdict: 'ask' });
    expect(await judge('npm   test', ['Bash(npm test)'])).toMatchObject({ verdict: 'allow' });
    expect(await judge("node -e 'a  b'", ["Bash(node -e 'a b')"])).toMatchObject({ verdict: 'ask' });
  });

  it('offers no rule where the text is too long for one', async () => {
    proves('E-39');
    const script = (lines: number) => `python3 - <<'E'\n${'print(1)\n'.repeat(lines)}E`;
    const { wouldAllow = [] } = await judge(script(1_000));
    expect(await judge(script(1_000), wouldAllow)).toMatchObject({ verdict: 'allow' });
    expect(await judge(script(999), wouldAllow)).toMatchObject({ verdict: 'ask' });
    const decision = await judge(script(1_200));
    expect(decision.verdict).toBe('ask');
    expect(decision.wouldAllow).toBeUndefined();
  });

  it('needs no rule of its own where a program only reads it', async () => {
    proves('E-39');
    const rules = ['Bash(git commit *)', 'Bash(tee *)', 'Bash(npm test *)', 'Bash(bash)', 'Bash(npm run *)'];
    for (const command of [
      "git commit -F - <<'E'\nA message\nE",
      "cat <<'E'\ntext\nE",
      "grep -c x <<< 'y'",
      'ls | head -3',
      'git log --oneline | sort | uniq -c',
      'wc -l < src/a.ts',
      'npm test < /dev/null',
      'npm test 2>&1 | tail -20',
      'npm test | npm run report',
      "tee notes.txt <<'E'\ntext\nE",
      "timeout 5 cat <<'E'\ntext\nE",
      "bash <<'E'\nls\nwc -l a\nE",
      "jq .x <<< '{}'",
      "sed -n 1p <<< 'a'",
    ]) {
      const { verdict, reason } = await judge(command, rules);
      expect(verdict, `${command}\n${reason}`).toBe('allow');
    }
  });
});

describe('rules that are offered', () => {
  const programs = [
    'git config user.name x',
    'git push origin main',
    'docker run --rm alpine ls',
    'npm run build',
    'npm test -- a.test.ts',
    'cargo test one',
    'rm -rf build/*',
    'cp src/*.ts out',
    'make all',
    'kubectl get pods',
    'curl -s http://x',
    'find . -name x -delete',
    'mkdir {a,b}',
    'touch "a  b"',
    'go test ./...',
    'terraform plan',
    'aws s3 ls',
    'git commit -m "x"',
    'systemctl restart x:*',
  ];
  const changes: readonly ((command: string) => string)[] = [
    (command) => `${command} --extra`,
    (command) => `${command} ../src`,
    (command) => `${command} core.fsmonitor`,
    (command) => command.replace(/ (\S+)$/, ' other'),
    (command) => command.replace(/^(\S+) (\S+)/, '$1 other'),
    (command) => command.replace(/^(\S+)/, '$1 -c x'),
    (command) => command.replace(/^(\S+ \S+)/, '$1 --privileged -v /:/host'),
    (command) => command.replaceAll('*', '../src'),
    (command) => command.replaceAll('*', 'x'),
    (command) => `${command} && touch y`,
    (command) => `${command} | sh`,
    (command) => `X=1 ${command}`,
    (command) => command.replaceAll('  ', ' '),
    (command) => `${command} > out.txt`,
    (command) => `${command} $(id)`,
  ];

  it.each(programs)('cover %s and nothing that was not asked', async (command) => {
    proves('R-12');
    const { wouldAllow } = await judge(command);
    if (wouldAllow === undefined) return;
    expect(await judge(command, wouldAllow)).toMatchObject({ verdict: 'allow' });
    for (const other of [...programs, ...changes.map((change) => change(command))]) {
      if (other === command || (await judge(other)).verdict === 'allow') continue;
      const { verdict } = await judge(other, wouldAllow);
      expect(verdict, `${wouldAllow.join(', ')} covers ${other}`).not.toBe('allow');
    }
  });

  it('are none where a rule would read the text as a wildcard', async () => {
    proves('R-12');
    expect((await judge('rm -rf build/*')).wouldAllow).toBeUndefined();
    expect((await judge('FOO=1 cp src/* out')).wouldAllow).toBeUndefined();
  });
});
