import type {
  AssistantContent,
  AssistantMessage,
  Compat,
  Message,
  ModelRef,
  ModelRequest,
  ThinkingFormatName,
  ThinkingLevel,
} from '@robota-sdk/agent-core';
import { openaiChatReply, startModelServer } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import {
  assistant as assistantOf,
  call,
  image,
  type RequestChanges,
  readTool,
  request as requestTo,
  result,
  user,
} from '../fixtures/messages.ts';
import { createOpenAIChatProvider } from './chat-provider.ts';
import { chatRequest } from './chat-request.ts';

const own: ModelRef = { vendor: 'acme', id: 'test-model', api: 'openai' };
const other: ModelRef = { vendor: 'anthropic', id: 'claude', api: 'anthropic' };

describe('the request', () => {
  it('goes to the base URL with key, headers and the whole conversation', async () => {
    const server = await startModelServer();
    server.reply(openaiChatReply({ text: 'ok' }));
    const provider = createOpenAIChatProvider({
      vendor: 'acme',
      baseUrl: `${server.url}/v1/`,
      apiKey: 'sk-1',
      headers: { 'x-title': 'Robota' },
    });
    for await (const event of provider.stream(request([user('Hi')], { tools: [readTool] }))) void event;
    await server.close();
    const [sent] = server.requests;
    expect(sent).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-1', 'x-title': 'Robota', accept: 'text/event-stream' },
    });
    expect(sent?.body).toEqual({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: { name: 'Read', description: 'Reads a file.', parameters: { type: 'object' } },
        },
      ],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    });
  });

  it.each<[Compat, object]>([
    [{ supportsUsageInStreaming: false }, { stream_options: undefined }],
    [{ supportsStore: true }, { store: false }],
    [{}, { max_tokens: 500 }],
    [{ maxTokensField: 'max_completion_tokens' }, { max_completion_tokens: 500 }],
    [{ supportsTools: false }, { tools: undefined }],
    [{ supportsDeveloperRole: true }, { messages: [{ role: 'developer', content: 'Be brief.' }] }],
    [{ supportsStrictMode: true }, { tools: [{ function: { strict: false } }] }],
  ])('follows %j', (compat, expected) => {
    const body = chatRequest(request([], { compat, tools: [readTool], maxOutput: 500 }));
    for (const [key, value] of Object.entries(expected)) {
      if (value === undefined) expect(body).not.toHaveProperty(key);
      else expect(body).toMatchObject({ [key]: value });
    }
  });

  it('is a byte-identical beginning of the next one', () => {
    const conversation = [
      user('Hi'),
      assistant([{ type: 'thinking', text: 'hm' }, call('c1', { path: 'x' }), call('c2', { b: 1, a: 2 })]),
      result('c1', [{ type: 'text', text: 'one' }, image]),
      result('c2', []),
      assistant([{ type: 'text', text: 'Done.' }]),
      user('And now?'),
    ];
    const whole = [1, 4, 6].map((length) =>
      JSON.stringify(chatRequest(request(conversation.slice(0, length), { tools: [readTool] }))),
    );
    for (const [position, next] of whole.slice(1).entries()) {
      expect(next.startsWith((whole[position] ?? '').slice(0, -2))).toBe(true);
    }
  });
});

