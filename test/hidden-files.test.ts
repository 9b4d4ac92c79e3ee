import { execFileSync } from 'node:child_process';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { openStage } from './stage.ts';

const secret = 'S3CRET-VALUE';

it('sends nothing of a hidden file to the model: by no tool, mention, instruction, git command or summary', async () => {
  const stage = await openStage();
  const { server, cwd } = stage;
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd,
        stdio: 'pipe',
      });
    await stage.file('.agentignore', '*.key\n/private/\n');
    await stage.file('secret.key', `${secret}\n`);
    await stage.file('private/notes.md', `${secret}\n`);
    await stage.file('sub/own.key', `${secret}\n`);
    await stage.file('sub/a.txt', 'open\n');
    await stage.file('AGENTS.md', 'Rules of the project.\n@secret.key\n@private/notes.md\n');
    await stage.file('sub/AGENTS.md', 'Rules of the folder.\n@own.key\n');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'one');
    await stage.file('secret.key', `changed ${secret}\n`);
    await stage.file('sub/a.txt', 'changed\n');
    const call = (name: string, input: unknown, id: string) => ({ name, input, id });
    const commands = [
      'git diff',
      'git show',
      'git log -p',
      'git grep S3',
      'git show HEAD:secret.key',
      'git diff -- sub/a.txt',
    ];
    server.reply(
      anthropicReply({
        toolCalls: [
          ...commands.map((command, index) => call('Bash', { command }, `bash_${index}`)),
          call('Read', { file_path: 'sub/a.txt' }, 'read'),
          call('Read', { file_path: 'secret.key' }, 'read_hidden'),
          call('Grep', { pattern: 'S3CRET', output_mode: 'content' }, 'grep'),
        ],
      }),
      anthropicReply({ text: 'done' }),
    );
    const run = await stage.robota(['-p', 'see @secret.key @private/notes.md @sub/ @sub/own.key']);
    expect(run.code).toBe(0);
    server.reply(anthropicReply({ text: 'a summary' }));
    await stage.robota(['-c', '-p', '/compact']);
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.length).toBe(3);
    expect(bodies.join('\n')).not.toContain(secret);
    expect(bodies[0]).toContain('Rules of the project.');
    expect(bodies[1]).toContain('Rules of the folder.');
    expect(bodies[1]).toContain('+changed');
    const results = stage.results(1);
    const refused = results.filter(({ isError }) => isError).map(({ id }) => id);
    expect(refused).toEqual(['bash_0', 'bash_1', 'bash_2', 'bash_3', 'bash_4', 'read_hidden']);
    expect(results[0]?.text).toContain("':(exclude,top)");
    expect(run.stderr).toContain('secret.key');
  } finally {
    await server.close();
  }
});
