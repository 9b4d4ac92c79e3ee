import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Access } from '../../tool/access.ts';
import { decide } from '../decide.ts';
import { matchCall } from '../match-call.ts';
import { parseRule, parseRules, type RuleTexts } from '../parse-rule.ts';
import { type PermissionMode, permissionModes } from './mode.ts';
import type { PermissionDecision, Rule } from './permission.ts';

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

const simple = fc.constantFrom(
  'ls -la',
  'cat src/a.ts',
  'cat ../secret',
  'cat .env',
  'npm test',
  'npm run build',
  'git status',
  'git push origin main',
  'git -C . push',
  'rm -rf build',
  'r""m -rf build',
  'FOO=1 npm test',
  'timeout 5 npm test',
  'xargs rm',
  'find . -delete',
  'echo "a  b; c"',
  "echo 'x && y'",
  'echo $HOME',
  'echo hi > out.txt',
  'bash -c "rm x"',
  'cd sub',
  'sudo id',
  'unknown --flag value',
);
const joiner = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n');
const script = fc
  .array(fc.tuple(simple, joiner), { minLength: 1, maxLength: 4 })
  .map((parts) =>
    parts.map(([command, join], at) => (at === parts.length - 1 ? command : command + join)).join(''),
  );
const ruleText = fc.constantFrom(
  'Bash',
  'Bash(npm *)',
  'Bash(npm test *)',
  'Bash(git *)',
  'Bash(git push *)',
  'Bash(rm *)',
  'Bash(echo *)',
  'Bash(cd *)',
  'Bash(find *)',
  'Bash(bash *)',
  'Bash(* x)',
  'Read(.env)',
  'Read(//**)',
  'Edit(out.txt)',
  'Edit',
);
const list = fc.array(ruleText, { maxLength: 3 });
const rules = fc.record({ allow: list, ask: list, deny: list });
const mode = fc.constantFrom(...permissionModes);
const given = fc.record({ command: script, rules, mode });

interface Call {
  readonly command: string;
  readonly rules: RuleTexts;
  readonly mode: PermissionMode;
}

function judge({ command, rules: texts, mode: chosen }: Call): Promise<PermissionDecision> {
  const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
  const policy = { mode: chosen, rules: parseRules(texts, { source: 'test' }).rules, workspace };
  return decide(policy, { tool: 'Bash', access: [{ kind: 'run', command, cwd: '/ws' }] });
}

