import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const git = (args: readonly string[], input = '') =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: stage.cwd,
    input,
    encoding: 'utf8',
  });

describe('robota -p /diff', () => {
  it('prints the changes of a session as a unified diff that git applies', async () => {
    await stage.file('cart.js', 'one\ntwo\n\n');
    const edit = { file_path: 'cart.js', old_string: 'two', new_string: '2' };
    const created = { file_path: 'src/tax.js', content: 'rate' };
    stage.server.reply(
      anthropicReply({
        toolCalls: [
          { name: 'Edit', input: edit },
          { name: 'Write', input: created },
        ],
      }),
      anthropicReply({ text: 'Done.' }),
    );
    await stage.robota(['-p', 'fix it', '--permission-mode', 'acceptEdits']);
    const { code, stdout } = await stage.robota(['-p', '-c', '/diff']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        '--- a/cart.js\n+++ b/cart.js\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n \n',
        '--- /dev/null\n+++ b/src/tax.js\n@@ -0,0 +1 @@\n+rate\n\\ No newline at end of file\n',
      ].join(''),
    });
    git(['apply', '-R'], stdout);
    expect(await readFile(join(stage.cwd, 'cart.js'), 'utf8')).toBe('one\ntwo\n\n');
    await stage.file('cart.js', 'one\n2\n\n');
    const alone = await stage.robota(['-p', '-c', '/diff']);
    expect(alone.stdout.endsWith('+2\n \n')).toBe(true);
  });

  it('prints a git range, needs no model, and leaves no session behind', async () => {
    await stage.file('cart.js', 'one\n');
    git(['init', '-q', '-b', 'main']);
    git(['add', '-A']);
    git(['commit', '-qm', 'one']);
    await stage.file('cart.js', '1\n');
    const env = { ANTHROPIC_API_KEY: '' };
    for (const words of [['/diff'], ['/diff', 'main']])
      expect(await stage.robota(['-p', ...words], { env })).toMatchObject({
        code: 0,
        stdout: '--- a/cart.js\n+++ b/cart.js\n@@ -1 +1 @@\n-one\n+1\n',
      });
    expect(await stage.robota(['-p', '/diff', 'main..nothing'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Unknown revision "nothing".'),
    });
    expect((await stage.robota(['sessions', 'list', '--json'])).stdout).not.toContain('"id"');
  });

  it('prints line ends as the file has them, so that git takes the change back to the byte', async () => {
    await stage.file('cart.js', '\uFEFFone\r\ntwo\r\nthree');
    git(['init', '-q', '-b', 'main']);
    git(['config', 'core.autocrlf', 'false']);
    git(['add', '-A']);
    git(['commit', '-qm', 'one']);
    await stage.file('cart.js', '\uFEFFone\r\n2\r\n3\r\n');
    const { stdout } = await stage.robota(['-p', '/diff']);
    git(['apply', '-R'], stdout);
    expect(await readFile(join(stage.cwd, 'cart.js'), 'utf8')).toBe('\uFEFFone\r\ntwo\r\nthree');
  });

  it('leaves the name to a command of the user', async () => {
    await stage.file('.robota/commands/diff.md', 'Compare the two files.');
    stage.server.reply(anthropicReply({ text: 'They differ.' }));
    expect(await stage.robota(['-p', '/diff'])).toMatchObject({ code: 0, stdout: 'They differ.\n' });
  });
});
