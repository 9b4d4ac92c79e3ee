import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicError, anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const model = ['-m', 'claude-sonnet-4-6'];
const dangerous = '--dangerously-bypass-approvals-and-sandbox';
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function exec(...words: readonly string[]) {
  return stage.robota(['exec', ...model, ...words]);
}

function linesOf(stdout: string) {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function calls(...toolCalls: readonly { readonly name: string; readonly input: Record<string, string> }[]) {
  stage.server.reply(anthropicReply({ text: 'Let me look.', toolCalls }), anthropicReply({ text: 'Done.' }));
}

describe('robota exec', () => {
  it('--json prints the lines of Codex, with its fields', async () => {
    calls(
      { name: 'Bash', input: { command: 'echo out; exit 3' } },
      { name: 'Write', input: { file_path: 'new.txt', content: 'x' } },
      { name: 'Glob', input: { pattern: '*.none' } },
    );
    const { code, stdout } = await exec('--json', dangerous, 'go');
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(lines.slice(0, 3)).toEqual([
      { type: 'thread.started', thread_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'Let me look.' } },
    ]);
    const items = lines.filter(({ type }) => type === 'item.completed').map(({ item }) => item);
    const command = { type: 'command_execution', command: 'echo out; exit 3' };
    expect(items).toContainEqual({
      id: expect.any(String),
      ...command,
      aggregated_output: 'out\n',
      exit_code: 3,
      status: 'failed',
    });
    expect(lines).toContainEqual({
      type: 'item.started',
      item: {
        id: expect.any(String),
        ...command,
        aggregated_output: '',
        exit_code: null,
        status: 'in_progress',
      },
    });
    expect(items).toContainEqual({
      id: expect.any(String),
      type: 'file_change',
      changes: [{ path: 'new.txt', kind: 'add' }],
      status: 'completed',
    });
    expect(items).toContainEqual(
      expect.objectContaining({ type: 'mcp_tool_call', server: 'robota', tool: 'Glob', status: 'completed' }),
    );
    expect(lines.at(-1)).toEqual({
      type: 'turn.completed',
      usage: {
        input_tokens: expect.any(Number),
        cached_input_tokens: 0,
        cache_write_input_tokens: 0,
        output_tokens: expect.any(Number),
        reasoning_output_tokens: 0,
      },
    });
  });

  it('a failed turn is told in its lines, ends with 1 and has an empty last message', async () => {
    stage.server.reply(anthropicError(400, 'bad thing'));
    const { code, stdout } = await exec('--json', '-o', 'last.txt', 'go');
    expect(code).toBe(1);
    const message = expect.stringContaining('bad thing');
    expect(linesOf(stdout).slice(-2)).toEqual([
      { type: 'error', message },
      { type: 'turn.failed', error: { message } },
    ]);
    expect(readFileSync(join(stage.cwd, 'last.txt'), 'utf8')).toBe('');
  });

  it('takes prompts, files, pictures, schemas and settings as Codex does', async () => {
    writeFileSync(join(stage.cwd, 'pic.png'), Buffer.from(png, 'base64'));
    await stage.file('schema.json', JSON.stringify({ type: 'object', required: ['a'] }));
    stage.server.reply(anthropicReply({ text: '{"a":1}' }), anthropicReply({ text: 'Again.' }));
    const words = [
      '--output-schema',
      'schema.json',
      '-olast.txt',
      '-i',
      'pic.png',
      '--color',
      'never',
      'what',
    ];
    expect(
      await exec('--skip-git-repo-check', ...words, '-c', 'model_reasoning_effort="high"'),
    ).toMatchObject({ code: 0, stdout: '{"a":1}\n' });
    expect(readFileSync(join(stage.cwd, 'last.txt'), 'utf8')).toBe('{"a":1}');
    expect(JSON.stringify(stage.messages(0))).toContain(png);
    const resumed = await stage.robota([
      '-c',
      'model=claude-haiku-4-5',
      'exec',
      'resume',
      '--last',
      'and now?',
    ]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Again.\n' });
    expect(stage.server.requests[1]?.body).toMatchObject({ model: 'claude-haiku-4-5' });
    expect(stage.messages(1)).toHaveLength(3);
  });

  it('danger-full-access writes, read-only does not, whatever the settings allow', async () => {
    await stage.settings({ permissions: { allow: ['Bash', 'Write', 'Edit'], defaultMode: 'acceptEdits' } });
    for (const [mode, isWritten] of [
      ['danger-full-access', true],
      ['read-only', false],
    ] as const)
      for (const option of [[`-s`, mode], [`--sandbox=${mode}`], ['-c', `sandbox_mode="${mode}"`]]) {
        const file = `${mode}-${option.length}-${option[0]}.txt`;
        calls(
          { name: 'Bash', input: { command: `echo x > ${file}` } },
          { name: 'Write', input: { file_path: `w${file}`, content: 'x' } },
        );
        expect(await exec(...option, 'go')).toMatchObject({ code: 0, stdout: 'Done.\n' });
        const made = [file, `w${file}`].map((name) => existsSync(join(stage.cwd, name)));
        expect({ option, made }).toEqual({ option, made: [isWritten, isWritten] });
      }
  });

  it('workspace-write runs commands in the sandbox', async () => {
    const write = `require('fs').writeFileSync(process.env.HOME + '/out.txt', 'x')`;
    calls(
      { name: 'Bash', input: { command: 'echo x > in.txt' } },
      { name: 'Bash', input: { command: `node -e "${write}"` } },
    );
    expect(await exec('--full-auto', 'go')).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(existsSync(join(stage.cwd, 'in.txt'))).toBe(true);
    expect(existsSync(join(stage.home, 'out.txt'))).toBe(false);
  });

  it.each([
    ['-p prof go', /--profile prof: Robota has no profiles\. Use --model/],
    ['--profile=prof go', /--profile prof: Robota has no profiles/],
    ['--sandbox workspace go', /choose one of read-only, workspace-write, danger-full-access/],
    ['-c nosuch.key=1 go', /-c nosuch\.key: Robota has no such setting\. Use /],
    ['-c shell_environment_policy.inherit=none go', /Robota has no such setting/],
    ['-c nosuch go', /expected KEY=VALUE/],
    ['-i nosuch.png go', /the file cannot be read/],
    ['-o nosuch/last.txt go', /-o .*last\.txt/],
    ['--output-schema nosuch.json go', /no such file/],
    ['--color blue go', /choose one of auto, always, never/],
    ['--enable x go', /no such feature/],
    ['--oss --local-provider x go', /--model ollama/],
    ['--nosuch go', /Unknown option --nosuch for robota exec/],
    ['--json --output-format json go', /cannot be used together/],
    ['--last go', /needs "resume"/],
    ['review', /Use: robota -p \/review/],
    ['resume', /needs the ID/],
  ])('refuses %s before anything runs', async (line, message) => {
    const { code, stdout, stderr } = await exec(...line.split(' '));
    expect({ code, stdout, requests: stage.server.requests.length }).toEqual({
      code: 2,
      stdout: '',
      requests: 0,
    });
    expect(stderr).toMatch(message);
  });
});
