import { collectEvents, contentOf, openaiChatReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { type ChatHarness, call, delta, stop } from './chat-harness.ts';

/** Text, thinking and tool calls of Chat Completions. */
export function contentSuite(harness: ChatHarness): void {
  const { ask, answer } = harness;

  describe('text and thinking', () => {
    it('streams thinking, text, calls and the end with usage', async () => {
      proves('P-48');
      harness.server.reply(
        openaiChatReply({
          reasoning: ['Let me ', 'see.'],
          text: ['Hel', 'lo'],
          calls: [{ id: 'call_a', name: 'Bash', input: { command: 'ls' } }],
          usage: { input: 100, output: 20, cached: 60, reasoning: 5 },
        }),
      );
      const events = await collectEvents(ask());
      expect(events.map(({ type }) => type)).toEqual([
        ...['thinking-start', 'thinking-delta', 'thinking-delta', 'thinking-end'],
        ...['text-start', 'text-delta', 'text-delta', 'text-end'],
        ...['tool-call-start', 'tool-call-delta', 'tool-call-delta', 'tool-call-end', 'end'],
      ]);
      expect(contentOf(events)).toEqual([
        { type: 'thinking', text: 'Let me see.' },
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', id: 'call_a', name: 'Bash', input: { command: 'ls' } },
      ]);
      expect(events.at(-1)).toEqual({
        type: 'end',
        stopReason: 'tool-calls',
        usage: { input: 40, output: 20, cacheRead: 60, cacheWrite: 0, reasoning: 5 },
      });
    });

    it.each(['reasoning_content', 'reasoning', 'reasoning_text'])('reads thinking from %s', async (field) => {
      const events = await answer([delta({ [field]: 'hmm' }), delta({ content: 'yes' }), stop()]);
      expect(contentOf(events)).toEqual([
        { type: 'thinking', text: 'hmm' },
        { type: 'text', text: 'yes' },
      ]);
    });

    it('shows thinking once when a server sends it in two fields', async () => {
      const events = await answer([delta({ reasoning_content: 'hmm', reasoning: 'hmm' }), stop()]);
      expect(contentOf(events)).toEqual([{ type: 'thinking', text: 'hmm' }]);
    });

    it('reads content that comes as typed parts', async () => {
      const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'hmm' }] };
      const events = await answer([
        delta({ content: [thought] }),
        delta({ content: [{ type: 'text', text: 'yes' }] }),
        stop(),
      ]);
      expect(contentOf(events)).toEqual([
        { type: 'thinking', text: 'hmm' },
        { type: 'text', text: 'yes' },
      ]);
    });

    it('takes thinking out of <think> tags, unless the model is said not to use them', async () => {
      const chunks = [
        delta({ content: '<thi' }),
        delta({ content: 'nk>hm</th' }),
        delta({ content: 'ink>\n\nyes' }),
        stop(),
      ];
      for (const compat of [{}, { thinkingFormat: 'think-tags' as const }])
        expect(contentOf(await answer(chunks, compat))).toEqual([
          { type: 'thinking', text: 'hm' },
          { type: 'text', text: 'yes' },
        ]);
      expect(contentOf(await answer(chunks, { thinkingFormat: 'openai' }))).toEqual([
        { type: 'text', text: '<think>hm</think>\n\nyes' },
      ]);
    });

    it('keeps reasoning details, joined, also those that come after the text', async () => {
      const text = (part: string) => ({ type: 'reasoning.text', index: 0, text: part, format: 'x' });
      const secret = { type: 'reasoning.encrypted', id: 'call_a', data: 'AAA', index: 1 };
      const events = await answer(
        [
          delta({ reasoning: 'a', reasoning_details: [text('a')] }),
          delta({ reasoning: 'b', reasoning_details: [{ ...text('b'), signature: 'sig' }] }),
          delta({ content: 'yes' }),
          delta({ reasoning_details: [secret] }),
          stop(),
        ],
        { thinkingFormat: 'openrouter' },
      );
      expect(contentOf(events)).toEqual([
        {
          type: 'thinking',
          text: 'ab',
          vendorData: {
            reasoning_details: [
              { type: 'reasoning.text', index: 0, text: 'ab', format: 'x', signature: 'sig' },
            ],
          },
        },
        { type: 'text', text: 'yes' },
        { type: 'thinking', text: '', redacted: true, vendorData: { reasoning_details: [secret] } },
      ]);
    });
  });

  describe('tool calls', () => {
    it('merges interleaved deltas by index, also without ids', async () => {
      proves('E-28');
      const events = await answer([
        call({ index: 1, id: 'call_b', function: { name: 'Grep', arguments: '{"a' } }),
        call({ index: 0, function: { name: 'Read', arguments: '{"b' } }),
        call({ index: 1, function: { arguments: '":1}' } }),
        call({ index: 0, function: { arguments: '":2}' } }),
        stop('tool_calls'),
      ]);
      const calls = contentOf(events);
      expect(calls).toMatchObject([
        { id: 'call_b', name: 'Grep', input: { a: 1 } },
        { name: 'Read', input: { b: 2 } },
      ]);
      expect(calls[1]).toHaveProperty('id', expect.stringMatching(/^[a-z0-9]{9}$/));
    });

    it('accepts arguments before name and id', async () => {
      proves('E-28');
      const events = await answer([
        call({ index: 0, function: { arguments: '{"path":' } }),
        call({ index: 0, function: { name: 'Read', arguments: '"x"' } }),
        call({ index: 0, id: 'late', function: { arguments: '}' } }),
        stop('tool_calls'),
      ]);
      expect(contentOf(events)).toMatchObject([{ id: 'late', name: 'Read', input: { path: 'x' } }]);
    });

    it('does not double an id or name that every delta repeats', async () => {
      proves('E-28');
      const part = (text: string) =>
        call({ index: 0, id: 'c1', function: { name: 'Read', arguments: text } });
      const events = await answer([part('{"path"'), part(':"x"'), part('}'), stop('tool_calls')]);
      expect(contentOf(events)).toEqual([
        { type: 'tool-call', id: 'c1', name: 'Read', input: { path: 'x' } },
      ]);
    });

    it('begins a new call when an index comes with a new id', async () => {
      proves('E-28');
      const events = await answer([
        call({ index: 0, id: 'c1', function: { name: 'Read', arguments: '{"path":"x"}' } }),
        call({ index: 0, id: 'c2', function: { name: 'Read', arguments: '{"path":"y"}' } }),
        stop('tool_calls'),
      ]);
      expect(contentOf(events)).toMatchObject([
        { id: 'c1', input: { path: 'x' } },
        { id: 'c2', input: { path: 'y' } },
      ]);
    });

    it('takes whole calls without index or id, arguments as objects, and a wrong finish reason', async () => {
      proves('E-28');
      const whole = (path: string) => ({ function: { name: 'Read', arguments: { path } } });
      const events = await answer([
        delta({ tool_calls: [whole('x'), whole('y')] }),
        call(whole('z')),
        delta({ tool_calls: [{ id: 'c4', function: { name: 'Now' } }] }),
        stop('stop'),
      ]);
      expect(contentOf(events)).toMatchObject([
        { name: 'Read', input: { path: 'x' } },
        { name: 'Read', input: { path: 'y' } },
        { name: 'Read', input: { path: 'z' } },
        { id: 'c4', name: 'Now', input: {} },
      ]);
      expect(new Set(contentOf(events).map((block) => 'id' in block && block.id)).size).toBe(4);
      expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'tool-calls' });
    });

    it('continues a call by its id where there is no index', async () => {
      const events = await answer([
        call({ id: 'a', function: { name: 'Read', arguments: '{"path":' } }),
        call({ id: 'b', function: { name: 'Read', arguments: '{"path":' } }),
        call({ id: 'a', function: { arguments: '"x"}' } }),
        call({ id: 'b', function: { arguments: '"y"}' } }),
        stop('tool_calls'),
      ]);
      expect(contentOf(events)).toMatchObject([
        { id: 'a', input: { path: 'x' } },
        { id: 'b', input: { path: 'y' } },
      ]);
    });

    it('reads the old function_call form', async () => {
      const events = await answer([
        delta({ function_call: { name: 'Read', arguments: '{"path":' } }),
        delta({ function_call: { arguments: '"x"}' } }),
        stop('function_call'),
      ]);
      expect(contentOf(events)).toMatchObject([{ name: 'Read', input: { path: 'x' } }]);
      expect(events.at(-1)).toMatchObject({ stopReason: 'tool-calls' });
    });

    it('marks arguments that are no JSON object as invalid instead of guessing', async () => {
      harness.server.reply(
        openaiChatReply({
          calls: [
            { name: 'Bash', input: '{"command": }' },
            { name: 'Bash', input: '[1]' },
            { name: 'Bash', input: JSON.stringify('{"command":"ls"}') },
          ],
        }),
      );
      const [broken, list, twice] = contentOf(await collectEvents(ask()));
      expect(broken).toMatchObject({ input: {}, invalid: expect.stringContaining('not valid JSON') });
      expect(list).toMatchObject({
        input: {},
        invalid: expect.stringContaining('must be a JSON object. They were: [1]'),
      });
      expect(twice).toMatchObject({ input: { command: 'ls' } });
    });

    it('never lets a call without a name run', async () => {
      const events = await answer([
        call({ index: 0, id: 'c', function: { arguments: '{"a":1}' } }),
        stop('tool_calls'),
      ]);
      expect(contentOf(events)).toMatchObject([
        { name: 'unknown', invalid: expect.stringContaining('name') },
      ]);
    });
  });
}