describe('what holds for every command', () => {
  it('a refused command stays refused whatever is added around it', async () => {
    proves('R-10', 'E-39');
    const wrappings = fc.constantFrom<(command: string) => string>(
      (command) => `${command}; npm test`,
      (command) => `ls && ${command}`,
      (command) => `(${command})`,
      (command) => `{ ${command}\n}`,
      (command) => `if true; then ${command}\nfi`,
      (command) => `echo "$(${command})"`,
      (command) => `f() { ${command}\n}; f`,
      (command) => `while false; do ${command}\ndone`,
      (command) => `cat <(${command})`,
    );
    await fc.assert(
      fc.asyncProperty(script, rules, wrappings, async (command, texts, wrap) => {
        const before = await judge({ command, rules: texts, mode: 'bypassPermissions' });
        if (before.verdict !== 'deny') return;
        const after = await judge({ command: wrap(command), rules: texts, mode: 'bypassPermissions' });
        expect(after.verdict, wrap(command)).toBe('deny');
      }),
      { numRuns: 300 },
    );
  });

  it('spaces and tabs between words never change the answer', async () => {
    proves('R-10', 'E-39');
    const blanks = fc.constantFrom('  ', '\t', ' \t ', '   ');
    await fc.assert(
      fc.asyncProperty(given, blanks, async (call, blank) => {
        const spread = call.command.replaceAll(/"[^"]*"|'[^']*'| /g, (match) =>
          match === ' ' ? blank : match,
        );
        const [one, other] = await Promise.all([
          judge(call),
          judge({ ...call, command: `${blank}${spread}${blank}` }),
        ]);
        expect(other.verdict, spread).toBe(one.verdict);
      }),
      { numRuns: 300 },
    );
  });

  it('one more allow rule never makes an answer stricter', async () => {
    proves('R-10');
    await fc.assert(
      fc.asyncProperty(given, ruleText, async (call, added) => {
        const before = await judge(call);
        const after = await judge({ ...call, rules: { ...call.rules, allow: [...call.rules.allow, added] } });
        expect(strictness[after.verdict]).toBeLessThanOrEqual(strictness[before.verdict]);
      }),
      { numRuns: 300 },
    );
  });

  it('one more ask or deny rule never makes an answer laxer', async () => {
    proves('R-10');
    await fc.assert(
      fc.asyncProperty(given, ruleText, async (call, added) => {
        const before = await judge(call);
        const denied = await judge({ ...call, rules: { ...call.rules, deny: [...call.rules.deny, added] } });
        const asked = await judge({ ...call, rules: { ...call.rules, ask: [...call.rules.ask, added] } });
        expect(strictness[denied.verdict]).toBeGreaterThanOrEqual(strictness[before.verdict]);
        // In plan mode a question is milder than the refusal it replaces; it still does not run by itself.
        if (call.mode !== 'plan')
          expect(strictness[asked.verdict]).toBeGreaterThanOrEqual(strictness[before.verdict]);
        if (before.verdict !== 'allow') expect(asked.verdict).not.toBe('allow');
      }),
      { numRuns: 300 },
    );
  });

  it('the rules that would allow a command do allow it', async () => {
    proves('R-12');
    await fc.assert(
      fc.asyncProperty(script, mode, async (command, chosen) => {
        const before = await judge({ command, rules: {}, mode: chosen });
        if (before.wouldAllow === undefined) return;
        const after = await judge({ command, rules: { allow: before.wouldAllow }, mode: chosen });
        expect(after.verdict, `${command} with ${before.wouldAllow.join(', ')}`).toBe('allow');
      }),
      { numRuns: 300 },
    );
  });

  it('any text at all gets an answer with a reason', async () => {
    proves('E-39');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'ab $(){}<>|&;"\'`\\\n#*~=[]!-/') }),
    );
    await fc.assert(
      fc.asyncProperty(text, rules, mode, async (command, texts, chosen) => {
        const decision = await judge({ command, rules: texts, mode: chosen });
        expect(decision.reason.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what holds for a call with several accesses', () => {
  const access = fc.constantFrom<Access>(
    { kind: 'read', path: '/ws/a', real: '/ws/a' },
    { kind: 'read', path: '/etc/x', real: '/etc/x' },
    { kind: 'write', path: '/ws/b', real: '/ws/b' },
    { kind: 'write', path: '/ws/.git/config', real: '/ws/.git/config' },
    { kind: 'write', path: '/etc/y', real: '/etc/y' },
    { kind: 'run', command: 'make', cwd: '/ws' },
    { kind: 'run', command: 'ls', cwd: '/ws' },
    { kind: 'fetch', url: 'https://a.example/x' },
  );
  const text = fc.constantFrom(
    'Edit(b)',
    'Read(//etc/**)',
    'Read(a)',
    'Edit(//etc/**)',
    'Copy(make *)',
    'WebFetch(domain:a.example)',
  );
  const texts = fc.array(text, { maxLength: 3 });
  const call = fc.record({
    accesses: fc.array(access, { minLength: 1, maxLength: 4 }),
    texts: fc.record({ allow: texts, ask: texts, deny: texts }),
    mode: fc.constantFrom(...permissionModes),
  });
  const workspace = { cwd: '/ws', additional: [], home: '/home/u' };

  it('every access counts, in any order: the strictest verdict, its rule, and whether a hook may answer', async () => {
    proves('R-10');
    await fc.assert(
      fc.asyncProperty(call, async ({ accesses, texts: lists, mode: chosen }) => {
        const policy = {
          mode: chosen,
          rules: parseRules(lists, { source: 'test' }).rules,
          workspace,
        };
        const judgeAll = (list: readonly Access[]) => decide(policy, { tool: 'Copy', access: list });
        const single = await Promise.all(accesses.map((one) => judgeAll([one])));
        const strictest = Math.max(...single.map(({ verdict }) => strictness[verdict]));
        const deciding = single.filter(({ verdict }) => strictness[verdict] === strictest);
        for (const list of [accesses, accesses.toReversed()]) {
          const together = await judgeAll(list);
          expect(strictness[together.verdict]).toBe(strictest);
          if (together.verdict === 'allow') continue;
          expect(together.rule !== undefined).toBe(deciding.some(({ rule }) => rule !== undefined));
          if (together.verdict === 'ask')
            expect(together.isFinal === true).toBe(single.some(({ isFinal }) => isFinal));
        }
      }),
    );
  });

  it('a rule guards a call if it guards one of its accesses', async () => {
    const matches = { no: 0, maybe: 1, yes: 2 };
    await fc.assert(
      fc.asyncProperty(fc.array(access, { minLength: 1, maxLength: 4 }), text, async (accesses, written) => {
        const rule = ruleNamed(written);
        const match = async (list: readonly Access[]) =>
          matches[await matchCall(rule, { tool: 'Copy', access: list }, workspace)];
        const single = await Promise.all(accesses.map((one) => match([one])));
        for (const list of [accesses, accesses.toReversed()])
          expect(await match(list)).toBe(Math.max(...single));
      }),
    );
  });
});

function ruleNamed(text: string): Rule {
  const parsed = parseRule(text, { source: 'test' });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.rule;
}
