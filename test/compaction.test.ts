import { createInteractiveSession } from '@robota-sdk/agent-sdk/compat';
import {
  anthropicChunks,
  anthropicError,
  anthropicErrorEvent,
  anthropicReply,
  eventStream,
  type RecordedRequest,
  type Reply,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SentMessage } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();

beforeEach(async () => {
  await stage.settings({ retry: { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 1, maxRetryAfterMs: 1 } });
});

const model = ['--model', 'anthropic/claude-sonnet-4-6'];
const isSummary = ({ text }: RecordedRequest) => text.includes('<record>');
const notes = anthropicReply({ text: '## Goal\nto test' });

/** A session in this process. */
function open() {
  const { cwd, home, server } = stage;
  const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
  return createInteractiveSession({ cwd, host: { home, env }, model: 'anthropic/claude-sonnet-4-6' });
}

/** Three prompts with long answers, each in a separate process. */
async function talk(): Promise<void> {
  stage.server.reply(...['a', 'b', 'c'].map((text) => anthropicReply({ text: text.repeat(30_000) })));
  for (const prompt of ['one', 'two', 'three']) await stage.robota(['-p', '-c', ...model, prompt]);
}

/** Marks for the cache move on with the conversation; everything else has to stay. */
function prefixOf(request: RecordedRequest | undefined) {
  const marks = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'cache_control' in value
      ? { ...value, cache_control: undefined }
      : value;
  const body = request?.body as { system: unknown; tools: unknown; messages: readonly SentMessage[] };
  const { system, tools, messages } = JSON.parse(JSON.stringify(body, marks)) as typeof body;
  return { fixed: JSON.stringify({ system, tools }), messages: messages.map((each) => JSON.stringify(each)) };
}

interface CommandAnswer {
  readonly result: string;
  readonly is_error: boolean;
  readonly total_cost_usd: number;
  readonly usage: { readonly output_tokens: number };
}

async function command(line: string) {
  const { stdout } = await stage.robota(['-p', '-c', ...model, line, '--output-format', 'json']);
  return JSON.parse(stdout) as CommandAnswer;
}

