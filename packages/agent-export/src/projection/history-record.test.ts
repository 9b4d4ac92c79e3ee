import type { JsonValue } from '@robota-sdk/agent-core';
import { createRedactor, toolEnd } from '@robota-sdk/agent-core';
import type { Entry } from '@robota-sdk/agent-sessions';
import { proves } from '@robota-sdk/agent-testing/proves';
import { DataElement, parseSingle } from '@robota-sdk/xnl';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, result, user } from '../../../agent-sessions/src/fixtures/messages.ts';
import { historyRecord } from './history-record.ts';

const place = { id: '1a2b3c4d', parentId: null, timestamp: '2026-01-02T03:04:05.678Z' };
const recordOf = (entry: Partial<Entry>) => historyRecord({ ...place, ...entry } as Entry, createRedactor());
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\n', '<', '"', '\\', '}', '>', 'a') }),
);

describe('historyRecord', () => {
  it('gives every text, call and result back as it was', () => {
    proves('E-29');
    fc.assert(
      fc.property(text, text, fc.jsonValue(), (said, thought, input) => {
        const call = { type: 'tool-call', id: 'c', name: 'Do', input: input as JsonValue } as const;
        const content = [{ type: 'thinking', text: thought }, { type: 'text', text: said }, call] as const;
        const answer = parseSingle(recordOf({ type: 'message', message: assistant(content) }));
        expect(answer).toBeInstanceOf(DataElement);
        const { reasoning_content, content: shown, toolCalls, rawToolCallsStr } = answer.attributes ?? {};
        expect([reasoning_content, shown]).toEqual([thought, said]);
        expect(JSON.stringify(toolCalls)).toBe(JSON.stringify([{ id: 'c', name: 'Do', input }]));
        const [raw] = JSON.parse(String(rawToolCallsStr));
        expect(raw).toEqual({ id: 'c', name: 'Do', arguments: JSON.stringify(input) });
        const tool = parseSingle(recordOf({ type: 'message', message: result('c', said, toolEnd('error')) }));
        expect(tool.attributes).toEqual({
          toolCallId: 'c',
          name: 'Read',
          content: said,
          isError: true,
          status: 'error',
        });
      }),
      { numRuns: 200 },
    );
  });

  it('begins no line with "<" but its first, so that records can be told apart without reading them', () => {
    fc.assert(
      fc.property(text, (said) => {
        expect(recordOf({ type: 'message', message: user(said) }).match(/^</gm)).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });

  it('tells kind and size of pictures, searches of the vendor and why an answer failed', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA'.repeat(10) } as const;
    const shown = parseSingle(recordOf({ type: 'message', message: user('', { content: [image] }) }));
    expect(shown.attributes).toEqual({ content: '', images: [{ mimeType: 'image/png', bytes: 30 }] });
    const search = { id: 's', name: 'web_search', phase: 'call', summary: 'robots' } as const;
    const message = assistant([{ ...search, type: 'server-tool', vendorData: { secret: 'opaque' } }], {
      error: { code: 'network', message: 'cut off' },
    });
    expect(parseSingle(recordOf({ type: 'message', message })).attributes).toEqual({
      content: '',
      serverTools: [search],
      error: { code: 'network', message: 'cut off' },
    });
  });

  it('has nothing to say of entries that no model sees', () => {
    expect(recordOf({ type: 'model_change', provider: 'a', modelId: 'b' })).toBe('');
    expect(recordOf({ type: 'custom', customType: 'x' })).toBe('');
  });
});
