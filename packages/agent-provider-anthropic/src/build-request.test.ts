import {
  type AssistantContent,
  createMessage,
  encodeBody,
  type JsonObject,
  type Message,
  type Model,
  type ModelRequest,
  noUsage,
  type StopReason,
  type ThinkingLevel,
  thinkingLevels,
  toolEnd,
  type UserContent,
} from '@robota-sdk/agent-core';
import { testModel, testRequest } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareAnthropicRequest } from './anthropic-provider.ts';
import { buildRequest } from './build-request.ts';

const claude = testModel({
  vendor: 'anthropic',
  id: 'claude-test',
  api: 'anthropic',
  maxOutput: 64_000,
  thinking: 'adaptive',
});
const png = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAA' } as const;

interface Block {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface Body {
  readonly max_tokens: number;
  readonly thinking?: Block;
  readonly output_config?: { readonly effort: string };
  readonly system?: readonly Block[];
  readonly tools?: readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
}

function build(extra: Partial<ModelRequest>, refused: ReadonlySet<string> = new Set()): Body {
  const request: ModelRequest = {
    model: claude,
    system: 'Be brief.',
    messages: [user('go')],
    tools: [],
    thinking: 'high',
    signal: new AbortController().signal,
    ...extra,
  };
  // Over the wire and back, as the server sees it.
  return JSON.parse(JSON.stringify(buildRequest(request, refused).body)) as Body;
}

function user(...content: readonly (string | UserContent)[]): Message {
  const blocks = content.map((part) =>
    typeof part === 'string' ? ({ type: 'text', text: part } as const) : part,
  );
  return createMessage({ role: 'user', content: blocks }, null);
}

interface Answered {
  readonly by?: Model;
  readonly stopReason?: StopReason;
}

function assistant(
  content: readonly AssistantContent[],
  { by = claude, stopReason = 'end' }: Answered = {},
): Message {
  const ref = { vendor: by.vendor, id: by.id, api: by.api };
  return createMessage({ role: 'assistant', content, model: ref, usage: noUsage, cost: 0, stopReason }, null);
}

function result(toolCallId: string, ...content: readonly (string | UserContent)[]): Message {
  return toolMessage({ toolCallId, content, isError: false });
}

function toolMessage({
  toolCallId,
  content,
  isError,
}: {
  toolCallId: string;
  content: readonly (string | UserContent)[];
  isError: boolean;
}): Message {
  const blocks = content.map((part) =>
    typeof part === 'string' ? ({ type: 'text', text: part } as const) : part,
  );
  return createMessage(
    {
      role: 'tool',
      toolCallId,
      toolName: 'Read',
      content: blocks,
      ...toolEnd(isError ? 'error' : 'success'),
    },
    null,
  );
}

const text = (value: string): AssistantContent => ({ type: 'text', text: value });
const call = (id: string): AssistantContent => ({
  type: 'tool-call',
  id,
  name: 'Read',
  input: { file_path: id },
});
const thought = (value: string): AssistantContent => ({
  type: 'thinking',
  text: value,
  vendorData: { signature: `sig-${value}` },
});

function withoutMarks(body: Body): string[] {
  return body.messages.map(({ role, content }) =>
    JSON.stringify({ role, content: content.map(({ cache_control: _, ...block }) => block) }),
  );
}

const plain = (block: Block | undefined): JsonObject => {
  const { cache_control: _, ...rest } = (block ?? {}) as JsonObject;
  return rest;
};

describe('messages', () => {
  it('puts parallel results into one user turn, in the order of the calls, before what the user said', () => {
    const { messages } = build({
      messages: [
        user('go'),
        assistant([text('Reading.'), call('a'), call('b'), call('c')]),
        result('b', 'B'),
        user('and hurry'),
        result('a', 'A', png),
        toolMessage({ toolCallId: 'c', content: ['broken', png], isError: true }),
      ],
    });
    expect(messages).toHaveLength(3);
    expect(messages[2]?.content.map(plain)).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [
          { type: 'text', text: 'A' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.data } },
        ],
      },
      { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'B' }] },
      { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'broken' }], is_error: true },
      { type: 'text', text: 'and hurry' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.data } },
    ]);
  });

  it('leaves out text without a visible character and says when a tool said nothing', () => {
    const { messages } = build({
      messages: [user('go', ' \n', png), assistant([text('\n\n'), call('a')]), result('a', '')],
    });
    expect(messages[0]?.content).toHaveLength(2);
    expect(messages[1]?.content).toHaveLength(1);
    expect(messages[2]?.content[0]).toMatchObject({ content: [{ type: 'text', text: '(no output)' }] });
  });

  it('sends a PDF as a document', () => {
    const pdf = { type: 'image', mimeType: 'application/pdf', data: 'JVBERi0xLjc=' } as const;
    const [block] = build({ messages: [user(pdf)] }).messages[0]?.content ?? [];
    const source = { type: 'base64', media_type: 'application/pdf', data: pdf.data };
    expect(block).toMatchObject({ type: 'document', source });
  });

  it('names the image’s true type, and leaves out what the model can’t take', () => {
    const images = [
      { type: 'image', mimeType: 'image/png', data: '/9j/4AAQ' },
      { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zz4=' },
    ] as const;
    const sent = build({ messages: [user(...images)] }).messages[0]?.content;
    expect(sent?.[0]).toMatchObject({ source: { media_type: 'image/jpeg' } });
    expect(sent?.[1]).toMatchObject({ type: 'text', text: expect.stringContaining('image/svg+xml') });
    const blind = build({ model: { ...claude, images: false }, messages: [user(png)] });
    expect(blind.messages[0]?.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('claude-test'),
    });
  });

  it('answers calls that never got a result, and keeps results without a call as text', () => {
    const { messages } = build({
      messages: [result('ghost', 'boo'), assistant([call('a')], { stopReason: 'aborted' }), user('next')],
    });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[0]?.content.map(plain)).toEqual([
      { type: 'text', text: 'Result of an earlier call of Read:' },
      { type: 'text', text: 'boo' },
    ]);
    expect(messages[2]?.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'a', is_error: true });
    expect(messages[2]?.content[1]).toMatchObject({ text: 'next' });
  });

  it('gives foreign ids a form the API accepts, the same for call and result, each once', () => {
    const other = testModel({ vendor: 'openai', id: 'gpt', api: 'openai-responses' });
    const round = (id: string) => [assistant([call(id)], { by: other }), result(id, 'x')];
    const { messages } = build({
      messages: [
        user('go'),
        ...round('call_1|fc:2'),
        ...round('call_1|fc/2'),
        ...round('0'),
        ...round('0'),
        ...round(''),
      ],
    });
    const calls = messages.flatMap(({ content }) =>
      content.filter(({ type }) => type === 'tool_use').map(({ id }) => id),
    );
    const results = messages.flatMap(({ content }) =>
      content.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id),
    );
    expect(calls).toEqual(['call_1_fc_2', 'call_1_fc_2_2', '0', '0_2', 'call']);
    expect(results).toEqual(calls);
  });

  it('begins and ends with the user, also when history does not', () => {
    expect(build({ messages: [] }).messages).toEqual([expect.objectContaining({ role: 'user' })]);
    const { messages } = build({ messages: [assistant([text('a')]), assistant([text('b')])] });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]?.content).toHaveLength(2);
  });

  it('sends a paused answer back as it is, to be continued', () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } };
    const paused: AssistantContent = {
      type: 'server-tool',
      phase: 'call',
      id: 's1',
      name: 'web_search',
      summary: 'q',
      vendorData: search,
    };
    const { messages } = build({
      messages: [user('go'), assistant([text('Searching.'), paused], { stopReason: 'pause' })],
    });
    expect(messages.at(-1)).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Searching.' }, search],
    });
  });
});

