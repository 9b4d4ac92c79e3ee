import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const done = anthropicReply({ text: 'Done.' });
const call = (name: string, input: object) => anthropicReply({ toolCalls: [{ name, input }] });
const run = (prompt: string, ...args: string[]) =>
  stage.robota(['-p', prompt, '--model', 'claude-sonnet-4-6', ...args]);
const bypass = ['--permission-mode', 'bypassPermissions'];

async function own(name: string, content: string | object): Promise<void> {
  const path = join(stage.home, '.claude', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
}

const hook = (event: string, command: string) => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] },
});
const answering = (answer: object) => `cat > /dev/null; echo '${JSON.stringify(answer)}'`;

const whole = (request: number) => JSON.stringify(stage.server.requests.at(request)?.body);

describe('hooks of Claude Code', () => {
  it('replace the output of a tool, for the model and for users', async () => {
    const updated = { stdout: 'HIDDEN', stderr: '', interrupted: false, isImage: false };
    const answer = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: updated } };
    await own('settings.json', hook('PostToolUse', answering(answer)));
    stage.server.reply(call('Bash', { command: 'echo my-secret-word' }), done);
    const args = [...bypass, '--output-format', 'stream-json', '--verbose'];
    const { stdout, stderr } = await run('go', ...args);
    expect(stage.results(1)).toMatchObject([{ isError: false, text: expect.stringContaining('HIDDEN') }]);
    expect(stage.results(1)[0]?.text).not.toContain('my-secret-word');
    const results = stdout.split('\n').filter((line) => line.includes('tool_result'));
    expect(results.join('\n')).not.toContain('my-secret-word');
    expect(stderr).toBe('');
  });

  it('give variables to commands by CLAUDE_ENV_FILE', async () => {
    const lines = `echo 'export ZZENV=yes' >> "$CLAUDE_ENV_FILE"; echo 'eval "$(boot)"' >> "$CLAUDE_ENV_FILE"`;
    await own('settings.json', hook('SessionStart', lines));
    stage.server.reply(call('Bash', { command: 'echo "is $ZZENV"' }), done);
    const { stderr } = await run('go', ...bypass);
    expect(stage.results(1)[0]?.text).toContain('is yes');
    expect(stderr).toContain('other than NAME=VALUE: eval "$(boot)"');
  });

  it('of a project set no variables that a project may not set', async () => {
    const lines = 'echo PATH=/nowhere >> $CLAUDE_ENV_FILE; echo ZZENV=yes >> $CLAUDE_ENV_FILE';
    await stage.file('.claude/settings.json', JSON.stringify(hook('SessionStart', lines)));
    stage.server.reply(call('Bash', { command: 'echo "is $ZZENV, $PATH"' }), done);
    const { stderr } = await run('go', ...bypass, '--trust-project');
    expect(stage.results(1)[0]?.text).toContain('is yes');
    expect(stage.results(1)[0]?.text).not.toContain('/nowhere');
    expect(stderr).toContain('variables that a project may not set: PATH');
  });

  it.each(['ln -s "$PWD/other" "$CLAUDE_ENV_FILE"', 'mkfifo "$CLAUDE_ENV_FILE"'])(
    'have only a regular file for variables: %s',
    async (replace) => {
      await stage.file('other', 'ZZENV=yes\n');
      await own('settings.json', hook('SessionStart', `rm "$CLAUDE_ENV_FILE"; ${replace}`));
      stage.server.reply(call('Bash', { command: 'echo "is $ZZENV."' }), done);
      await run('go', ...bypass);
      expect(stage.results(1)[0]?.text).toContain('is .');
    },
  );

  it('are told of fields of their answers that have no effect', async () => {
    const specific = { hookEventName: 'PreToolUse', additionalContext: 'x', futureField: true };
    await own(
      'settings.json',
      hook('PreToolUse', answering({ hookSpecificOutput: specific, watchPaths: [] })),
    );
    stage.server.reply(call('Bash', { command: 'true' }), call('Bash', { command: 'true' }), done);
    const { stderr } = await run('go', ...bypass);
    expect(stderr.split('does not support: watchPaths, hookSpecificOutput.futureField.')).toHaveLength(2);
  });
});