describe('compaction across processes', () => {
  it('a session continues from the summary with the same bytes in every process', async () => {
    proves('C-11', 'C-12', 'C-13', 'P-27');
    await talk();
    stage.server.reply(notes);
    const { result, total_cost_usd: cost, usage } = await command('/compact the parser');
    expect([cost > 0, usage.output_tokens > 0]).toEqual([true, true]);
    expect((await command('/context')).total_cost_usd).toBe(0);
    expect(result).toMatch(/^Context compressed: \d+% → \d+%\nMessages: .*summarized/);
    expect(stage.server.requests.at(-1)?.text).toContain('special attention to this:\\nthe parser');
    stage.server.reply(anthropicReply({ text: 'four' }), anthropicReply({ text: 'five' }));
    await stage.robota(['-p', '-c', ...model, 'four']);
    await stage.robota(['-p', '-c', ...model, 'five']);
    const [fourth, fifth] = stage.server.requests.slice(-2).map(prefixOf);
    expect(fourth?.messages[0]).toContain('to test');
    expect(fifth?.fixed).toBe(fourth?.fixed);
    expect(fifth?.messages.slice(0, fourth?.messages.length)).toEqual(fourth?.messages);
    expect(fifth?.messages.length).toBeGreaterThan(fourth?.messages.length ?? 0);
  });

  it('pins, receipts and what was taken out are there in the next process', async () => {
    await command('/pin Never touch the tests.');
    await talk();
    stage.server.reply(notes);
    await command('/compact');
    expect((await command('/pin')).result).toBe('1. Never touch the tests.');
    const receipt = (await command('/context receipt')).result;
    expect(receipt).toMatch(
      /^Compaction 1: asked for, \d+ → \d+ tokens\. Summary by anthropic\/claude-sonnet-4-6/,
    );
    expect(receipt).toMatch(/summarized\s+~\d+\s+prompt: one$/m);
    expect((await command('/recall')).result).toMatch(/^\d+\. prompt: one \(summarized, ~\d+ tokens\)$/m);
    expect((await command('/recall prompt: one')).result).toContain('Restored for the next prompt');
    stage.server.reply(anthropicReply({ text: 'four' }));
    await stage.robota(['-p', '-c', ...model, 'four']);
    const sent = stage.server.requests.at(-1)?.text ?? '';
    expect(sent).toContain('Brought back from earlier');
    expect(sent.match(/Never touch the tests\./g)).toHaveLength(1);
    expect(await command('/unpin 1')).toMatchObject({ is_error: false });
    expect((await command('/unpin 1')).is_error).toBe(true);
    expect((await command('/recall 999')).is_error).toBe(true);
    expect((await command('/context receipt 9')).is_error).toBe(true);
  });

  it('a summarized session is resumed with the number of messages that the list shows', async () => {
    await talk();
    stage.server.reply(notes);
    await command('/compact');
    const [, listed] = /(\d+) messages/.exec((await stage.robota(['sessions', 'list'])).stdout) ?? [];
    const terminal = openTerminal(['--plain', '-c', ...model], {
      cwd: stage.cwd,
      home: stage.home,
      env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url },
    });
    expect(Number(listed)).toBeGreaterThan(2);
    await terminal.shows(`(${listed} messages`);
    terminal.type('\u0004');
    expect(await terminal.exit).toBe(0);
  });

  it('a summary is asked of the model that the settings name for it', async () => {
    proves('P-25');
    await talk();
    await stage.settings({ compaction: { model: 'anthropic/claude-haiku-4-5' } });
    stage.server.reply(notes);
    await command('/compact');
    expect(stage.server.requests.at(-1)?.body).toMatchObject({ model: 'claude-haiku-4-5' });
    await stage.settings({ compaction: { model: 'nobody/knows-this' } });
    stage.server.reply(anthropicReply({ text: 'd'.repeat(30_000) }), notes);
    await stage.robota(['-p', '-c', ...model, 'four']);
    await command('/compact');
    expect(stage.server.requests.at(-1)?.body).toMatchObject({ model: 'claude-sonnet-4-6' });
  });

  /** The window is said to be filled to a share when the last of eight calls is made. */
  async function fillWindow(share: number): Promise<void> {
    await stage.file('long.txt', 'many words in a line\n'.repeat(1_000));
    let turn = 0;
    stage.server.handle((request) => {
      if (isSummary(request)) return notes;
      turn++;
      if (turn > 8) return anthropicReply({ text: 'done' });
      const input = { file_path: 'long.txt', offset: turn, limit: 900 };
      const usage = { input: turn === 8 ? share * 1_000_000 : 1_000 };
      return anthropicReply({ toolCalls: [{ id: `toolu_${turn}`, name: 'Read', input }], usage });
    });
  }

  it('a user is told in the terminal that the conversation was compacted, from 83.5 % on', async () => {
    proves('C-14');
    const { cwd, home, server } = stage;
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    for (const [share, notice] of [
      [0.8, undefined],
      [0.85, /Context compressed: \d+% → \d+%/],
    ] as const) {
      await fillWindow(share);
      const terminal = openTerminal(['--plain', ...model], { cwd, home, env });
      await terminal.shows(/>$/);
      terminal.type('read it\r');
      const screen = await terminal.shows(/done\n>$/);
      if (notice) expect(screen).toMatch(notice);
      else expect(screen).not.toContain('Context compressed');
      terminal.type('\u0004');
      expect(await terminal.exit).toBe(0);
    }
  });

  it('stream-json tells of a compaction, and the log why the cached beginning broke', async () => {
    await fillWindow(0.99);
    const { stdout } = await stage.robota(['-p', ...model, 'read it', '--output-format', 'stream-json']);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event?: { type: string } & Record<string, unknown> });
    const [compaction] = events.flatMap(({ event }) => (event?.type === 'compaction' ? [event] : []));
    expect(compaction).toMatchObject({ kind: 'summarised', reason: 'threshold' });
    expect(compaction?.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ fate: 'summarised', title: 'call: Read long.txt' })]),
    );
    const breaks = (await stage.sessionLines('log.jsonl')).filter(({ event }) => event === 'prefix_break');
    expect(breaks).toMatchObject([
      { reason: 'history rewritten', detail: expect.stringContaining('compaction') },
    ]);
  });
});