describe('what only the model that made it understands', () => {
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 's1',
    content: [{ type: 'web_search_result', encrypted_content: 'E' }],
  };
  const cited = { citations: [{ type: 'web_search_result_location', encrypted_index: 'I' }] };
  const content: readonly AssistantContent[] = [
    { type: 'thinking', text: 'hm…  ', vendorData: { signature: 'S/+==' } },
    { type: 'thinking', text: '', redacted: true, vendorData: { data: 'R' } },
    { type: 'server-tool', phase: 'call', id: 's1', name: 'web_search', summary: 'q', vendorData: search },
    {
      type: 'server-tool',
      phase: 'result',
      id: 's1',
      name: 'web_search',
      summary: '1 result',
      vendorData: found,
    },
    { type: 'text', text: 'Found.', vendorData: cited },
    { type: 'tool-call', id: 'a', name: 'Read', input: {}, vendorData: { caller: { type: 'direct' } } },
  ];
  const messages = (by: Model) => [
    user('go'),
    assistant(content, { by, stopReason: 'tool-calls' }),
    result('a', 'A'),
  ];

  it('goes back byte for byte to the same model', () => {
    proves('R-37');
    expect(build({ messages: messages(claude), webSearch: true }).messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'hm…  ', signature: 'S/+==' },
      { type: 'redacted_thinking', data: 'R' },
      search,
      found,
      { type: 'text', text: 'Found.', ...cited },
      { type: 'tool_use', id: 'a', name: 'Read', input: {}, caller: { type: 'direct' } },
    ]);
  });

  it('is dropped when the model changed, in vendor or id', () => {
    for (const by of [
      { ...claude, id: 'claude-other' },
      { ...claude, vendor: 'reseller' },
    ]) {
      expect(build({ messages: messages(by) }).messages[1]?.content).toEqual([
        { type: 'text', text: 'Found.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: {} },
      ]);
    }
  });

  it('drops thinking that was never signed, that ends an answer, or that was refused', () => {
    const unsigned: AssistantContent = { type: 'thinking', text: 'half a th' };
    const only = assistant([thought('x')], { stopReason: 'length' });
    const refused = assistant([thought('y'), text('ok')]);
    const { messages } = build(
      {
        messages: [
          user('a'),
          assistant([unsigned, text('t')]),
          user('b'),
          only,
          user('c'),
          refused,
          user('d'),
        ],
      },
      new Set([refused.id]),
    );
    expect(JSON.stringify(messages)).not.toContain('thinking');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });

  it('drops a search whose other half is missing', () => {
    const half = assistant(content.slice(2, 3).concat(text('cut')), { stopReason: 'error' });
    const other = assistant(content.slice(3, 4).concat(text('odd')));
    const { messages } = build({ messages: [user('a'), half, user('b'), other, user('c')] });
    expect(JSON.stringify(messages)).not.toContain('s1');
  });
});