describe('thinking', () => {
  it.each<[ThinkingFormatName | undefined, ThinkingLevel, object]>([
    [undefined, 'high', { reasoning_effort: 'high' }],
    [undefined, 'minimal', { reasoning_effort: 'low' }],
    [undefined, 'off', {}],
    ['openrouter', 'medium', { reasoning: { effort: 'medium' } }],
    ['openrouter', 'off', { reasoning: { effort: 'none' } }],
    ['deepseek', 'high', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['deepseek', 'off', { thinking: { type: 'disabled' } }],
    ['zai', 'low', { thinking: { type: 'enabled', clear_thinking: false } }],
    ['zai', 'off', { thinking: { type: 'disabled' } }],
    ['qwen', 'low', { enable_thinking: true }],
    ['qwen-chat-template', 'off', { chat_template_kwargs: { enable_thinking: false } }],
    ['think-tags', 'high', {}],
    ['together', 'high', { reasoning: { enabled: true }, reasoning_effort: 'high' }],
    ['string-thinking', 'off', { thinking: 'none' }],
    ['ant-ling', 'off', {}],
    ['ant-ling', 'low', { reasoning: { effort: 'low' } }],
    ['chat-template', 'low', { chat_template_kwargs: { enable_thinking: true } }],
    ['baseten', 'off', { chat_template_args: { enable_thinking: false } }],
  ])('in the format %s at level %s', (thinkingFormat, thinking, expected) => {
    const compat = thinkingFormat === undefined ? {} : { thinkingFormat };
    expect(extraFields(request([], { model: { thinking: 'effort' }, compat, thinking }))).toEqual(expected);
  });

  it('uses the names a model has for its levels, also for off', () => {
    const compat = { reasoningEffortMap: { off: 'none', xhigh: 'max' } };
    const at = (thinking: ThinkingLevel) =>
      extraFields(request([], { model: { thinking: 'effort' }, compat, thinking }));
    expect(at('off')).toEqual({ reasoning_effort: 'none' });
    expect(at('xhigh')).toEqual({ reasoning_effort: 'max' });
  });

  it('says nothing to models that cannot be told', () => {
    const compat = { thinkingFormat: 'deepseek' } as const;
    for (const thinking of ['none', 'always'] as const) {
      expect(extraFields(request([], { model: { thinking }, compat, thinking: 'high' }))).toEqual({});
    }
    const noEffort = { supportsReasoningEffort: false };
    expect(
      extraFields(request([], { model: { thinking: 'effort' }, compat: noEffort, thinking: 'high' })),
    ).toEqual({});
  });

  it('returns reasoning_content with every message that called a tool, to the vendors that demand it', () => {
    const messages = [
      user('Hi'),
      assistant([{ type: 'thinking', text: 'hm' }, call('c1', {})]),
      result('c1', []),
      assistant([
        { type: 'thinking', text: 'so' },
        { type: 'text', text: 'Done.' },
      ]),
      user('Go on'),
      assistant([call('c2', {})], other),
      result('c2', []),
    ];
    const sent = messagesOf(request(messages, { compat: { thinkingFormat: 'deepseek' } }));
    expect(sent.map((message) => message.reasoning_content)).toEqual([
      ...[undefined, undefined, 'hm', undefined],
      ...[undefined, undefined, '', undefined],
    ]);
    const dropped = messagesOf(request(messages));
    expect(JSON.stringify(dropped)).not.toContain('hm');
  });

  it('returns reasoning details unchanged to the model that made them, and to no other', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'AAA' }];
    const thinking = { type: 'thinking', text: 'hm', vendorData: { reasoning_details: details } } as const;
    const sentBy = (maker: ModelRef) =>
      messagesOf(
        request([assistant([thinking, call('c1', {})], maker), result('c1', [])], {
          compat: { thinkingFormat: 'openrouter' },
        }),
      )[1];
    expect(sentBy(own)).toMatchObject({ reasoning_details: details });
    expect(sentBy(other)).not.toHaveProperty('reasoning_details');
  });

  it('turns thinking into text where a vendor wants it so', () => {
    const messages = [
      assistant([
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'Done.' },
      ]),
    ];
    const [, sent] = messagesOf(request(messages, { compat: { requiresThinkingAsText: true } }));
    expect(sent).toEqual({ role: 'assistant', content: '<thinking>\nhm\n</thinking>\n\nDone.' });
  });
});

