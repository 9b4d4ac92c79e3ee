import { SseParser } from '@robota-sdk/agent-core';
import { expect, it } from 'vitest';
import { anthropicChunks, anthropicError, anthropicErrorEvent, anthropicReply } from './anthropic-replies.ts';

function parse(chunks: readonly unknown[]) {
  const parser = new SseParser();
  return chunks
    .flatMap((chunk) => parser.push(String(chunk)))
    .map(({ event, data }) => ({ event, ...JSON.parse(data) }));
}

it('sends an answer as the API does: start, ping, blocks in order, stop reason, end', () => {
  const events = parse(
    anthropicChunks({
      thinking: { text: ['a', 'b'], signature: 's' },
      serverSearch: { query: 'q', results: [{ title: 't', url: 'u' }] },
      text: ['x', 'y'],
      toolCalls: [
        { name: 'Read', input: { a: 1 } },
        { id: 'mine', name: 'Bash', rawJson: ['{"b"', ': }'] },
      ],
      usage: { input: 3, output: 4, cacheRead: 5, cacheWrite: 6 },
    }),
  );
  expect(events.every(({ event, type }) => event === type)).toBe(true);
  expect(events[0]).toMatchObject({
    type: 'message_start',
    message: {
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 5,
        cache_creation_input_tokens: 6,
        output_tokens: 1,
      },
    },
  });
  const starts = events.filter(({ type }) => type === 'content_block_start');
  expect(starts.map(({ index, content_block }) => [index, content_block.type, content_block.id])).toEqual([
    [0, 'thinking', undefined],
    [1, 'server_tool_use', 'srvtoolu_1'],
    [2, 'web_search_tool_result', undefined],
    [3, 'text', undefined],
    [4, 'tool_use', 'toolu_1'],
    [5, 'tool_use', 'mine'],
  ]);
  const json = (index: number) =>
    events.filter((event) => event.index === index && event.delta).map(({ delta }) => delta.partial_json);
  expect(json(4).join('')).toBe('{"a":1}');
  expect(json(5)).toEqual(['', '{"b"', ': }']);
  expect(events.slice(-2)).toMatchObject([
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ]);
});

it('ends a plain answer by itself and any answer as told', () => {
  const reason = (answer: Parameters<typeof anthropicChunks>[0]) =>
    parse(anthropicChunks(answer)).at(-2)?.delta.stop_reason;
  expect(reason({ text: 'x' })).toBe('end_turn');
  expect(reason({ text: 'x', toolCalls: [{ name: 'Read' }], stopReason: 'max_tokens' })).toBe('max_tokens');
});

it('makes replies, errors by status and errors within a stream', () => {
  expect(anthropicReply({ text: 'x' }, { chunkBytes: 1 })).toMatchObject({
    chunkBytes: 1,
    headers: { 'content-type': 'text/event-stream' },
  });
  const error = anthropicError(529, 'busy', { headers: { 'retry-after': '1' } });
  expect(error).toMatchObject({ status: 529, headers: { 'retry-after': '1' } });
  expect(JSON.parse(String(error.chunks[0]))).toMatchObject({
    error: { type: 'overloaded_error', message: 'busy' },
  });
  expect(parse([anthropicErrorEvent('api_error', 'no')])).toMatchObject([
    { type: 'error', error: { message: 'no' } },
  ]);
});