describe('thinking', () => {
  const levels = (thinking: Model['thinking'], compat: Model['compat'] = {}) =>
    Object.fromEntries(
      thinkingLevels.map((level) => {
        const body = build({ model: { ...claude, thinking, compat }, thinking: level });
        return [
          level,
          body.thinking?.budget_tokens ?? body.output_config?.effort ?? body.thinking?.type ?? null,
        ];
      }),
    );

  it('maps every level for every style of model', () => {
    expect(levels('none')).toEqual({
      off: null,
      minimal: null,
      low: null,
      medium: null,
      high: null,
      xhigh: null,
    });
    expect(levels('budget')).toEqual({
      off: null,
      minimal: 1_024,
      low: 4_096,
      medium: 10_240,
      high: 20_480,
      xhigh: 32_768,
    });
    expect(levels('adaptive')).toEqual({
      off: null,
      minimal: 'low',
      low: 'low',
      medium: 'medium',
      high: 'high',
      xhigh: 'max',
    });
    expect(levels('always')).toEqual({
      off: 'low',
      minimal: 'low',
      low: 'low',
      medium: 'medium',
      high: 'high',
      xhigh: 'max',
    });
    expect(levels('effort')).toEqual({
      off: null,
      minimal: 'low',
      low: 'low',
      medium: 'medium',
      high: 'high',
      xhigh: 'max',
    });
    expect(levels('adaptive', { reasoningEffortMap: { off: 'disabled', xhigh: 'xhigh' } })).toMatchObject({
      off: 'disabled',
      xhigh: 'xhigh',
    });
    expect(levels('always', { reasoningEffortMap: { off: 'between_tools' } })).toMatchObject({
      off: 'between_tools',
    });
  });

  it('asks adaptive models for a summary of their thinking', () => {
    expect(build({ thinking: 'high' }).thinking).toEqual({ type: 'adaptive', display: 'summarized' });
  });

  it('keeps a budget below the output limit, and the output limit within the model’s', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200_000 }),
        fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
        fc.constantFrom<ThinkingLevel>(...thinkingLevels),
        (limit, maxOutput, level) => {
          const model: Model = { ...claude, thinking: 'budget', maxOutput: limit };
          const body = build({ model, thinking: level, ...(maxOutput === undefined ? {} : { maxOutput }) });
          expect(body.max_tokens).toBeGreaterThanOrEqual(1);
          expect(body.max_tokens).toBeLessThanOrEqual(limit);
          if (!body.thinking) return;
          expect(body.thinking.budget_tokens).toBeGreaterThanOrEqual(1_024);
          expect(body.thinking.budget_tokens).toBeLessThan(body.max_tokens);
        },
      ),
    );
  });

  it('leaves room for the conversation in the window', () => {
    expect(build({ thinking: 'off' }).max_tokens).toBe(32_000);
    expect(build({ model: { ...claude, contextWindow: 1_000_000 } }).max_tokens).toBe(64_000);
    expect(build({ maxOutput: 500 }).max_tokens).toBe(500);
  });

  const budget: Model = { ...claude, thinking: 'budget' };

  it('is off until a tool loop ends that began without it, so that no request is refused', () => {
    const loop = [user('go'), assistant([call('a')], { by: budget }), result('a', 'A')];
    expect(build({ model: budget, messages: loop }).thinking).toBeUndefined();
    const deeper = [...loop, assistant([thought('late'), call('b')], { by: budget }), result('b', 'B')];
    const body = build({ model: budget, messages: deeper });
    expect(body.thinking).toBeUndefined();
    expect(JSON.stringify(body.messages)).not.toContain('"thinking"');
    const done = [...loop, assistant([text('done')], { by: budget }), user('next')];
    expect(build({ model: budget, messages: done }).thinking).toMatchObject({ type: 'enabled' });
    expect(build({ messages: loop }).thinking).toMatchObject({ type: 'adaptive' });
  });

  it('stays on in a loop that began with it, though later answers have none', () => {
    const messages = [
      user('go'),
      assistant([thought('x'), call('a')], { by: budget }),
      result('a', 'A'),
      assistant([call('b')], { by: budget }),
      result('b', 'B'),
    ];
    expect(build({ model: budget, messages }).thinking).toMatchObject({ type: 'enabled' });
  });

  it('that is switched off sends no earlier thinking back, one left to the model does', () => {
    const sent = (model: Model) => {
      const messages = [user('go'), assistant([thought('x'), text('y')]), user('more')];
      return JSON.stringify(build({ model, messages, thinking: 'off' }).messages);
    };
    expect(sent(budget)).not.toContain('sig-x');
    expect(sent({ ...claude, compat: { reasoningEffortMap: { off: 'disabled' } } })).not.toContain('sig-x');
    expect(sent({ ...claude, compat: { reasoningEffortMap: { off: 'between_tools' } } })).toContain('sig-x');
    expect(sent(claude)).toContain('sig-x');
  });
});

