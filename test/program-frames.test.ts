import { anthropicError, anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import type { Line } from './program.ts';
import { programHarness } from './program-harness.ts';

const desk = programHarness();
const { start } = desk;

const say = (text: string) => anthropicReply({ text });
const isSystem = (subtype: string) => (line: Line) => line.type === 'system' && line.subtype === subtype;

describe('lines about the state of a session', () => {
  it('tell of a retry', async () => {
    await desk.stage.settings({ retry: { baseDelay: '1ms' } });
    desk.stage.server.reply(anthropicError(529, 'busy'), say('Done.'));
    const program = start();
    program.say('go');
    expect(await program.next(isSystem('api_retry'))).toMatchObject({
      attempt: 1,
      max_retries: expect.any(Number),
      retry_delay_ms: expect.any(Number),
      error_status: 529,
      error: 'overloaded',
    });
    await program.result();
    expect(await program.end()).toBe(0);
  });

  it('tell of a denied call, a changed mode and a compaction', async () => {
    const write = anthropicReply({
      toolCalls: [{ name: 'Write', input: { file_path: 'a', content: 'x' }, id: 'toolu_1' }],
    });
    desk.stage.server.reply(write, say('No.'), say('A summary of what was said.'));
    const program = start();
    program.say('go');
    expect(await program.next(isSystem('permission_denied'))).toMatchObject({
      tool_name: 'Write',
      tool_use_id: 'toolu_1',
      message: expect.stringContaining('ermission'),
    });
    await program.result();
    program.send({
      type: 'control_request',
      request_id: 'mode',
      request: { subtype: 'set_permission_mode', mode: 'plan' },
    });
    expect(await program.next(isSystem('status'))).toMatchObject({ status: null, permissionMode: 'plan' });
    program.say('/compact');
    expect(await program.next(isSystem('status'))).toMatchObject({ status: 'compacting' });
    expect(await program.next(isSystem('status'))).toMatchObject({ status: null });
    await program.result();
    expect(await program.end()).toBe(0);
  });
});

describe('--include-partial-messages', () => {
  it("prints an answer as the events of Anthropic's API", async () => {
    const glob = [{ name: 'Glob', input: { pattern: '*' }, id: 'toolu_1' }];
    desk.stage.server.reply(
      anthropicReply({ thinking: { text: 'Hm.', signature: 's' }, text: 'Looking.', toolCalls: glob }),
      say('Done.'),
    );
    const program = start('--include-partial-messages', '--thinking', 'low');
    program.say('go');
    await program.result();
    expect(await program.end()).toBe(0);
    const events = program
      .of('stream_event')
      .map(({ event }) => event as { type: string; index?: number; delta?: { type?: string } });
    const shape = events.map(({ type, index, delta }) =>
      [type, index, delta?.type].filter((x) => x !== undefined),
    );
    const first = shape.slice(0, shape.findIndex(([type]) => type === 'message_stop') + 1);
    const withoutRepeats = first.filter((each, index) => String(each) !== String(first[index - 1]));
    expect(withoutRepeats).toEqual([
      ['message_start'],
      ['content_block_start', 0],
      ['content_block_delta', 0, 'thinking_delta'],
      ['content_block_stop', 0],
      ['content_block_start', 1],
      ['content_block_delta', 1, 'text_delta'],
      ['content_block_stop', 1],
      ['content_block_start', 2],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_stop', 2],
      ['message_delta'],
      ['message_stop'],
    ]);
    expect(events.filter(({ type }) => type === 'message_start')).toHaveLength(2);
    expect(events.find(({ type }) => type === 'message_delta')?.delta).toEqual({
      stop_reason: 'tool_use',
      stop_sequence: null,
    });
  });
});