describe('tools and images', () => {
  it('sends parallel results in the order of the calls, and images after them', () => {
    const messages = [
      assistant([call('c1', { path: 'x' }), call('c2', { path: 'y' })]),
      result('c2', [{ type: 'text', text: 'two' }]),
      result('c1', [image]),
    ];
    expect(messagesOf(request(messages)).slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'Read', arguments: '{"path":"x"}' } },
          { id: 'c2', type: 'function', function: { name: 'Read', arguments: '{"path":"y"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '(the image follows)' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image from the result of Read:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        ],
      },
    ]);
  });

  it('sends images of people as data URLs, and only words to a model that cannot see', () => {
    const messages = [user('What is this?', image)];
    expect(messagesOf(request(messages))[1]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
      ],
    });
    const blind = messagesOf(request(messages, { model: { images: false } }))[1];
    expect(blind).toMatchObject({ content: expect.stringContaining('cannot see') });
  });

  it('answers calls without a result, keeps results without a call, and skips empty answers', () => {
    const messages = [
      result('gone', [{ type: 'text', text: 'old' }]),
      assistant([call('c1', {}), call('c2', {})]),
      result('c2', [{ type: 'text', text: 'two' }]),
      user('Stop'),
      assistant([{ type: 'thinking', text: 'hm' }]),
      user('Go on'),
    ];
    expect(messagesOf(request(messages)).slice(1)).toMatchObject([
      { role: 'user', content: '[result of Read]\nold' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('interrupted') },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      { role: 'user', content: 'Stop' },
      { role: 'user', content: 'Go on' },
    ]);
  });

  it('rewrites ids of other vendors to what every vendor takes, the same in call and result', () => {
    const id = 'toolu_0123456789012345678901234567890123456789|x';
    const [, sent, answer] = messagesOf(request([assistant([call(id, {})], other), result(id, [])]));
    const [sentCall] = (sent?.tool_calls ?? []) as { id: string }[];
    expect(sentCall?.id).toMatch(/^[a-z0-9]{9}$/);
    expect(answer).toMatchObject({ role: 'tool', tool_call_id: sentCall?.id, content: '(no output)' });
  });

  it('tells a model without tools in words what was called', () => {
    const messages = [
      user('Hi'),
      assistant([{ type: 'text', text: 'I look.' }, call('c1', { path: 'x' })]),
      result('c1', [{ type: 'text', text: 'one' }]),
    ];
    const sent = messagesOf(request(messages, { compat: { supportsTools: false }, tools: [readTool] }));
    expect(sent.slice(2)).toEqual([
      { role: 'assistant', content: 'I look.\n[called Read with {"path":"x"}]' },
      { role: 'user', content: '[result of Read]\none' },
    ]);
  });

  it('names results and puts an assistant message before the next user message where a vendor wants it', () => {
    const messages = [assistant([call('c1', {})]), result('c1', []), user('Go on')];
    const compat = { requiresToolResultName: true, requiresAssistantAfterToolResult: true };
    const sent = messagesOf(request(messages, { compat }));
    expect(sent.map(({ role }) => role)).toEqual(['system', 'assistant', 'tool', 'assistant', 'user']);
    expect(sent[2]).toMatchObject({ name: 'Read' });
  });
});

interface Extra extends RequestChanges {
  readonly compat?: Compat;
}

function request(messages: readonly Message[], { compat, model, ...extra }: Extra = {}): ModelRequest {
  return requestTo(messages, { model: { ...own, ...model, ...(compat ? { compat } : {}) }, ...extra });
}

function messagesOf(given: ModelRequest): readonly Record<string, unknown>[] {
  return chatRequest(given).messages as unknown as Record<string, unknown>[];
}

/** The fields of a request beyond the common ones. */
function extraFields(given: ModelRequest): object {
  const { model, stream, stream_options, messages, ...rest } = chatRequest(given);
  return rest;
}

function assistant(content: readonly AssistantContent[], model = own): AssistantMessage {
  return assistantOf(content, model);
}
