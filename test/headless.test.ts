import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  anthropicError,
  anthropicReply,
  type RobotaOptions,
  runRobota,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeEach, describe, expect, it } from 'vitest';

const server = modelServerPerTest();
let cwd: string;

beforeEach(async () => {
  cwd = await temporaryDirectory();
});

/** Runs `robota -p` against the test server. */
function print(args: readonly string[], options: Partial<RobotaOptions> = {}) {
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url, ...options.env };
  return runRobota(['-p', ...args], { cwd, ...options, env });
}

interface SentMessage {
  readonly role: string;
  readonly content: {
    readonly type: string;
    readonly text?: string;
    readonly is_error?: boolean;
    readonly content?: unknown;
  }[];
}

function sent(index: number) {
  const request = server.requests[index];
  if (!request) throw new Error(`there was no request ${index}`);
  return request.body as {
    model: string;
    system: { text: string }[];
    messages: SentMessage[];
    tools: { name: string }[];
    thinking?: unknown;
  };
}

async function entriesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.map((entry) => join(entry.parentPath, entry.name));
}

describe('print mode', () => {
  it('prints the final answer and a newline, nothing else', async () => {
    proves('C-69', 'C-73', 'H-6');
    server.reply(
      anthropicReply({ text: 'Let me look.', toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }),
      anthropicReply({ text: ['The answer', ' is 42.'] }),
    );
    const result = await print(['what is it?', '--model', 'claude-sonnet-4-6']);
    expect(result).toMatchObject({ code: 0, stdout: 'The answer is 42.\n', stderr: '' });
    expect(sent(0).model).toBe('claude-sonnet-4-6');
    expect(sent(0).messages.at(-1)?.content[0]?.text).toBe('what is it?');
  });

  it('json prints exactly one result object', async () => {
    proves('H-7', 'H-16');
    server.reply(anthropicReply({ text: 'hello', usage: { input: 1000, output: 10, cacheRead: 5 } }));
    const result = await print(['hi', '--output-format', 'json', '--model', 'claude-sonnet-4-6']);
    const lines = result.stdout.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'hello',
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      num_turns: 1,
      total_cost_usd: expect.closeTo((1000 * 3 + 10 * 15 + 5 * 0.3) / 1e6, 6),
      usage: { input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 5 },
      permission_denials: [],
    });
  });

  it('json on error: result empty, subtype error, a code, exit 1', async () => {
    proves('H-8', 'H-18');
    server.reply(anthropicError(401, 'invalid x-api-key'));
    const result = await print(['hi', '--output-format', 'json']);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      type: 'result',
      subtype: 'error',
      result: '',
      error_code: 'auth',
      error: expect.stringContaining('invalid x-api-key'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('stream-json prints one event per text delta, then the result object', async () => {
    proves('H-9', 'H-10');
    server.reply(anthropicReply({ text: ['one ', 'two ', 'three'] }));
    const result = await print(['count', '--output-format', 'stream-json']);
    const objects = result.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects.slice(0, 3)).toEqual(
      ['one ', 'two ', 'three'].map((text) => ({
        type: 'stream_event',
        event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
        session_id: objects.at(-1)?.['session_id'],
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      })),
    );
    expect(new Set(objects.slice(0, 3).map((object) => object['uuid'])).size).toBe(3);
    expect(objects.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'one two three' });
    expect(objects).toHaveLength(4);
  });

  it('a prompt that begins with a slash runs a command, without the model', async () => {
    proves('H-3');
    const result = await print(['/mode']);
    expect(result).toMatchObject({ code: 0, stdout: 'Permission mode: default\n' });
    expect(server.requests).toHaveLength(0);
  });

  it('an unknown command is an error with a near name, exit 1', async () => {
    proves('H-4');
    const result = await print(['/hlep']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('Unknown command /hlep. Did you mean /help?');
    const keyless = await runRobota(['-p', '/hlep'], { cwd });
    expect(keyless.stderr).toBe('robota: Unknown command /hlep. Did you mean /help?\n');
    expect((await print(['/status'])).stderr).toContain(
      'Unknown command /status. /context, /cost and /permissions',
    );
    const json = await print(['/nonsense-xyz', '--output-format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      subtype: 'error',
      result: '',
      error_code: 'unknown-command',
    });
  });

  it('without a provider it fails before anything runs, says what to do, exit 2', async () => {
    proves('H-17');
    const result = await runRobota(['-p', 'hi', '--output-format', 'json'], { cwd });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('ANTHROPIC_API_KEY');
    expect(result.stderr).toContain('--model offline');
  });

  it('standard input joins the prompt, or is the prompt', async () => {
    proves('P-60', 'P-69');
    server.handle(() => anthropicReply({ text: 'ok' }));
    await print(['why?'], { input: 'error: it broke\n' });
    expect(sent(0).messages[0]?.content[0]?.text).toMatch(/^why\?[\s\S]*error: it broke/);
    await runRobota([], {
      cwd,
      input: 'what is this?',
      env: { ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: server.url },
    });
    expect(sent(1).messages[0]?.content[0]?.text).toBe('what is this?');
  });

  it('a huge pipe goes into a file the model can search, with both ends shown', async () => {
    server.reply(anthropicReply({ text: 'ok' }));
    const log = `first line\n${'middle\n'.repeat(100_000)}last line\n`;
    await print(['why?'], { input: log });
    const text = sent(0).messages[0]?.content[0]?.text ?? '';
    expect(text.length).toBeLessThan(101_000);
    expect(text).toContain('first line');
    expect(text).toContain('last line');
    const file = text.match(/\/\S*stdin\S*\.txt/)?.[0] ?? '';
    expect(await readFile(file, 'utf8')).toBe(log);
  });

  it('the permission mode decides: default denies a write without a user to allow it, acceptEdits lets it through', async () => {
    proves('C-75', 'R-11');
    const write = { toolCalls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'hi' } }] };
    server.handle((request) =>
      anthropicReply(
        (request.body as { messages: unknown[] }).messages.length === 1 ? write : { text: 'done' },
      ),
    );
    const denied = await print(['write it', '--output-format', 'json']);
    expect(JSON.parse(denied.stdout)).toMatchObject({
      subtype: 'success',
      permission_denials: [{ tool_name: 'Write', would_allow: [expect.stringContaining('a.txt')] }],
    });
    await expect(readFile(join(cwd, 'a.txt'))).rejects.toThrow();
    await print(['write it', '--permission-mode', 'acceptEdits']);
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('hi');
    const plan = await print(['write it', '--permission-mode', 'plan', '--output-format', 'json']);
    expect(JSON.parse(plan.stdout).permission_denials).toHaveLength(1);
  });

  it('--allow and --deny decide by rule; deny wins, also in bypassPermissions', async () => {
    const run = { toolCalls: [{ name: 'Bash', input: { command: 'echo ran > out.txt' } }] };
    server.handle((request) =>
      anthropicReply(
        (request.body as { messages: unknown[] }).messages.length === 1 ? run : { text: 'done' },
      ),
    );
    const mode = ['--permission-mode', 'bypassPermissions'];
    await print(['go', ...mode, '--deny', 'Bash(echo *)']);
    await expect(readFile(join(cwd, 'out.txt'))).rejects.toThrow();
    await print(['go', ...mode, '--disallowedTools', 'Bash(echo *)']);
    await expect(readFile(join(cwd, 'out.txt'))).rejects.toThrow();
    await print(['go', ...mode]);
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).toBe('ran\n');
  });

  it('--ask asks about such calls: without a user they are denied and listed', async () => {
    const run = { toolCalls: [{ name: 'Bash', input: { command: 'echo ran > out.txt' } }] };
    server.reply(anthropicReply(run), anthropicReply({ text: 'done' }));
    const mode = ['--permission-mode', 'bypassPermissions', '--output-format', 'json'];
    const { code, stdout } = await print(['go', ...mode, '--ask', 'Bash(echo *)']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).permission_denials).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'echo ran > out.txt' } },
    ]);
    await expect(readFile(join(cwd, 'out.txt'))).rejects.toThrow(/ENOENT/);
    expect(JSON.stringify(sent(1).messages.at(-1))).toMatch(
      /Bash\(echo \*\).*No user is available to approve this\./,
    );
  });

  it.each(['--allow', '--allowedTools'])('%s lets through what would be asked about', async (flag) => {
    server.reply(
      anthropicReply({
        toolCalls: [
          { name: 'Bash', input: { command: 'mkdir made' } },
          { name: 'Bash', input: { command: 'mkdir other' } },
        ],
      }),
      anthropicReply({ text: 'done' }),
    );
    const { stdout } = await print(['go', '--output-format', 'json', flag, 'Bash(mkdir made)']);
    expect(JSON.parse(stdout).permission_denials).toMatchObject([{ tool_input: { command: 'mkdir other' } }]);
    expect(await readdir(cwd)).toEqual(['made']);
  });

  it('a path out of the workspace is rejected with a named error, whatever the edits that are accepted', async () => {
    proves('E-2');
    const project = join(cwd, 'a', 'b');
    await mkdir(project, { recursive: true });
    await writeFile(join(cwd, 'secret.txt'), 's3cret');
    server.reply(
      anthropicReply({
        toolCalls: [
          { name: 'Write', input: { file_path: '../../escaped.txt', content: 'x' } },
          { name: 'Read', input: { file_path: '../../secret.txt' } },
        ],
      }),
      anthropicReply({ text: 'done' }),
    );
    const args = ['go', '--permission-mode', 'acceptEdits', '--output-format', 'json'];
    const { stdout } = await print(args, { cwd: project });
    expect(JSON.parse(stdout).permission_denials).toMatchObject([
      { tool_name: 'Write', would_allow: [`Edit(/${join(cwd, 'escaped.txt')})`] },
      { tool_name: 'Read', would_allow: [`Read(/${join(cwd, 'secret.txt')})`] },
    ]);
    const [write, read] = sent(1).messages.at(-1)?.content ?? [];
    expect(write).toMatchObject({ type: 'tool_result', is_error: true });
    expect(JSON.stringify(write)).toContain('OutsideWorkspace: ');
    expect(read).toMatchObject({ type: 'tool_result', is_error: true });
    expect(JSON.stringify(read)).toContain('lies outside the workspace');
    expect(JSON.stringify(read)).not.toContain('s3cret');
    expect(await readdir(cwd)).toEqual(['a', 'secret.txt']);
  });

  it('--max-turns stops a run that does not end, with a code of its own', async () => {
    proves('C-76');
    let turn = 0;
    server.handle(() => anthropicReply({ toolCalls: [{ name: 'Glob', input: { pattern: `*${turn++}` } }] }));
    const result = await print(['go', '--max-turns', '3', '--output-format', 'json']);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      subtype: 'error',
      error_code: 'max-turns',
      num_turns: 3,
    });
    expect(server.requests).toHaveLength(3);
  });

  it('--max-cost stops when the money is spent', async () => {
    let turn = 0;
    server.handle(() =>
      anthropicReply({
        toolCalls: [{ name: 'Glob', input: { pattern: `*${turn++}` } }],
        usage: { input: 100_000, output: 10 },
      }),
    );
    const args = ['go', '--max-cost', '0.5', '--output-format', 'json', '--model', 'claude-sonnet-4-6'];
    const result = await print(args);
    expect(JSON.parse(result.stdout)).toMatchObject({ error_code: 'max-cost', num_turns: 2 });
  });

  it('--json-schema makes the result conform, after a correction if need be', async () => {
    await writeFile(
      join(cwd, 'schema.json'),
      JSON.stringify({ type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }),
    );
    server.reply(
      anthropicReply({ text: 'There are three.' }),
      anthropicReply({ text: '```json\n{"count": 3}\n```' }),
    );
    const result = await print(['how many?', '--json-schema', 'schema.json', '--output-format', 'json']);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      subtype: 'success',
      result: '{"count":3}',
      structured_output: { count: 3 },
      num_turns: 2,
    });
  });

  it('--json-schema fails with its own code when the model never conforms', async () => {
    await writeFile(join(cwd, 'schema.json'), '{"type":"object","required":["a"]}');
    server.handle(() => anthropicReply({ text: 'no' }));
    const result = await print(['x', '--json-schema', 'schema.json', '--output-format', 'json']);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({ error_code: 'schema', partial_result: 'no' });
  });

  it('--verbose streams text, thinking, calls and results as they happen', async () => {
    proves('P-68');
    server.reply(
      anthropicReply({
        thinking: { text: 'hmm', signature: 's' },
        text: 'Looking.',
        toolCalls: [{ name: 'Glob', input: { pattern: '*.md' } }],
      }),
      anthropicReply({ text: 'Done.' }),
    );
    const result = await print(['go', '--verbose', '--thinking', 'low']);
    expect(result.stdout).toMatch(/hmm\n+Looking\.\n⏺ Glob\(\*\.md\)\n {2}⎿ success: [^\n]+\nDone\.\n$/);
  });

  it('flags replace and extend the prompt; --no-tools offers no tools', async () => {
    proves('P-46', 'P-66');
    server.handle(() => anthropicReply({ text: 'ok' }));
    await writeFile(join(cwd, 'AGENTS.md'), 'Use tabs.');
    await print([
      'hi',
      '--no-tools',
      '--system-prompt',
      'You are a parrot.',
      '--append-system-prompt',
      'Be loud.',
    ]);
    const system = sent(0)
      .system.map((block) => block.text)
      .join('\n');
    expect(system).toMatch(/^You are a parrot\.[\s\S]*Be loud\.[\s\S]*Use tabs\./);
    expect(sent(0).tools ?? []).toEqual([]);
    await print(['hi', '-nc']);
    expect(JSON.stringify(sent(1).system)).not.toContain('Use tabs.');
  });

  it('-c continues with the last session of the directory; C-72 -r with a certain one', async () => {
    proves('C-70', 'P-61');
    const home = await temporaryDirectory('robota-home');
    server.handle(() => anthropicReply({ text: 'noted' }));
    const first = JSON.parse((await print(['remember 7', '--output-format', 'json'], { home })).stdout);
    await print(['second session'], { home });
    await print(['what was it?', '-c'], { home });
    expect(sent(2).messages.map((message) => message.content[0]?.text)).toEqual([
      'second session',
      'noted',
      'what was it?',
    ]);
    const resumed = JSON.parse(
      (await print(['and the number?', '-r', first.session_id, '--output-format', 'json'], { home })).stdout,
    );
    expect(resumed.session_id).toBe(first.session_id);
    expect(sent(3).messages.map((message) => message.content[0]?.text)).toEqual([
      'remember 7',
      'noted',
      'and the number?',
    ]);
  });

  it('--no-session leaves nothing behind, at home, in the project or among temporary files', async () => {
    proves('P-63');
    const home = await temporaryDirectory('robota-home');
    const temporary = await temporaryDirectory();
    const long = { name: 'Bash', input: { command: 'seq 1 20000' } };
    const later = { name: 'Bash', input: { command: 'echo later', run_in_background: true } };
    server.reply(anthropicReply({ toolCalls: [long, later] }), anthropicReply({ text: 'ok' }));
    const result = await print(['hi', '--no-session', '--permission-mode', 'bypassPermissions'], {
      home,
      input: 'a long log\n'.repeat(50_000),
      env: { TMPDIR: temporary },
    });
    expect(result).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    const told = server.requests[1]?.text.match(new RegExp(`${temporary}/[\\w./-]+\\.txt`, 'g'));
    // There was something to leave behind: the input, a long output and that of a background job.
    expect(new Set(told).size).toBe(3);
    const left = (await Promise.all([home, temporary, cwd].map(entriesBelow))).flat();
    const cache = join(home, '.robota', 'cache');
    expect(left.filter((path) => !`${path}/`.startsWith(`${cache}/`) && path !== dirname(cache))).toEqual([]);
  });

  it('the web search of Anthropic is offered without being asked for, and kept in history', async () => {
    proves('R-37');
    server.reply(
      anthropicReply({
        serverSearch: { query: 'robota', results: [{ title: 'Robota', url: 'https://example.com' }] },
        text: 'Found.',
        toolCalls: [{ name: 'Glob', input: { pattern: '*' } }],
      }),
      anthropicReply({ text: 'Done.' }),
    );
    const result = await print(['search the web for robota']);
    expect(result.stdout).toBe('Done.\n');
    expect(sent(0).tools).toContainEqual(expect.objectContaining({ type: 'web_search_20250305' }));
    expect(JSON.stringify(sent(0).system)).toContain('web_search');
    const types = sent(1).messages[1]?.content.map((block) => block.type);
    expect(types).toEqual(['server_tool_use', 'web_search_tool_result', 'text', 'tool_use']);
  });

  it.each([
    ['off', undefined],
    ['minimal', 1_024],
    ['low', 4_096],
    ['medium', 10_240],
    ['high', 20_480],
  ])('--thinking %s reaches the request', async (level, tokens) => {
    proves('P-65');
    server.reply(anthropicReply({ text: 'ok' }));
    const result = await print(['hi', '--thinking', level, '--model', 'claude-sonnet-4-5']);
    expect(result).toMatchObject({ code: 0, stdout: 'ok\n' });
    const thinking = tokens === undefined ? undefined : { type: 'enabled', budget_tokens: tokens };
    expect(sent(0).thinking).toEqual(thinking);
  });

  it('a key never reaches a child process', async () => {
    server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'env' } }] }),
      anthropicReply({ text: 'ok' }),
    );
    await print(['go', '--permission-mode', 'bypassPermissions'], {
      env: { OPENAI_API_KEY: 'sk-other', SAFE: 'yes' },
    });
    const output = JSON.stringify(sent(1).messages.at(-1));
    expect(output).toContain('SAFE=yes');
    expect(output).not.toContain('sk-test');
    expect(output).not.toContain('sk-other');
  });
});