describe('tools, system and cache', () => {
  const tools = [
    { name: 'Read', description: 'reads', input: { type: 'object', properties: {} } },
    { name: 'Bash', description: 'runs', input: { properties: { command: { type: 'string' } } } },
  ];

  it('offers web search of the vendor when asked to', () => {
    proves('R-37');
    const search = build({ tools, webSearch: true }).tools?.at(-1);
    expect(plain(search)).toEqual({ type: 'web_search_20250305', name: 'web_search', max_uses: 8 });
    expect(build({ tools }).tools).toHaveLength(2);
    expect(build({ tools: [] })).not.toHaveProperty('tools');
  });

  it('marks tools, system and the last two user turns, four marks and no more', () => {
    const messages = [
      user('1'),
      assistant([text('a')]),
      user('2'),
      assistant([call('b')]),
      result('b', 'B'),
      user('3', png),
    ];
    const body = build({ tools, webSearch: true, messages });
    const marked = (blocks: readonly Block[] = []) => blocks.map((block) => 'cache_control' in block);
    expect(marked(body.tools)).toEqual([false, false, true]);
    expect(marked(body.system)).toEqual([true]);
    expect(body.messages.map(({ content }) => marked(content))).toEqual([
      [false],
      [false],
      [true],
      [false],
      [false, false, true],
    ]);
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
  });

  it('leaves out an empty system prompt', () => {
    expect(build({ system: ' \n' })).not.toHaveProperty('system');
  });

  it('each request is a byte-identical prefix of the next, apart from the moving marks', () => {
    const turn = fc.record({
      say: fc.string().map((words) => `${words}.`),
      calls: fc.nat(3),
      think: fc.boolean(),
      steer: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 8 }), (turns) => {
        const history: Message[] = [];
        let previous: Body | undefined;
        for (const [index, { say, calls, think, steer }] of turns.entries()) {
          if (index === 0 || history.at(-1)?.role === 'assistant') history.push(user(say));
          const body = build({ tools, messages: history });
          if (previous) {
            expect(JSON.stringify([body.tools, body.system])).toBe(
              JSON.stringify([previous.tools, previous.system]),
            );
            expect(withoutMarks(body).slice(0, previous.messages.length)).toEqual(withoutMarks(previous));
          }
          previous = body;
          // Ids repeat from turn to turn, as some vendors' do.
          const ids = Array.from({ length: calls }, (_, count) => `call:${count}`);
          history.push(assistant([...(think ? [thought(say)] : []), text(say), ...ids.map(call)]));
          history.push(...ids.map((id) => result(id, say)));
          if (steer && calls > 0) history.push(user('steer'));
        }
      }),
    );
  });
});

