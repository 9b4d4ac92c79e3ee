import type {
  AssistantContent,
  AssistantMessage,
  Message,
  Model,
  ModelRef,
  ModelRequest,
  ThinkingLevel,
} from '@robota-sdk/agent-core';
import { openaiResponsesReply, startModelServer } from '@robota-sdk/agent-testing';
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
import { createOpenAIResponsesProvider } from './responses-provider.ts';
import { responsesRequest } from './responses-request.ts';

const own: ModelRef = { vendor: 'openai', id: 'gpt-x', api: 'openai-responses' };
const other: ModelRef = { vendor: 'openai', id: 'gpt-y', api: 'openai-responses' };
const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'AAA' };
const thought: AssistantContent = { type: 'thinking', text: '', redacted: true, vendorData: reasoning };

describe('the request', () => {
  it('stores nothing, asks for encrypted reasoning and ties the conversation together', async () => {
    const server = await startModelServer();
    server.reply(openaiResponsesReply({ text: 'ok' }));
    const provider = createOpenAIResponsesProvider({
      vendor: 'openai',
      baseUrl: `${server.url}/v1`,
      apiKey: 'sk-1',
    });
    const pdf = { type: 'image', mimeType: 'application/pdf', data: 'JVBERi0=' } as const;
    const given = request([user('Hi', image, pdf)], {
      tools: [readTool],
      thinking: 'high',
      sessionId: 's1',
      maxOutput: 500,
    });
    for await (const event of provider.stream(given)) void event;
    await server.close();
    const [sent] = server.requests;
    expect(sent).toMatchObject({ path: '/v1/responses', headers: { authorization: 'Bearer sk-1' } });
    expect(sent?.body).toEqual({
      model: 'gpt-x',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high', summary: 'auto' },
      max_output_tokens: 500,
      prompt_cache_key: 's1',
      instructions: 'Be brief.',
      tools: [
        {
          type: 'function',
          name: 'Read',
          description: 'Reads a file.',
          parameters: { type: 'object' },
          strict: false,
        },
      ],
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,QUJD' },
            {
              type: 'input_file',
              filename: 'document.pdf',
              file_data: 'data:application/pdf;base64,JVBERi0=',
            },
          ],
        },
      ],
    });
  });

  it.each<[Partial<Model>, ThinkingLevel, object | undefined]>([
    [{ thinking: 'effort' }, 'off', undefined],
    [{ thinking: 'effort', compat: { reasoningEffortMap: { off: 'none' } } }, 'off', { effort: 'none' }],
    [{ thinking: 'effort' }, 'xhigh', { effort: 'high', summary: 'auto' }],
    [
      { thinking: 'effort', compat: { reasoningEffortMap: { xhigh: 'xhigh' } } },
      'xhigh',
      { effort: 'xhigh', summary: 'auto' },
    ],
    [{ thinking: 'always' }, 'low', { summary: 'auto' }],
    [{ thinking: 'none' }, 'high', undefined],
  ])('asks %j at level %s for %j', (model, thinking, expected) => {
    expect(responsesRequest(request([], { model, thinking })).reasoning).toEqual(expected);
  });

  it('asks a model that does not think for no reasoning at all, and offers web search where wanted', () => {
    const body = responsesRequest(request([], { model: { thinking: 'none' }, webSearch: true }));
    expect(body).not.toHaveProperty('include');
    expect(body.tools).toEqual([{ type: 'web_search' }]);
  });

  it('is a byte-identical beginning of the next one', () => {
    const conversation = [
      user('Hi'),
      assistant([thought, call('c1', { b: 1, a: 2 }), call('c2', {})]),
      result('c1', [{ type: 'text', text: 'one' }, image]),
      result('c2', []),
      assistant([{ type: 'text', text: 'Done.', vendorData: { phase: 'final_answer' } }]),
      user('And now?'),
    ];
    const whole = [1, 4, 6].map((length) =>
      JSON.stringify(responsesRequest(request(conversation.slice(0, length), { tools: [readTool] }))),
    );
    for (const [position, next] of whole.slice(1).entries()) {
      expect(next.startsWith((whole[position] ?? '').slice(0, -2))).toBe(true);
    }
  });
});

describe('the conversation', () => {
  it('carries reasoning, phase and calls back to the model that made them, without item ids', () => {
    const messages = [
      assistant([
        thought,
        { type: 'text', text: 'I look.', vendorData: { phase: 'commentary' } },
        call('c1', { path: 'x' }),
      ]),
      result('c1', [{ type: 'text', text: 'one' }]),
    ];
    expect(inputOf(request(messages))).toEqual([
      reasoning,
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.' }],
        phase: 'commentary',
      },
      { type: 'function_call', call_id: 'c1', name: 'Read', arguments: '{"path":"x"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'one' },
    ]);
  });

  it('gives another model neither reasoning nor phase', () => {
    const text: AssistantContent = { type: 'text', text: 'Hi', vendorData: { phase: 'commentary' } };
    expect(inputOf(request([assistant([thought, text], other)]))).toEqual([
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
    ]);
  });

  it('drops reasoning that nothing follows', () => {
    const messages = [user('Hi'), assistant([thought]), user('Go on')];
    expect(inputOf(request(messages)).map(({ role }) => role)).toEqual(['user', 'user']);
  });

  it('returns images inside tool outputs, or says that there was one', () => {
    const messages = [assistant([call('c1', {})]), result('c1', [{ type: 'text', text: 'one' }, image])];
    expect(inputOf(request(messages))[1]).toMatchObject({
      output: [{ type: 'input_text', text: 'one' }, { type: 'input_image' }],
    });
    expect(inputOf(request(messages, { model: { images: false } }))[1]).toMatchObject({
      output: [{ text: 'one' }, { type: 'input_text', text: expect.stringContaining('cannot see') }],
    });
  });

  it('answers calls without a result and keeps results without a call', () => {
    const messages = [
      result('gone', [{ type: 'text', text: 'old' }]),
      assistant([call('c1', {}), call('c2', {})]),
      user('Stop'),
      result('c2', []),
    ];
    expect(inputOf(request(messages)).slice(1)).toMatchObject([
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call', call_id: 'c2' },
      { call_id: 'c1', output: expect.stringContaining('interrupted') },
      { call_id: 'c2', output: '(no output)' },
      { role: 'user' },
    ]);
    expect(inputOf(request(messages))[0]).toMatchObject({
      role: 'user',
      content: [{ text: '[result of Read]' }, { text: 'old' }],
    });
  });
});

function request(messages: readonly Message[], { model, ...extra }: RequestChanges = {}): ModelRequest {
  return requestTo(messages, { model: { ...own, thinking: 'effort', ...model }, ...extra });
}

function inputOf(given: ModelRequest): readonly Record<string, unknown>[] {
  return responsesRequest(given).input as unknown as Record<string, unknown>[];
}

function assistant(content: readonly AssistantContent[], model = own): AssistantMessage {
  return assistantOf(content, model);
}
