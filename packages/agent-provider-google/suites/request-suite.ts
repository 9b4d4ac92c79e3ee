import { type AssistantContent, toolEnd } from '@robota-sdk/agent-core';
import { contentOf, googleReply } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGoogleProvider } from '../src/google-provider.ts';
import { assistant, type GoogleHarness, gemini3, gemini25, result, user } from './google-harness.ts';

const png = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

/** Requests of the Gemini API. */
export function requestSuite(harness: GoogleHarness): void {
  const { ask, lastBody } = harness;

  describe('the request', () => {
    it('goes to the streaming method with key, system instruction and limits', async () => {
      await ask(googleReply('ok'));
      const request = harness.server.requests.at(-1)!;
      expect(request.path).toBe('/v1beta/models/gemini-3-flash-preview:streamGenerateContent?alt=sse');
      expect(request.headers['x-goog-api-key']).toBe('secret-key');
      expect(request.text).not.toContain('secret-key');
      expect(request.body).toEqual({
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        generationConfig: { maxOutputTokens: 65_536, thinkingConfig: { thinkingLevel: 'LOW' } },
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      });
    });

    it('keeps the version that a base URL already names', async () => {
      harness.server.reply(googleReply('ok'));
      const provider = createGoogleProvider({ vendor: 'google', baseUrl: `${harness.server.url}/v1beta/` });
      const request = {
        model: { ...gemini3, id: 'models/gemini-x' },
        system: '',
        messages: [user('hi')],
        tools: [],
      };
      const { signal } = new AbortController();
      for await (const event of provider.stream({ ...request, thinking: 'off', signal })) void event;
      expect(harness.server.requests.at(-1)?.path).toBe(
        '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
      );
      expect(harness.server.requests.at(-1)?.headers).not.toHaveProperty('x-goog-api-key');
    });

    it.each([
      [gemini3, 'off', { thinkingLevel: 'LOW' }],
      [gemini3, 'medium', { thinkingLevel: 'MEDIUM', includeThoughts: true }],
      [gemini3, 'xhigh', { thinkingLevel: 'HIGH', includeThoughts: true }],
      [
        { ...gemini3, compat: { reasoningEffortMap: { minimal: 'MINIMAL' } } },
        'minimal',
        { thinkingLevel: 'MINIMAL', includeThoughts: true },
      ],
      [gemini25, 'off', { thinkingBudget: 128 }],
      [gemini25, 'xhigh', { thinkingBudget: 32_768, includeThoughts: true }],
      [{ ...gemini25, id: 'gemini-2.5-flash' }, 'off', { thinkingBudget: 0 }],
      [{ ...gemini25, id: 'gemini-2.5-flash' }, 'xhigh', { thinkingBudget: 24_576, includeThoughts: true }],
      [{ ...gemini25, thinking: 'none' as const }, 'high', undefined],
    ] as const)('asks $0.id for thinking $1', async (model, thinking, expected) => {
      await ask(googleReply('ok'), { model, thinking });
      expect(lastBody().generationConfig.thinkingConfig).toEqual(expected);
    });

    it('offers tools by JSON Schema, in the words Google knows', async () => {
      const input = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          const: { type: 'string', default: '$schema' },
          mode: { oneOf: [{ const: 'a' }, { type: 'null' }] },
        },
        required: ['const'],
        additionalProperties: false,
      };
      const tools = [
        { name: 'Read', description: 'Reads.', input },
        { name: 'Now', description: 'No input.', input: { type: 'object', properties: {} } },
      ];
      await ask(googleReply('ok'), { tools });
      expect(lastBody().tools).toEqual([
        {
          functionDeclarations: [
            {
              name: 'Read',
              description: 'Reads.',
              parametersJsonSchema: {
                type: 'object',
                properties: {
                  const: { type: 'string', default: '$schema' },
                  mode: { anyOf: [{ enum: ['a'] }, { type: 'null' }] },
                },
                required: ['const'],
                additionalProperties: false,
              },
            },
            { name: 'Now', description: 'No input.' },
          ],
        },
      ]);
    });

    it('is a byte prefix of the next one while the conversation only grows', async () => {
      const first = [user('hi')];
      const more = [...first, assistant([{ type: 'text', text: 'hello' }]), user('more')];
      await ask(googleReply('ok'), { messages: first });
      const before = harness.server.requests.at(-1)!.text.replace(/\]\}$/, '');
      await ask(googleReply('ok'), { messages: more });
      expect(harness.server.requests.at(-1)!.text.startsWith(before)).toBe(true);
    });
  });

  describe('the conversation', () => {
    const call = (id: string, name = 'Read'): AssistantContent => ({
      type: 'tool-call',
      id,
      name,
      input: { path: id },
    });

    it('groups the results of parallel calls in the order of the calls', async () => {
      const messages = [
        user('hi'),
        assistant([call('a'), call('b')], gemini25),
        result('b', 'second', toolEnd('error')),
        result('a', 'first'),
        user('steer'),
      ];
      await ask(googleReply('ok'), { messages, model: gemini25 });
      expect(lastBody().contents).toEqual([
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'Read', args: { path: 'a' } } },
            { functionCall: { name: 'Read', args: { path: 'b' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'Read', response: { output: 'first' } } },
            { functionResponse: { name: 'Read', response: { error: 'second' } } },
            { text: 'steer' },
          ],
        },
      ]);
    });

    it('puts images into user messages and results, beside the result for models before Gemini 3', async () => {
      const content = [{ type: 'text' as const, text: 'a picture' }, png];
      const messages = [user('look', png), assistant([call('a')]), result('a', '', { content })];
      const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
      await ask(googleReply('ok'), { messages });
      expect(lastBody().contents[0]).toEqual({ role: 'user', parts: [{ text: 'look' }, image] });
      expect(lastBody().contents[2]?.parts).toEqual([
        { functionResponse: { name: 'Read', response: { output: 'a picture' }, parts: [image] } },
      ]);
      await ask(googleReply('ok'), { messages, model: gemini25 });
      expect(lastBody().contents[2]?.parts).toEqual([
        { functionResponse: { name: 'Read', response: { output: 'a picture' } } },
        image,
      ]);
      await ask(googleReply('ok'), { messages, model: { ...gemini25, images: false } });
      expect(JSON.stringify(lastBody().contents)).not.toContain('inlineData');
    });

    it('answers a call without a result and keeps a result without a call as text', async () => {
      const messages = [
        result('lost', 'orphan text'),
        user('hi'),
        assistant([call('a')]),
        user('next'),
        result('b', 'late'),
        assistant([]),
      ];
      await ask(googleReply('ok'), { messages, model: gemini25 });
      expect(lastBody().contents).toEqual([
        { role: 'user', parts: [{ text: 'Result of Read:' }, { text: 'orphan text' }, { text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'Read', args: { path: 'a' } } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: { name: 'Read', response: { error: expect.stringContaining('interrupted') } },
            },
            { text: 'next' },
            { text: 'Result of Read:' },
            { text: 'late' },
          ],
        },
      ]);
    });

    it('answers a call once, and keeps a second result as text', async () => {
      const messages = [
        user('hi'),
        assistant([call('a')], gemini25),
        result('a', 'first'),
        result('a', 'second'),
      ];
      await ask(googleReply('ok'), { messages, model: gemini25 });
      expect(lastBody().contents.at(-1)).toEqual({
        role: 'user',
        parts: [
          { functionResponse: { name: 'Read', response: { output: 'first' } } },
          { text: 'Result of Read:' },
          { text: 'second' },
        ],
      });
    });

    it('always begins with the user and alternates, whatever the history', async () => {
      const message = fc.oneof(
        fc.string().map((text) => user(text)),
        fc
          .array(fc.constantFrom(call('a'), call('b'), { type: 'text', text: 'x' } as AssistantContent))
          .map((content) => assistant(content)),
        fc.constantFrom('a', 'b', 'c').map((id) => result(id, 'r')),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (messages) => {
          await ask(googleReply('ok'), { messages });
          const { contents } = lastBody();
          for (const [index, content] of contents.entries()) {
            expect(content.role).toBe(index % 2 === 0 ? 'user' : 'model');
            const count = (key: string, parts = content.parts) => parts.filter((part) => key in part).length;
            if (content.role === 'model') {
              expect(count('functionResponse', contents[index + 1]?.parts ?? [])).toBe(count('functionCall'));
            }
          }
        }),
        { numRuns: 40 },
      );
    });

    it('returns signatures and call ids exactly to the same model, to others not at all', async () => {
      const parts = [
        { text: 'I look.', thought: true },
        { text: 'Reading ', thoughtSignature: 'c2lnLXRleHQ=' },
        { text: 'both.' },
        { functionCall: { id: 'g-1', name: 'Read', args: { path: 'x' } }, thoughtSignature: 'c2lnLWNhbGw=' },
        { functionCall: { name: 'Read', args: { path: 'y' } } },
        { text: '', thoughtSignature: 'c2lnLWVuZA==' },
      ];
      const content = contentOf(await ask(googleReply({ chunks: parts.map((part) => [part]) })));
      const ids = content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
      const results = ids.map((id) => result(id, 'text'));
      const messages = [user('hi'), assistant(content), ...results];
      await ask(googleReply('ok'), { messages });
      expect(lastBody().contents[1]?.parts).toEqual(parts.slice(1));
      expect(lastBody().contents[2]?.parts).toEqual([
        { functionResponse: { id: 'g-1', name: 'Read', response: { output: 'text' } } },
        { functionResponse: { name: 'Read', response: { output: 'text' } } },
      ]);
      await ask(googleReply('ok'), { messages, model: { ...gemini3, id: 'gemini-3.5-flash' } });
      const other = JSON.stringify(lastBody().contents);
      expect(other).not.toMatch(/c2ln|g-1/);
      expect(other.match(/skip_thought_signature_validator/g)).toHaveLength(1);
      await ask(googleReply('ok'), { messages, model: gemini25 });
      expect(JSON.stringify(lastBody().contents)).not.toContain('thoughtSignature');
    });
  });
}