describe('any history', () => {
  const block: fc.Arbitrary<AssistantContent> = fc.oneof(
    fc.constantFrom('', ' ', 'words').map(text),
    fc.constantFrom('a', 'b', 'c|d', '').map(call),
    fc.constantFrom<AssistantContent>(
      thought('x'),
      { type: 'thinking', text: 'cut' },
      { type: 'thinking', text: '', redacted: true, vendorData: { data: 'R' } },
      { type: 'tool-call', id: 'a', name: 'functions.Read', input: [1], invalid: 'no object' },
      {
        type: 'server-tool',
        phase: 'call',
        id: 's',
        name: 'web_search',
        summary: '',
        vendorData: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      },
      {
        type: 'server-tool',
        phase: 'result',
        id: 's',
        name: 'web_search',
        summary: '',
        vendorData: { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      },
    ),
  );
  const userContent = fc.array(
    fc.constantFrom<UserContent>({ type: 'text', text: 'x' }, { type: 'text', text: '' }, png),
    { maxLength: 3 },
  );
  const message: fc.Arbitrary<Message> = fc.oneof(
    userContent.map((content) => user(...content)),
    fc
      .record({
        toolCallId: fc.constantFrom('a', 'b', 'c|d', 'z'),
        content: userContent,
        isError: fc.boolean(),
      })
      .map(toolMessage),
    fc
      .record({
        content: fc.array(block, { maxLength: 5 }),
        by: fc.constantFrom(claude, { ...claude, id: 'other' }),
        stopReason: fc.constantFrom<StopReason>('end', 'tool-calls', 'error', 'aborted', 'length', 'pause'),
      })
      .map(({ content, ...answered }) => assistant(content, answered)),
  );

  it('makes a request the API’s rules allow', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 12 }),
        fc.constantFrom<Model['thinking']>('none', 'budget', 'adaptive'),
        (messages, thinking) => {
          const body = build({ model: { ...claude, thinking }, messages });
          expectAllowed(body, { mayEndWithAssistant: messages.at(-1)?.role === 'assistant' });
        },
      ),
      { numRuns: 500 },
    );
  });
});

function kindsOf(content: unknown): string[] {
  return [...new Set((content as readonly Block[]).map(({ type }) => type))];
}

function expectAllowed({ messages }: Body, { mayEndWithAssistant }: { mayEndWithAssistant: boolean }): void {
  const ids = new Set<unknown>();
  expect(messages[0]?.role).toBe('user');
  if (!mayEndWithAssistant) expect(messages.at(-1)?.role).toBe('user');
  for (const [index, { role, content }] of messages.entries()) {
    expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
    expect(content.length).toBeGreaterThan(0);
    for (const block of content) {
      if (block.type === 'text') expect(String(block.text).trim()).not.toBe('');
      if (block.type === 'tool_result' && block.is_error) expect(kindsOf(block.content)).toEqual(['text']);
      if (block.type !== 'tool_use') continue;
      expect(block.id).toMatch(/^[a-zA-Z0-9_-]+$/);
      expect(block.name).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
      expect(block.input).toBeTypeOf('object');
      expect(Array.isArray(block.input)).toBe(false);
      expect(ids.has(block.id)).toBe(false);
      ids.add(block.id);
    }
    const calls =
      messages[index - 1]?.content.filter(({ type }) => type === 'tool_use').map(({ id }) => id) ?? [];
    const results = content
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id }) => tool_use_id);
    if (role === 'user') expect(results).toEqual(calls);
    if (role === 'user')
      expect(content.slice(0, results.length).every(({ type }) => type === 'tool_result')).toBe(true);
    if (role === 'assistant' && index < messages.length - 1)
      expect(content.at(-1)?.type).not.toMatch(/thinking/);
  }
}

