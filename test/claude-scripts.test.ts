import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicError, anthropicReply, robotaBin } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const verbose = ['--output-format', 'stream-json', '--verbose'];

function print(...words: readonly string[]) {
  return stage.robota(['-p', 'go', '--model', 'claude-sonnet-4-6', ...words]);
}

function linesOf(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function callsBash() {
  stage.server.reply(
    anthropicReply({ text: 'Let me look.', toolCalls: [{ name: 'Bash', input: { command: 'echo hi' } }] }),
    anthropicReply({ text: 'Done.' }),
  );
}

describe('scripts for claude -p', () => {
  it('--verbose prints a line for each block, results as text and no pieces of answers', async () => {
    callsBash();
    const { stdout } = await print(...verbose);
    const lines = linesOf(stdout);
    expect(lines.map(({ type }) => type)).toEqual([
      'system',
      'assistant',
      'assistant',
      'user',
      'assistant',
      'result',
    ]);
    expect(lines[1]).toMatchObject({ message: { content: [{ type: 'text', text: 'Let me look.' }] } });
    expect(lines[2]).toMatchObject({ message: { content: [{ type: 'tool_use', name: 'Bash' }] } });
    expect(lines[3]).toMatchObject({ message: { content: [{ type: 'tool_result', content: 'hi' }] } });
    expect(lines[5]).toMatchObject({ subtype: 'success', result: 'Done.', api_error_status: null });
  });

  it.each([[verbose], [['--output-format', 'stream-json']]])(
    '--include-partial-messages adds whole partial messages with the input of calls to %j',
    async (options) => {
      callsBash();
      const { stdout } = await print(...options, '--include-partial-messages');
      const events = linesOf(stdout).flatMap(({ type, event }) =>
        type === 'stream_event' ? [event as { type: string; delta?: { type: string } }] : [],
      );
      expect(events.map(({ type, delta }) => delta?.type ?? type)).toEqual(
        [
          'message_start',
          'content_block_start',
          'text_delta',
          'content_block_stop',
          'content_block_start',
          'input_json_delta',
          'content_block_stop',
          null,
          'message_stop',
          'message_start',
          'content_block_start',
          'text_delta',
          'content_block_stop',
          null,
          'message_stop',
        ].map((each) => each ?? 'message_delta'),
      );
    },
  );

  it('json --verbose is a list of all messages, the result last', async () => {
    callsBash();
    const messages = JSON.parse((await print('--output-format', 'json', '--verbose')).stdout);
    expect(messages.map(({ type }: { type: string }) => type)).toEqual([
      'system',
      'assistant',
      'assistant',
      'user',
      'assistant',
      'result',
    ]);
    expect(messages.at(-1)).toMatchObject({ subtype: 'success', result: 'Done.' });
  });

  it('names the kind of a failure in subtype with --verbose, and beside it without', async () => {
    for (const [options, kind] of [
      [verbose, { subtype: 'error_max_turns' }],
      [['--output-format', 'json'], { subtype: 'error', error_subtype: 'error_max_turns', result: '' }],
    ] as const) {
      const toolCalls = [{ name: 'Bash', input: { command: 'echo hi' } }];
      stage.server.reply(anthropicReply({ text: 'Let me look.', toolCalls }));
      const { code, stdout } = await print(...options, '--max-turns', '1');
      expect(code).toBe(1);
      expect(linesOf(stdout).at(-1)).toMatchObject(kind);
    }
  });

  it('a refusal of the vendor is the answer with --verbose, with its status', async () => {
    stage.server.reply(anthropicError(400, 'bad thing'), anthropicError(400, 'bad thing'));
    const { code, stdout } = await print(...verbose);
    expect(code).toBe(1);
    expect(linesOf(stdout).at(-1)).toMatchObject({
      subtype: 'success',
      is_error: true,
      result: expect.stringMatching(/^API Error: 400 .*bad thing/),
      api_error_status: 400,
    });
    const plain = linesOf((await print('--output-format', 'json')).stdout)[0];
    expect(plain).toMatchObject({ subtype: 'error', result: '', error_subtype: 'error_during_execution' });
  });

  it('reads the variables that pin models, and names those that it does not read', async () => {
    const reply = anthropicReply({ text: 'ok' });
    stage.server.reply(reply, reply, reply, reply);
    const env = { ANTHROPIC_MODEL: 'claude-haiku-4-5' };
    expect(await stage.robota(['-p', 'go'], { env })).toMatchObject({ code: 0 });
    expect(await stage.robota(['-p', 'go', '--model', 'claude-opus-4-6'], { env })).toMatchObject({
      code: 0,
    });
    const pinned = { ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4-6' };
    await stage.robota(['-p', 'go', '--model', 'sonnet'], { env: pinned });
    const unread = { MAX_THINKING_TOKENS: '1000', CLAUDE_CODE_USE_BEDROCK: '1' };
    const { stderr } = await stage.robota(['-p', 'go'], { env: unread });
    expect(stderr).toContain('MAX_THINKING_TOKENS is not read. Use --max-thinking-tokens');
    expect(stderr).toContain('CLAUDE_CODE_USE_BEDROCK is not read. Use --model bedrock/MODEL.');
    expect(stage.server.requests.map(({ body }) => (body as { model: string }).model).slice(0, 3)).toEqual([
      'claude-haiku-4-5',
      'claude-opus-4-6',
      'claude-sonnet-4-6',
    ]);
    await stage.settings({ model: 'offline' });
    await stage.robota(['-p', 'go'], { env });
    expect(stage.server.requests).toHaveLength(4);
  });

  it.each([
    ['--no-chrome'],
    ['--prompt-suggestions false'],
    ['--system-prompt-snapshot off'],
    ['--autocompact auto'],
    ['--debug=hooks,mcp'],
    ['--permission-prompts none'],
    ['-n mine'],
  ])('takes %s', async (options) => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    expect(await print(...options.split(' '))).toMatchObject({ code: 0, stdout: 'ok\n' });
  });

  it.each([
    ['--restricted', '--setting-sources'],
    ['--forward-subagent-text', '--output-format stream-json'],
    ['--autocompact 200000', 'compaction'],
    ['--permission-prompts host', '--input-format stream-json'],
  ])('refuses %s with what to use instead', async (options, advice) => {
    const { code, stderr } = await print(...options.split(' '));
    expect({ code, stderr, requests: stage.server.requests.length }).toEqual({
      code: 2,
      stderr: expect.stringContaining(advice),
      requests: 0,
    });
  });

  it('a prompt of one word may stand before -p', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    expect(await stage.robota(['hi', '-p', '--model', 'claude-sonnet-4-6'])).toMatchObject({
      stdout: 'ok\n',
    });
  });

  it('-n names the session', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    await print('-n', 'my name');
    expect(JSON.stringify(await stage.sessionLines('session.jsonl'))).toContain('"my name"');
  });

  it('what an extension prints goes to standard error, in every format', async () => {
    mkdirSync(join(stage.home, '.robota/extensions'), { recursive: true });
    const noisy = `console.log('NOISE1');
export default { name: 'noisy', setup(host) { console.log('NOISE2'); host.hook('input', () => { process.stdout.write('NOISE3'); }); } };`;
    writeFileSync(join(stage.home, '.robota/extensions/noisy.mjs'), noisy);
    const formats = [[], ['--output-format', 'json'], verbose, ['--output-format', 'stream-json']];
    for (const format of formats) {
      stage.server.reply(anthropicReply({ text: 'ok' }));
      const { stdout, stderr } = await print(...format);
      expect(stdout).not.toContain('NOISE');
      for (const noise of ['NOISE1', 'NOISE2', 'NOISE3']) expect(stderr).toContain(noise);
    }
    const input = '{"type":"user","message":{"role":"user","content":"hi"}}\n';
    stage.server.reply(anthropicReply({ text: 'ok' }));
    const served = await stage.robota(['-p', '--input-format', 'stream-json', ...verbose], { input });
    expect(served.stdout).not.toContain('NOISE');
    expect(served.stderr).toContain('NOISE3');
  });

  it('waits for standard input that comes late from a program', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    const env = {
      PATH: process.env.PATH,
      HOME: stage.home,
      ANTHROPIC_API_KEY: 'sk-test',
      ANTHROPIC_BASE_URL: stage.server.url,
    };
    const child = spawn(process.execPath, [robotaBin, '-p', '--model', 'claude-sonnet-4-6'], {
      cwd: stage.cwd,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Later than a program that waits for a moment only would have given up.
    const closed = once(child, 'close');
    const until = performance.now() + 1_200;
    while (performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    child.stdin?.end('late text');
    await closed;
    expect(JSON.stringify(stage.messages(0))).toContain('late text');
  });
});
