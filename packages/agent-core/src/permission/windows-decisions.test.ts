import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { posixPath, windowsPath } from '../platform/windows-paths.ts';
import type { Access } from '../tool/access.ts';
import { decide } from './decide.ts';
import { parseRule } from './parse-rule.ts';
import type { PermissionMode } from './policy/mode.ts';
import type { Rule } from './policy/permission.ts';

const windows = { cwd: 'C:\\code\\app', additional: ['D:\\more'], home: 'C:\\Users\\user' };
const posix = { cwd: '/c/code/app', additional: ['/d/more'], home: '/c/Users/user' };

function rule(text: string): Rule {
  const parsed = parseRule(text, { source: 'test' });
  if (!parsed.ok) throw new Error(text);
  return parsed.rule;
}

function judge(
  access: Access,
  { mode = 'default' as PermissionMode, deny = [] as string[], allow = [] as string[] } = {},
) {
  const rules = { allow: allow.map(rule), ask: [], deny: deny.map(rule) };
  const tool = access.kind === 'run' ? 'Bash' : access.kind === 'write' ? 'Write' : 'Read';
  return decide({ mode, rules, workspace: windows }, { tool, access: [access] });
}

const read = (path: string): Access => ({ kind: 'read', path, real: path });
const write = (path: string): Access => ({ kind: 'write', path, real: path });
const run = (command: string): Access => ({ kind: 'run', command, cwd: windows.cwd });

describe('permissions on Windows', () => {
  it('know the workspace, what lies outside of it, and protected files', async () => {
    expect(await judge(read('C:\\code\\app\\src\\a.ts'))).toMatchObject({ verdict: 'allow' });
    expect(await judge(read('D:\\more\\a.ts'))).toMatchObject({ verdict: 'allow' });
    expect(await judge(read('C:\\code\\other\\a.ts'))).not.toMatchObject({ verdict: 'allow' });
    expect(await judge(read('C:\\Users\\user\\.ssh\\id_rsa'))).not.toMatchObject({ verdict: 'allow' });
    const accepted = { mode: 'acceptEdits' as const };
    expect(await judge(write('C:\\code\\app\\src\\a.ts'), accepted)).toMatchObject({ verdict: 'allow' });
    expect(await judge(write('C:\\code\\app\\.git\\config'), accepted)).not.toMatchObject({
      verdict: 'allow',
    });
    expect(await judge(write('C:\\code\\app2\\a.ts'), accepted)).not.toMatchObject({ verdict: 'allow' });
  });

  it.each([
    ['Read(secret/**)', 'C:\\code\\app\\secret\\a'],
    ['Read(secret\\**)', 'C:\\code\\app\\Secret\\a'],
    ['Read(C:\\Users\\user\\notes\\**)', 'C:\\Users\\user\\notes\\a'],
    ['Read(c:/users/user/notes/**)', 'C:\\Users\\user\\Notes\\a'],
    ['Read(//c/Users/user/notes/**)', 'C:\\Users\\user\\notes\\a'],
    ['Read(~/notes/**)', 'C:\\Users\\user\\notes\\a'],
    ['Read(.env)', 'C:\\code\\app\\deep\\.ENV'],
  ])('deny by %s what it names', async (text, path) => {
    expect(await judge(read(path), { deny: [text], mode: 'bypassPermissions' })).toMatchObject({
      verdict: 'deny',
    });
  });

  it.each([
    'cat /c/Users/user/.ssh/id_rsa',
    'cat C:/Users/user/.ssh/id_rsa',
    'cat "C:\\Users\\user\\.ssh\\id_rsa"',
    "cat 'C:\\Users\\user\\.ssh\\id_rsa'",
    'cat ~/.ssh/id_rsa',
    'cat <C:/Users/user/.ssh/id_rsa',
  ])('deny the same in the command %s', async (command) => {
    const judged = await judge(run(command), { deny: ['Read(~/.ssh/**)'], allow: ['Bash(cat:*)'] });
    expect(judged).toMatchObject({ verdict: 'deny' });
  });

  it('allow commands that only read the workspace, and ask for others', async () => {
    expect(await judge(run('ls src'))).toMatchObject({ verdict: 'allow' });
    expect(await judge(run('cat C:/code/app/a.ts'))).toMatchObject({ verdict: 'allow' });
    expect(await judge(run('cat C:/code/other/a.ts'))).not.toMatchObject({ verdict: 'allow' });
    expect(await judge(run('rm -rf C:/'), { mode: 'bypassPermissions' })).toMatchObject({ verdict: 'deny' });
  });

  it('judge any path as they judge it with slashes', async () => {
    const name = fc.constantFrom(
      'src',
      '.git',
      '.ssh',
      '.env',
      'a b',
      'Users',
      'user',
      'code',
      'app',
      'ä',
      '..x',
    );
    const path = fc
      .tuple(fc.constantFrom('C', 'D'), fc.array(name, { maxLength: 5 }))
      .map(([drive, names]) => `${drive}:\\${names.join('\\')}`);
    const rules = {
      allow: [rule('Edit(src/**)')],
      ask: [],
      deny: [rule('Read(.env)'), rule('Edit(~/code/**)')],
    };
    await fc.assert(
      fc.asyncProperty(
        path,
        fc.constantFrom('default', 'plan', 'acceptEdits', 'bypassPermissions' as const),
        async (file, mode) => {
          for (const make of [read, write]) {
            const tool = make === read ? 'Read' : 'Edit';
            const ofWindows = await decide(
              { mode: mode as PermissionMode, rules, workspace: windows },
              { tool, access: [make(file)] },
            );
            const ofPosix = await decide(
              { mode: mode as PermissionMode, rules, workspace: posix },
              { tool, access: [make(posixPath(file))] },
            );
            expect(ofWindows).toEqual(ofPosix);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('come back to the path they began with', () => {
    const names = fc.array(fc.constantFrom('a', 'b c', 'ä', '.x'), { maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom('A', 'C', 'Z'), names, (drive, parts) => {
        const path = `${drive}:\\${parts.join('\\')}`;
        expect(windowsPath(posixPath(path))).toBe(path);
      }),
    );
    expect(posixPath('/home/user/a:b\\c')).toBe('/home/user/a:b\\c');
  });
});