describe('a summary that fails', () => {
  it('fails the command that asked for it, with a sentence after the vendor’s words', async () => {
    await talk();
    stage.server.reply(anthropicError(401, 'boom'));
    const { stdout, code } = await stage.robota([
      '-p',
      '-c',
      ...model,
      '/compact',
      '--output-format',
      'json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      is_error: true,
      error: expect.stringMatching(/could not be summarized: .*boom.*[.!?)"] It stays as it is\.$/s),
    });
    expect(code).toBe(1);
  });

  const half = anthropicChunks({ text: 'half of the notes' }).slice(0, 4);
  const faults: readonly (readonly [string, Reply])[] = [
    ['429', anthropicError(429, 'slow down')],
    ['529', anthropicError(529, 'overloaded')],
    ['401', anthropicError(401, 'no such key')],
    ['404', anthropicError(404, 'no such model')],
    ['400 for its own length', anthropicError(400, 'prompt is too long: 210000')],
    ['a login page', { headers: { 'content-type': 'text/html' }, chunks: ['<html>Hotel</html>'] }],
    ['a stream that ends early', eventStream(half)],
    ['a connection that is reset', eventStream([...half, { reset: true }])],
    ['an error in the stream', eventStream([...half, anthropicErrorEvent('api_error', 'oops')])],
    ['an empty answer', anthropicReply({ text: '' })],
    ['no JSON', eventStream(['event: message_start\ndata: {nonsense\n\n'])],
  ];

  it.each(faults)('loses nothing and the run continues: %s', async (_, fault) => {
    proves('P-27');
    const session = await open();
    stage.server.reply(...['a', 'b', 'c'].map((text) => anthropicReply({ text: text.repeat(30_000) })));
    for (const prompt of ['one', 'two', 'three']) await session.submit(prompt);
    let refused = 0;
    stage.server.handle((request) => {
      if (isSummary(request)) return fault;
      return refused++ === 0
        ? anthropicError(400, 'prompt is too long: 210000')
        : anthropicReply({ text: 'went on' });
    });
    const notices: string[] = [];
    session.on('notice', ({ text }) => notices.push(text));
    expect(await session.submit('four')).toMatchObject({ status: 'completed', response: 'went on' });
    expect(notices.join()).toContain('could not be summarized');
    expect((await session.executeCommand('recall'))?.message).toContain('1. answer: aaaa');
    await session.shutdown();
    const stored = JSON.stringify(await stage.sessionLines('session.jsonl'));
    for (const text of ['aaaa', 'bbbb', 'cccc']) expect(stored).toContain(text.repeat(7_000));
  });
});

describe('instruction files', () => {
  it('are read again after a summary, and only then', async () => {
    proves('R-47');
    await stage.file('AGENTS.md', 'The port is 1.');
    const session = await open();
    stage.server.handle((request) =>
      isSummary(request) ? notes : anthropicReply({ text: 'x'.repeat(9_000) }),
    );
    await session.submit('one');
    await stage.file('AGENTS.md', 'The port is 2.\n\n# Compact Instructions\nName the port.');
    await session.submit('two');
    expect(prefixOf(stage.server.requests.at(-1)).fixed).toContain('The port is 1.');
    await session.executeCommand('compact');
    expect(stage.server.requests.at(-1)?.text).toContain('Name the port.');
    await session.submit('three');
    expect(prefixOf(stage.server.requests.at(-1)).fixed).toContain('The port is 2.');
    const { message = '' } = (await session.executeCommand('context')) ?? {};
    expect(message).toMatch(/~\d+ {2}instructions .*AGENTS\.md/);
    expect(message).toContain('last broke because: system prompt changed (compaction)');
    await session.shutdown();
  });
});
