import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInteractiveSession } from '@robota-sdk/agent-sdk/compat';
import {
  anthropicError,
  anthropicReply,
  openaiChatReply,
  type RecordedRequest,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { keys, pasted } from './tui.ts';

const stage = stagePerTest();
let terminal: Terminal | undefined;

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
});

const isSummary = ({ text }: RecordedRequest) => text.includes('<record>');
const log = (lines: number) =>
  Array.from(
    { length: lines },
    (_, line) => `${line} some line of a log file, as long as such lines are`,
  ).join('\n');

/** A server that refuses what is too large, like a model's window. */
function refuseAbove(characters: number): void {
  stage.server.handle((request) => {
    if (request.text.length > characters)
      return anthropicError(400, 'prompt is too long: 262144 tokens > 200000 maximum');
    return anthropicReply({ text: isSummary(request) ? '## Goal\nnotes' : 'Fine.' });
  });
}

describe('one message larger than the window', () => {
  it('is shortened, the session continues, and no summary is paid for', async () => {
    refuseAbove(800_000);
    const { cwd, home, server } = stage;
    const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    const options = { cwd, host: { home, env }, model: 'anthropic/claude-sonnet-4-6' };
    const session = await createInteractiveSession({ ...options, store: 'new' });
    for (const prompt of ['one', 'two', log(18_000), 'three'])
      expect(await session.submit(prompt)).toMatchObject({ status: 'completed', response: 'Fine.' });
    expect(server.requests.filter(isSummary)).toEqual([]);
    expect(server.requests.map(({ text }) => text.length > 800_000)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    const file = server.requests.at(-1)?.text.match(/The whole text is in ([^\]]+)\]/)?.[1] ?? '';
    expect(await readFile(file, 'utf8')).toBe(log(18_000));
    await session.shutdown();
    const resumed = await stage.robota(['-p', '-c', '--model', options.model, 'four']);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Fine.\n' });
    const last = server.requests.at(-1)?.text ?? '';
    expect(last.length).toBeLessThan(100_000);
    for (const said of ['"one"', '"two"', '0 some line of', '17999 some line of', '"three"', '"four"'])
      expect(last).toContain(said);
  });

  it('that a model wrote does not lock out a smaller model', async () => {
    const content = log(4_500);
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: 'big.txt', content } }] }),
      anthropicReply({ text: 'Written.' }),
    );
    const bypass = ['--permission-mode', 'bypassPermissions'];
    await stage.robota(['-p', '--model', 'anthropic/claude-sonnet-4-6', ...bypass, 'write it']);
    stage.server.handle((request) => {
      if (request.text.length > 120_000) return anthropicError(400, 'maximum context length exceeded');
      return openaiChatReply({ text: isSummary(request) ? '## Goal\nnotes' : 'Small and fine.' });
    });
    const model = { id: 'small', contextWindow: 32_000, maxTokens: 4_000 };
    const provider = {
      baseUrl: `${stage.server.url}/v1`,
      api: 'openai-completions',
      apiKey: 'k',
      models: [model],
    };
    await writeFile(
      join(stage.home, '.robota/models.json'),
      JSON.stringify({ providers: { local: provider } }),
    );
    for (const prompt of ['and now?', 'more?', 'again?']) {
      const answered = await stage.robota(['-p', '-c', '--model', 'local/small', prompt]);
      expect(answered).toMatchObject({ code: 0, stdout: 'Small and fine.\n' });
    }
    expect(stage.server.requests.filter(isSummary).length).toBeLessThanOrEqual(1);
    // The first model's token count is inexact for the second, so one request may be refused.
    expect(stage.server.requests.filter(({ text }, at) => at > 1 && text.length > 120_000)).toHaveLength(1);
  });

  it('/compact makes it shorter where it is all there is', async () => {
    refuseAbove(10_000_000);
    const { cwd, home, server } = stage;
    const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    const options = { cwd, host: { home, env }, model: 'anthropic/claude-sonnet-4-6' };
    const session = await createInteractiveSession(options);
    await session.submit(log(9_000));
    const compacted = await session.executeCommand('compact');
    expect(compacted).toMatchObject({
      success: true,
      message: expect.stringContaining('Context compressed'),
    });
    await session.submit('next');
    expect(server.requests.at(-1)?.text.length).toBeLessThan(80_000);
    await session.shutdown();
  });
});

describe('a large paste', () => {
  const text = log(3_000);

  async function expectFile(request: number, before: string): Promise<void> {
    const said = stage.messages(request).at(-1)?.content[0]?.text ?? '';
    expect(said.length).toBeLessThan(101_000);
    expect(said.startsWith(`${before}0 some line of a log`)).toBe(true);
    const file = said.match(/\/\S*paste-\S*\.txt/)?.[0] ?? '';
    expect(await readFile(file, 'utf8')).toBe(text);
  }

  it('goes into a file on the screen, and what was typed stays', async () => {
    proves('P-89');
    refuseAbove(800_000);
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
    terminal = openTerminal([], { cwd: stage.cwd, home: stage.home, env });
    await terminal.shows(/Claude/);
    terminal.send('look: ');
    terminal.send(pasted(text));
    await terminal.shows('[paste #1');
    terminal.send(keys.enter);
    await terminal.shows('Fine.');
    await expectFile(0, 'look: ');
  });

  it('goes into a file in line mode', async () => {
    refuseAbove(800_000);
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
    terminal = openTerminal(['--plain'], { cwd: stage.cwd, home: stage.home, env });
    await terminal.shows(/\n>$/);
    terminal.send(pasted(text.replaceAll('\n', '\r')));
    await terminal.shows('2999 some line');
    terminal.send('\r');
    await terminal.shows('Fine.');
    await expectFile(0, '');
  });
});
