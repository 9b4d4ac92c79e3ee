import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Access } from '../tool/access.ts';
import { coversCall, matchCall } from './match-call.ts';
import { parseRule } from './parse-rule.ts';
import type { Rule } from './policy/permission.ts';

const workspace = { cwd: '/project', additional: [], home: '/home/me' };

function ruleOf(text: string): Rule {
  const parsed = parseRule(text, { source: 'test' });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.rule;
}

const run = (command: string): Access => ({ kind: 'run', command, cwd: '/project' });
const bash = (command: string) => ({ tool: 'Bash', access: [run(command)] });

/** Ways to start a simple command, and to put any command into a script. */
const starts = ['', 'A=1 ', 'env A=1 ', 'timeout 5 ', 'nice ', '\\', '/bin/', 'command '];
const scripts: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `ls && ${command}`,
  (command) => `${command} | cat`,
  (command) => `(${command})`,
  (command) => `{ ${command}; }`,
  (command) => `if true; then ${command}; fi`,
  (command) => `echo "$( ${command} )"`,
  (command) => `bash -c '${command}'`,
  (command) => `${command} > out.txt`,
];

describe('comparing a call with a rule', () => {
  it('finds a command in whatever form it runs, and is certain of no more than an allow rule', async () => {
    const nested = fc
      .tuple(fc.constantFrom(...starts), fc.array(fc.constantFrom(...scripts), { maxLength: 2 }))
      .map(([start, list]) => list.reduce((command, form) => form(command), `${start}rm x`));
    await fc.assert(
      fc.asyncProperty(nested, async (command) => {
        expect(await matchCall(ruleOf('Bash(rm *)'), bash(command), workspace)).not.toBe('no');
        if (command.includes('out.txt'))
          expect(await coversCall(ruleOf('Bash(rm *)'), bash(command), workspace)).toBe(false);
      }),
    );
  });

  it('what an allow rule covers, a guard matches', async () => {
    const words = fc.array(fc.constantFrom('rm', 'ls', 'x', '&&', '|', ';', '$X', '"a b"', '>', '$(', ')'), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(words, async (list) => {
        const request = bash(list.join(' '));
        if (await coversCall(ruleOf('Bash(rm *)'), request, workspace))
          expect(await matchCall(ruleOf('Bash(rm *)'), request, workspace)).toBe('yes');
      }),
    );
  });

  it.each([
    ['Bash(rm *)', 'ls', 'no'],
    ['Bash(rm *)', 'echo "rm x"', 'no'],
    ['Bash(rm *)', '$CMD x', 'maybe'],
    ['Bash(rm *)', 'eval "$X"', 'maybe'],
    ['Bash(rm *)', 'echo "unclosed', 'maybe'],
    ['Bash', 'ls', 'yes'],
    ['Edit(src/**)', 'ls', 'no'],
  ])('%s against %s: %s', async (rule, command, match) => {
    expect(await matchCall(ruleOf(rule), bash(command), workspace)).toBe(match);
  });

  it('compares paths and names', async () => {
    const write = (path: string) => ({
      tool: 'Write',
      access: [{ kind: 'write', path, real: path } as const],
    });
    const edits = ruleOf('Edit(src/**)');
    expect(await matchCall(edits, write('/project/src/a.ts'), workspace)).toBe('yes');
    expect(await matchCall(edits, write('/project/b.ts'), workspace)).toBe('no');
    const read = {
      tool: 'Read',
      access: [{ kind: 'read', path: '/project/src/a.ts', real: '/project/src/a.ts' }],
    } as const;
    expect(await matchCall(edits, read, workspace)).toBe('no');
    const agent = { tool: 'Agent', access: [{ kind: 'use', name: 'Explore' }] } as const;
    expect(await matchCall(ruleOf('Agent(Explore)'), agent, workspace)).toBe('yes');
    expect(await matchCall(ruleOf('Agent(Plan)'), agent, workspace)).toBe('no');
  });
});