describe('a conversation that is sent again', () => {
  it('is built as if it were sent for the first time, whatever happened in between', () => {
    const refused = new Set<string>();
    const said = (text: string): AssistantContent => ({ type: 'text', text });
    const search = (phase: 'call' | 'result', id: string): AssistantContent => ({
      type: 'server-tool',
      phase,
      id,
      name: 'web_search',
      summary: '',
      vendorData:
        phase === 'call'
          ? { type: 'server_tool_use', id, name: 'web_search', input: {} }
          : { type: 'web_search_tool_result', tool_use_id: id, content: [] },
    });
    const step = fc.oneof(
      fc.constantFrom('one', '', 'two').map((text) => [user(text)]),
      fc
        .record({
          content: fc.array(
            fc.oneof(
              fc.constantFrom('words', ' ').map(said),
              fc.constantFrom('a', 'b').map(call),
              fc.constant(thought('x')),
              fc
                .record({ phase: fc.constantFrom('call', 'result'), id: fc.constantFrom('s', 't') })
                .map(({ phase, id }) => search(phase as 'call' | 'result', id)),
            ),
            { maxLength: 4 },
          ),
          by: fc.constantFrom(claude, { ...claude, id: 'other' }),
          stopReason: fc.constantFrom<StopReason>('end', 'tool-calls', 'error', 'pause'),
        })
        .map(({ content, ...answered }) => [assistant(content, answered)]),
      fc.constantFrom('a', 'b', 'z').map((id) => [result(id, 'R')]),
      fc.constant('rewind' as const),
      fc.constant('refuse' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let messages: Message[] = [user('start')];
        for (const each of steps) {
          if (each === 'rewind') messages = messages.slice(0, Math.ceil(messages.length / 2));
          else if (each === 'refuse') refused.add(messages.at(-1)?.id ?? '');
          else messages = [...messages, ...each];
          // Copies have no past, so nothing that was built before can be used for them.
          const copies = messages.map((message) => ({ ...message }));
          expect(build({ messages }, refused)).toEqual(build({ messages: copies }, refused));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the very objects of the turns before its last answers', () => {
    const messages: Message[] = [];
    const sent = () => {
      const request: ModelRequest = {
        model: claude,
        system: '',
        messages: [...messages],
        tools: [],
        thinking: 'off',
        signal: new AbortController().signal,
      };
      return buildRequest(request, none).body['messages'] as readonly JsonObject[];
    };
    const none = new Set<string>();
    let before: readonly JsonObject[] = [];
    for (let turn = 0; turn < 50; turn++) {
      messages.push(user(`prompt ${turn}`));
      const now = sent();
      const kept = before.filter((message, index) => message === now[index]);
      expect(kept.length).toBeGreaterThanOrEqual(before.length - 5);
      before = now;
      messages.push(assistant([text(`answer ${turn}`)]));
    }
  });

  it('reads no message again that was prepared, with any provider to which no thinking was refused', () => {
    let reads = 0;
    const counted = (message: Message): Message =>
      Object.defineProperty({ ...message }, 'content', {
        get: () => {
          reads += 1;
          return message.content;
        },
      });
    const turns = Array.from({ length: 40 }, (_, turn) => [user(`prompt ${turn}`), assistant([text('yes')])]);
    const messages = turns.flat().map(counted);
    const request = testRequest({ model: claude, messages, thinking: 'off' });
    prepareAnthropicRequest(request);
    expect(reads).toBeGreaterThanOrEqual(messages.length);
    const next = { ...request, messages: [...messages, user('next')] };
    reads = 0;
    encodeBody(buildRequest(next, new Set()).body);
    // Those of the last answer, behind which the prompt is new.
    expect(reads).toBeLessThan(5);
    reads = 0;
    buildRequest(next, new Set(['another']));
    expect(reads).toBeGreaterThanOrEqual(messages.length);
  });
});
