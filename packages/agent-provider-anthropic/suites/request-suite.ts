import {
  type AssistantMessage,
  createMessage,
  eventsOf as eachEvent,
  type Model,
  type ModelEvent,
  noUsage,
  toolEnd,
} from '@robota-sdk/agent-core';
import {
  anthropicChunks,
  anthropicError,
  anthropicReply,
  collectEvents,
  contentOf,
  eventStream,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { createAnthropicProvider } from '../src/anthropic-provider.ts';
import { type AnthropicHarness, claude, everything, requestOf } from './anthropic-harness.ts';

/** Requests of the Messages API, and what an answer means for the next one. */
export function requestSuite(harness: AnthropicHarness): void {
  const { connect, eventsOf, answer } = harness;

  describe('a request over the wire', () => {
    it('goes to the messages path with version and key', async () => {
      await eventsOf(anthropicReply({ text: 'x' }));
      expect(harness.server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/messages' });
      expect(harness.server.requests[0]?.headers).toMatchObject({
        'x-api-key': 'secret',
        'anthropic-version': '2023-06-01',
      });
      expect(harness.server.requests[0]?.body).toMatchObject({ model: 'claude-test', stream: true });
    });

    it('accepts a base URL that ends in the version, and no key', async () => {
      harness.server.reply(anthropicReply({ text: 'x' }));
      const provider = createAnthropicProvider({
        vendor: 'local',
        baseUrl: `${harness.server.url}/proxy/v1/`,
      });
      expect(provider.vendor).toBe('local');
      for await (const _ of provider.stream(requestOf()));
      expect(harness.server.requests[0]?.path).toBe('/proxy/v1/messages');
      expect(harness.server.requests[0]?.headers).not.toHaveProperty('x-api-key');
    });

    it('lets budget models think between tools, beside the betas a user asked for', async () => {
      harness.server.reply(anthropicReply({ text: 'x' }));
      const tools = [{ name: 'Read', description: 'd', input: {} }];
      const budget = { ...claude, thinking: 'budget' as const, maxOutput: 64_000 };
      const provider = connect({ headers: { 'anthropic-beta': 'mine-2026-01-01' } });
      for await (const _ of provider.stream(requestOf({ tools, model: budget, thinking: 'low' })));
      expect(harness.server.requests[0]?.headers['anthropic-beta']).toBe(
        'mine-2026-01-01,interleaved-thinking-2025-05-14',
      );
    });

    it('ends with an error at once when it is interrupted', async () => {
      proves('P-50');
      const chunks = anthropicChunks({ text: ['one', 'two'] }).slice(0, 4);
      harness.server.reply(eventStream([...chunks, { hang: true }]));
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of eachEvent(connect().stream(requestOf({ signal: controller.signal })))) {
        events.push(event);
        if (event.type === 'text-delta') controller.abort();
      }
      expect(events.slice(-2)).toEqual([
        { type: 'text-end', index: 0 },
        {
          type: 'error',
          failure: expect.objectContaining({ code: 'aborted', retryable: false }),
          usage: { input: 10, output: 1, cacheRead: 0, cacheWrite: 0 },
        },
      ]);
    });
  });

  describe('an answer in the next request', () => {
    it('stream-035 R-37 goes back over the wire block for block as it came, dropped parts only when the model changed', async () => {
      const adaptive: Model = { ...claude, thinking: 'adaptive' };
      const content = contentOf(await answer(everything));
      const asked = requestOf().messages;
      const { vendor, id, api } = claude;
      const answered = createMessage(
        {
          role: 'assistant',
          content,
          model: { vendor, id, api },
          usage: noUsage,
          cost: 0,
          stopReason: 'tool-calls',
        } as const,
        null,
      );
      const results = ['toolu_a', 'toolu_b'].map((toolCallId) =>
        createMessage(
          { role: 'tool', toolCallId, toolName: 'x', content: [], ...toolEnd('success') } as const,
          null,
        ),
      );
      const messages = [...asked, answered, ...results];
      const sentFor = async (used: Model) => {
        await eventsOf(anthropicReply({ text: 'ok' }), { model: used, thinking: 'high', messages });
        const body = harness.server.requests.at(-1)?.body as { messages: { content: { type: string }[] }[] };
        return body.messages[1]?.content;
      };
      expect(await sentFor(adaptive)).toEqual([
        { type: 'thinking', thinking: 'Let me see… 🤔', signature: 'c2lnbmF0dXJl/+==' },
        { type: 'redacted_thinking', data: 'b3BhcXVl' },
        {
          type: 'server_tool_use',
          id: 'srvtoolu_1',
          name: 'web_search',
          input: { query: 'weather in Zürich' },
        },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [expect.objectContaining({ title: 'Wetter', encrypted_content: 'aHR0cHM6Ly93LnRlc3Qv' })],
        },
        { type: 'text', text: 'Grüße 😀 from 漢字', citations: everything.citations },
        { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { file_path: '/ä.ts' } },
        { type: 'tool_use', id: 'toolu_b', name: 'TodoList', input: {} },
      ]);
      const other = await sentFor({ ...adaptive, id: 'claude-next' });
      expect(other?.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use']);
    });
  });

  describe('thinking the API no longer accepts', () => {
    async function thoughtful(id: string): Promise<AssistantMessage> {
      const content = contentOf(await answer({ thinking: { text: id, signature: `sig-${id}` }, text: id }));
      const { vendor, api } = claude;
      return createMessage(
        {
          role: 'assistant',
          content,
          model: { vendor, id: claude.id, api },
          usage: noUsage,
          cost: 0,
          stopReason: 'end',
        } as const,
        null,
      );
    }

    const user = (text: string) =>
      createMessage({ role: 'user', content: [{ type: 'text', text }] } as const, null);

    it('is left out in a second try, and from then on, while newer thinking is kept', async () => {
      const adaptive: Model = { ...claude, thinking: 'adaptive' };
      const old = await thoughtful('old');
      const provider = connect();
      const refusal =
        'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.';
      harness.server.reply(anthropicError(400, refusal), anthropicReply({ text: 'again' }));
      const history = [user('a'), old, user('b')];
      const events = await collectEvents(
        provider.stream(requestOf({ model: adaptive, thinking: 'high', messages: history })),
      );
      expect(events.at(-1)).toMatchObject({ type: 'end' });
      expect(harness.server.requests.at(-2)?.text).toContain('sig-old');
      expect(harness.server.requests.at(-1)?.text).not.toContain('sig-old');

      const fresh = await thoughtful('fresh');
      harness.server.reply(anthropicReply({ text: 'ok' }));
      const longer = [...history, fresh, user('c')];
      for await (const _ of provider.stream(
        requestOf({ model: adaptive, thinking: 'high', messages: longer }),
      ));
      expect(harness.server.requests.at(-1)?.text).not.toContain('sig-old');
      expect(harness.server.requests.at(-1)?.text).toContain('sig-fresh');
    });

    it('is tried once only, and other refusals not at all', async () => {
      const adaptive: Model = { ...claude, thinking: 'adaptive' };
      const messages = [user('a'), await thoughtful('old'), user('b')];
      const before = harness.server.requests.length;
      harness.server.handle(() => anthropicError(400, '`thinking` blocks cannot be modified'));
      const run = () =>
        collectEvents(connect().stream(requestOf({ model: adaptive, thinking: 'high', messages })));
      expect(await run()).toEqual([
        expect.objectContaining({
          type: 'error',
          failure: expect.objectContaining({ code: 'invalid-request' }),
        }),
      ]);
      expect(harness.server.requests.length - before).toBe(2);
      harness.server.handle(() => anthropicError(400, 'messages: something else'));
      await run();
      expect(harness.server.requests.length - before).toBe(3);
    });
  });
}