describe('settings of Claude Code', () => {
  it('leave out instruction files, take an output style and work as an agent', async () => {
    await own('CLAUDE.md', 'OWN-INSTRUCTIONS');
    await stage.file('CLAUDE.md', 'PROJECT-INSTRUCTIONS');
    await stage.file('sub/CLAUDE.md', 'NESTED-INSTRUCTIONS');
    await stage.file('sub/a.txt', 'text');
    await own('output-styles/pirate.md', '---\nname: Pirate\ndescription: x\n---\nTALK-LIKE-A-PIRATE');
    await own('agents/r.md', '---\nname: r\ndescription: x\n---\nAGENT-PROMPT');
    await own('settings.json', { claudeMdExcludes: ['**/CLAUDE.md'], outputStyle: 'pirate', agent: 'r' });
    stage.server.reply(call('Read', { file_path: join(stage.cwd, 'sub/a.txt') }), done);
    const { stderr } = await run('go');
    for (const text of ['OWN-INSTRUCTIONS', 'PROJECT-INSTRUCTIONS', 'NESTED-INSTRUCTIONS'])
      expect(whole(1)).not.toContain(text);
    expect(whole(0)).toContain('TALK-LIKE-A-PIRATE');
    expect(whole(0)).toContain('AGENT-PROMPT');
    expect(stderr).toBe('');
  });

  it('are named where they have no effect, also inside of groups, and listed', async () => {
    await own('settings.json', {
      spinnerVerbs: {},
      permissions: { disableAutoMode: 'disable' },
      outputStyle: 'nope',
      agent: 'nobody',
    });
    stage.server.reply(done);
    const { stderr, code } = await run('go');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'ignores these settings of Claude Code: spinnerVerbs, permissions.disableAutoMode.',
    );
    expect(stderr).toContain('Unknown output style "nope"');
    expect(stderr).toContain('Unknown agent "nobody" in the settings');
    const list = await stage.robota(['config', 'list']);
    expect(list.stdout).toMatch(/Not read by Robota: .*spinnerVerbs/);
  });

  it('hide an agent that a rule denies', async () => {
    await own('agents/r.md', '---\nname: r\ndescription: DENIED-AGENT\n---\nx');
    await own('agents/s.md', '---\nname: s\ndescription: OTHER-AGENT\n---\nx');
    await own('settings.json', { permissions: { deny: ['Agent(r)'] } });
    stage.server.reply(done);
    await run('go');
    expect(whole(0)).not.toContain('DENIED-AGENT');
    expect(whole(0)).toContain('OTHER-AGENT');
  });
});

describe('skills and agents of Claude Code', () => {
  it('are called by the names of their folders, and count their arguments from 0', async () => {
    await own('skills/dirn/SKILL.md', '---\nname: other\ndescription: x\n---\nP=$1');
    await own('commands/c.md', 'C=$1');
    for (const [prompt, text] of [
      ['/dirn one two', 'P=two'],
      ['/other one two', 'P=two'],
      ['/c one two', 'C=two'],
    ] as const) {
      stage.server.reply(done);
      await run(prompt);
      expect(whole(-1)).toContain(text);
    }
  });

  it('of a plugin find each other', async () => {
    await stage.file('pl/.claude-plugin/plugin.json', '{"name": "pl"}');
    await stage.file('pl/agents/tracer.md', '---\nname: tracer\ndescription: x\n---\nTRACER-PROMPT');
    await stage.file(
      'pl/skills/t/SKILL.md',
      '---\nname: u\ncontext: fork\nagent: tracer\ndescription: x\n---\nTRACE',
    );
    await stage.file('pl/skills/v/SKILL.md', '---\ncontext: fork\nagent: nobody\ndescription: x\n---\nTRACE');
    stage.server.reply(done, done);
    const first = await run('/pl:t', '--plugin-dir', 'pl');
    expect(first.code).toBe(0);
    expect(whole(0)).toContain('TRACER-PROMPT');
    expect(first.stderr).not.toContain('"tracer"');
    stage.server.reply(done);
    const second = await run('/pl:v', '--plugin-dir', 'pl');
    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('names the unknown agent "nobody"'),
    });
  });

  it('put the text of their skills into the prompt of an agent', async () => {
    await own('skills/k/SKILL.md', '---\ndescription: x\n---\nKNOWLEDGE');
    await own('agents/r.md', '---\nname: r\ndescription: x\nskills: [k]\n---\nAGENT-PROMPT');
    stage.server.reply(call('Agent', { prompt: 'do', subagent_type: 'r' }), done, done);
    await run('go', ...bypass);
    expect(whole(1)).toContain('KNOWLEDGE');
    expect(whole(1)).not.toContain('read these skills with the Skill tool');
  });

  it('are told to the model with the first file that their paths name', async () => {
    await own('skills/ts/SKILL.md', '---\ndescription: ABOUT-TYPESCRIPT\npaths: "src/**"\n---\nx');
    await stage.file('src/a.ts', 'a');
    await stage.file('b.txt', 'b');
    const read = (name: string) => call('Read', { file_path: join(stage.cwd, name) });
    stage.server.reply(read('b.txt'), read('src/a.ts'), done);
    await run('go');
    expect(whole(1)).not.toContain('ABOUT-TYPESCRIPT');
    expect(whole(2)).toContain('ABOUT-TYPESCRIPT');
  });
});
